// SPDX-License-Identifier: Apache-2.0
// For the main file of tests that measure memory: what was freed is given back also where the
// address sanitizer would keep it for its search.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
extern "C" const char* __asan_default_options();  // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __asan_default_options() {
    return "quarantine_size_mb=1";
}
#endif
