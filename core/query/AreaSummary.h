// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/base/Result.h"
#include "core/base/Time.h"
#include "core/trace/Trace.h"

namespace kinetoscope::query {

/// The slices of one name, category or track that lie in an area of the timeline, whole or in part.
struct AreaRow {
    std::uint32_t key = 0;  ///< NameId, CategoryId or TrackId
    std::uint64_t count = 0;
    TimeNs timeNs = 0;  ///< sum of the parts inside; nested slices count in each that has them
    trace::SliceId longest = trace::kNoSlice;  ///< the longest part; of equal ones the first row
    TimeNs longestNs = 0;
};

struct AreaOptions {
    TimeSpan span;                       ///< in the trace's own time
    std::vector<trace::TrackId> tracks;  ///< empty: all
    std::stop_token stop;                ///< ends with ErrorKind::Cancelled
    unsigned threads = 0;                ///< 0: as many as there are processors
};

/// What lies in an area: rows that are not empty, by key.
struct AreaSummary {
    TimeSpan span;
    std::uint64_t count = 0;
    TimeNs timeNs = 0;  ///< stays at the largest time where a sum passes it
    std::vector<AreaRow> byName;
    std::vector<AreaRow> byCategory;
    std::vector<AreaRow> byTrack;
};

/// One pass over the slices; each is cut off at the area's ends. The result is the same for any
/// number of threads.
[[nodiscard]] Result<AreaSummary> summariseArea(const trace::Trace& trace,
                                                const AreaOptions& options);

}  // namespace kinetoscope::query
