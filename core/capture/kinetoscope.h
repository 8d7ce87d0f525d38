/* SPDX-License-Identifier: Apache-2.0 */
/* For programs that want to say what `kscope record` records. C and C++, nothing to link but the
 * C library (-ldl before glibc 2.34). In a program that is not being recorded every call does
 * nothing. Each may be called from any thread. */
#ifndef KINETOSCOPE_H
#define KINETOSCOPE_H

#include <dlfcn.h>

/* C's names and null. */
/* NOLINTBEGIN(readability-identifier-naming,modernize-use-nullptr) */

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*kinetoscope_function_)(void);

static inline kinetoscope_function_ kinetoscope_find_(const char* name) {
    /* Found only where it is loaded already; asked again each time, as it may come later. */
    void* library = dlopen("libkinetoscope-inject.so", RTLD_NOW | RTLD_NOLOAD);
    union {
        void* object;
        kinetoscope_function_ function;
    } found;
    found.object = library ? dlsym(library, name) : (void*)0;
    if (library) {
        dlclose(library);
    }
    return found.function;
}

/* Record from here on; of use with `kscope record --paused` or after kinetoscope_stop(). */
static inline void kinetoscope_start(void) {
    kinetoscope_function_ f = kinetoscope_find_("kinetoscope_inject_start");
    if (f) {
        f();
    }
}

/* Record nothing until kinetoscope_start(). Work launched before is still recorded. */
static inline void kinetoscope_stop(void) {
    kinetoscope_function_ f = kinetoscope_find_("kinetoscope_inject_stop");
    if (f) {
        f();
    }
}

/* A point in time on the row of this thread. */
static inline void kinetoscope_mark(const char* name) {
    kinetoscope_function_ f = kinetoscope_find_("kinetoscope_inject_mark");
    if (f) {
        ((void (*)(const char*))f)(name);
    }
}

/* A range on the row of this thread, until the kinetoscope_range_pop() that belongs to it. */
static inline void kinetoscope_range_push(const char* name) {
    kinetoscope_function_ f = kinetoscope_find_("kinetoscope_inject_range_push");
    if (f) {
        ((void (*)(const char*))f)(name);
    }
}

static inline void kinetoscope_range_pop(void) {
    kinetoscope_function_ f = kinetoscope_find_("kinetoscope_inject_range_pop");
    if (f) {
        f();
    }
}

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming,modernize-use-nullptr) */
#endif
