// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes through the importers, with profiles and packets of protobuf messages and
// JSON of other tools as seeds. A cut has all of the slices, samples and flows.
#include "tests/fuzz/RequireTrace.h"
#include "tests/support/CutInMemory.h"

using namespace kinetoscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kTooManySlices = 2'000;  // some bytes of a tree can stand for a million
    constexpr int kNotKept = -1;                   // as a start for others
    const std::string_view text = test::textOf(data, size);
    if (const auto trace = test::requireTrace(text); trace != nullptr) {
        if (trace->sliceCount() > kTooManySlices) {
            return kNotKept;
        }
        const std::string wrong = test::wrongWithCut(text, "trace", nullptr, test::Marks::Compared);
        test::require(wrong.empty(), wrong);
    }
    return 0;
}
