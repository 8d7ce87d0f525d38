// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any text as a saved result of a bench. See ResultTrial for what must be so.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/support/ResultTrial.h"

using namespace kinetoscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string problem = test::tryResult({reinterpret_cast<const char*>(data), size});
    if (!problem.empty()) {
        std::fprintf(stderr, "wrong: %s\n", problem.c_str());
        std::abort();
    }
    return 0;
}
