// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes as a trace that is cut. The first byte chooses the window. Whatever is
// written must be strict JSON and hold every slice that the trace has there.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/support/CutInMemory.h"

using namespace kinetoscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // The output has to fit into a pipe.
    constexpr std::size_t kMax = 64 * 1024;
    if (size < 2 || size > kMax) {
        return 0;
    }
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::string wrong = test::wrongWithCut(text, data[0] % 2 == 0 ? "trace" : "2..21.5");
    if (!wrong.empty()) {
        std::fprintf(stderr, "wrong: %s\n", wrong.c_str());
        std::abort();
    }
    return 0;
}
