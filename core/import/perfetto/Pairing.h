// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/Time.h"
#include "core/import/perfetto/Events.h"
#include "core/trace/SliceColumns.h"

namespace kinetoscope::import::perfetto {

/// A start or an end on a track.
struct Edge {
    TimeNs time = 0;
    std::uint64_t offset = 0;  ///< of its packet
    std::int64_t correlation = trace::kNoId;
    std::int64_t externalId = trace::kNoId;
    NameId name = kEmptyName;
    std::uint32_t operation = 0;  ///< 1 + row of the GPU operations; 0: none
    std::uint32_t order = 0;      ///< among the edges of its track, as the file has them
    StateMark state;              ///< of its sequence
    trace::CategoryId category = 0;
    bool begin = false;
    bool ownCorrelation = false;  ///< it counts within its process
};

/// A start with its end.
struct Pair {
    Edge begin;
    TimeNs end = 0;
    bool open = false;  ///< there is no end
};

struct Pairs {
    std::vector<Pair> pairs;           ///< by their beginnings
    std::uint64_t unmatched = 0;       ///< ends without a start
    std::uint64_t firstUnmatched = 0;  ///< offset
};

/// Puts together what nests on a track. Sorts `edges` by time. Where the file has them in another
/// order, an end comes before a beginning at the same time unless both belong together.
[[nodiscard]] Pairs pairEdges(std::vector<Edge>& edges);

}  // namespace kinetoscope::import::perfetto
