// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/load/ImporterRegistry.h"
#include "tests/fuzz/Require.h"
#include "tests/support/SameTrace.h"
#include "tests/support/TraceText.h"

namespace kinetoscope::test {

/// The trace of the text, whose rows must lie in it, and which must be the same for any number of
/// threads and any chunks; null where the importers refuse it, which takes a message.
inline std::shared_ptr<const trace::Trace> requireTrace(std::string_view text) {
    constexpr std::size_t kSmallChunk = 4096;
    import::LoadOptions one;
    one.threads = 1;
    const auto read = importText(text, kSmallChunk, one);
    if (!read) {
        require(!read.error().message.empty(), "an error without a message");
        return nullptr;
    }
    const trace::Trace& trace = **read;
    require(trace.log().skipped <= trace.log().events, "more skipped than there are");
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        require(trace.duration(slice) >= 0 && trace.end(slice) >= trace.start(slice),
                "a slice ends before it starts");
        require(trace.trackOf(slice) < trace.tracks().size(), "a slice without a track");
    }
    import::LoadOptions three;
    three.threads = 3;
    const auto again = importText(text, kSmallChunk, three);
    require(again.has_value() && difference(trace, **again).empty(), "threads differ");
    // More of a damaged text may speak against what its beginning spoke for.
    const auto kindBy = [&](std::size_t chunk) {
        return import::importerFor(text.substr(0, chunk));
    };
    if (kindBy(kSmallChunk) == kindBy(import::source::kTextChunk)) {
        const auto whole = importText(text, import::source::kTextChunk, three);
        require(whole.has_value() && difference(trace, **whole).empty(), "chunks differ");
    }
    return *read;
}

}  // namespace kinetoscope::test
