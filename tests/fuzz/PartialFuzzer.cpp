// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes as one rank of a partial, and as a partial. See PartialTrial for what must
// be so.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/support/PartialTrial.h"

using namespace kinetoscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    std::string problem = test::tryRecordBytes(bytes);
    if (problem.empty()) {
        problem = test::tryPartial(bytes);
    }
    if (!problem.empty()) {
        std::fprintf(stderr, "wrong: %s\n", problem.c_str());
        std::abort();
    }
    return 0;
}
