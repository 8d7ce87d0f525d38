// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

namespace kinetoscope::capture {

/// The function of that name in a library opened by dlopen; false, and null, without one.
template <class Function>
bool find(void* library, const char* name, Function& function) {
    // dlsym returns functions as data pointers; POSIX guarantees that the two convert.
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

}  // namespace kinetoscope::capture
