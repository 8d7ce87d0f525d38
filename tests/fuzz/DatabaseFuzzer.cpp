// SPDX-License-Identifier: Apache-2.0
// libFuzzer: the bytes of a database behind its first sixteen, through the importers of databases.
// Every row must lie in the trace, its event must be told or refused, and the trace must be the
// same for any number of threads.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/support/SameTrace.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;

namespace {

void require(bool condition, const char* what) {
    if (!condition) {
        std::fprintf(stderr, "wrong: %s\n", what);
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kMaxWorded = 20;  // each event is a query of its own
    std::string bytes("SQLite format 3\0", 16);
    bytes.append(reinterpret_cast<const char*>(data), size);
    import::LoadOptions one;
    one.threads = 1;
    const auto read = test::importText(bytes, 4096, one);
    if (!read) {
        require(!read.error().message.empty(), "an error without a message");
        return 0;
    }
    const trace::Trace& trace = **read;
    require(trace.log().skipped <= trace.log().events, "more skipped than there are");
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        require(trace.duration(slice) >= 0 && trace.end(slice) >= trace.start(slice),
                "a slice ends before it starts");
        require(trace.trackOf(slice) < trace.tracks().size(), "a slice without a track");
        if (slice < kMaxWorded) {
            const auto event = trace.eventText()->event(trace.offset(slice));
            require(event ? event->starts_with('{') : !event.error().message.empty(),
                    "an event without words");
        }
    }
    import::LoadOptions three;
    three.threads = 3;
    const auto again = test::importText(bytes, import::source::kTextChunk, three);
    require(again.has_value() && test::difference(trace, **again).empty(), "threads differ");
    return 0;
}
