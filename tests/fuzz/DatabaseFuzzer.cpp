// SPDX-License-Identifier: Apache-2.0
// libFuzzer: the bytes of a database behind its first sixteen, through the importers of databases.
// The events of its first rows must be readable or refused; a cut of a sound one has all of the
// slices.
#include <algorithm>
#include <span>
#include <vector>

#include "tests/fuzz/RequireTrace.h"
#include "tests/support/CutInMemory.h"
#include "tests/support/LoadedDatabase.h"

using namespace kinetoscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kMaxEvents = 20;  // each is several queries
    std::string bytes("SQLite format 3\0", 16);
    bytes += test::textOf(data, size);
    const auto trace = test::requireTrace(bytes);
    std::vector<std::uint64_t> offsets;
    for (trace::SliceId slice = 0; trace && slice < std::min(trace->sliceCount(), kMaxEvents);
         ++slice) {
        offsets.push_back(trace->offset(slice));
    }
    std::ranges::sort(offsets);
    for (std::span<const std::uint64_t> left = offsets; !left.empty();) {
        std::size_t read = 0;
        const auto all =
            trace->eventText()->events(left, [&](std::size_t, const std::string& event) {
                ++read;
                test::require(event.starts_with('{'), "an event without text");
            });
        test::require(all ? read == left.size() : !all.error().message.empty(),
                      "an error without a message");
        left = left.subspan(all ? left.size() : read + 1);  // behind the one that is refused
    }
    if (trace != nullptr && test::LoadedDatabase(bytes).isSound()) {
        const std::string wrong = test::wrongWithCut(bytes, "trace");
        test::require(wrong.empty(), wrong);
    }
    return 0;
}
