// SPDX-License-Identifier: Apache-2.0
// libFuzzer: the bytes of a database behind its first sixteen, through the importers of databases.
// The events of its first rows must be readable or refused; a cut of a sound one has all of the
// slices.
#include <algorithm>

#include "tests/fuzz/RequireTrace.h"
#include "tests/support/CutInMemory.h"
#include "tests/support/LoadedDatabase.h"

using namespace kinetoscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kMaxEvents = 20;  // each is a query of its own
    std::string bytes("SQLite format 3\0", 16);
    bytes += test::textOf(data, size);
    const auto trace = test::requireTrace(bytes);
    const std::size_t count = trace == nullptr ? 0 : std::min(trace->sliceCount(), kMaxEvents);
    for (trace::SliceId slice = 0; slice < count; ++slice) {
        const auto event = trace->eventText()->event(trace->offset(slice));
        test::require(event ? event->starts_with('{') : !event.error().message.empty(),
                      "an event without text");
    }
    if (trace != nullptr && test::LoadedDatabase(bytes).isSound()) {
        const std::string wrong = test::wrongWithCut(bytes, "trace");
        test::require(wrong.empty(), wrong);
    }
    return 0;
}
