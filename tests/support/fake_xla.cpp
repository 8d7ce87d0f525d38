// SPDX-License-Identifier: Apache-2.0
// Stands in for XLA's plugin, which looks CUPTI's functions up by name.
#include <dlfcn.h>

extern "C" void* fakeXlaLookUp(void* library, const char* name) {
    return ::dlsym(library, name);
}
