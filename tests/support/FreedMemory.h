// SPDX-License-Identifier: Apache-2.0
// For the main file of tests that measure memory: what was freed is given back also where the
// address sanitizer would keep it for its search, and it keeps no stack of each allocation.
#pragma once

#include "core/base/ProcessMemory.h"

#if defined(__SANITIZE_ADDRESS__)
extern "C" void __sanitizer_purge_allocator();    // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __asan_default_options();  // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __asan_default_options() {
    return "quarantine_size_mb=1:malloc_context_size=0";
}
#endif

namespace kinetoscope::test {

/// releaseFreeMemory(), of the allocator that is in use.
inline void releaseFreed() {
    releaseFreeMemory();
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_purge_allocator();
#endif
}

}  // namespace kinetoscope::test
