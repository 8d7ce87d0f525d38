// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/query/LaneLayout.h"
#include "core/query/TrackMarks.h"
#include "widgets/models/details/DetailText.h"

namespace kinetoscope::models {

/// Everything known about a slice: times, place, GPU figures, counters meanwhile, its launch and
/// what it launched, and all members in the file. A file that cannot be read again gives one line
/// saying so.
[[nodiscard]] std::vector<DetailLine> detailLines(query::LaneIndex& lanes,
                                                  const query::TrackMarks& marks,
                                                  trace::SliceId slice);

/// The innermost slice of the same track that contains this one; kNoSlice: none.
[[nodiscard]] trace::SliceId enclosingSlice(query::LaneIndex& lanes, trace::SliceId slice);

}  // namespace kinetoscope::models
