// SPDX-License-Identifier: Apache-2.0
// The beginning of a program. Until 2.34 it brought what calls its constructors, and gave it to
// glibc; start-up files of later ones pass nothing. See make_link_libraries.py.
extern "C" {

using Function = void (*)();
using Initializer = void (*)(int, char**, char**);
extern Initializer __preinit_array_start[] __attribute__((visibility("hidden")));
extern Initializer __preinit_array_end[] __attribute__((visibility("hidden")));
extern Initializer __init_array_start[] __attribute__((visibility("hidden")));
extern Initializer __init_array_end[] __attribute__((visibility("hidden")));
void _init() __attribute__((visibility("hidden")));

static void callConstructors(int argc, char** argv, char** environment) {
    for (Initializer* one = __preinit_array_start; one != __preinit_array_end; ++one) {
        (*one)(argc, argv, environment);
    }
    _init();
    for (Initializer* one = __init_array_start; one != __init_array_end; ++one) {
        (*one)(argc, argv, environment);
    }
}

using Main = int (*)(int, char**, char**);
int __real___libc_start_main(Main, int, char**, Initializer, Function, Function, void*);
int __wrap___libc_start_main(Main main, int argc, char** argv, Initializer /*none*/,
                             Function /*none*/, Function loaderEnd, void* stackEnd) {
    return __real___libc_start_main(main, argc, argv, callConstructors, nullptr, loaderEnd,
                                    stackEnd);
}

}  // extern "C"
