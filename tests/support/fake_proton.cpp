// SPDX-License-Identifier: Apache-2.0
// Stands in for Triton's libproton.so, which looks for a CUPTI of its own by its path.
#include <dlfcn.h>

// The file of the CUPTI that it got for its own, which is not there; "none" without any.
extern "C" const char* fakeProtonCupti() {
    void* cupti = ::dlopen("/nowhere/libcupti.so", RTLD_LAZY | RTLD_LOCAL);
    void* function = cupti == nullptr ? nullptr : ::dlsym(cupti, "cuptiGetVersion");
    Dl_info info{};
    return function != nullptr && ::dladdr(function, &info) != 0 ? info.dli_fname : "none";
}
