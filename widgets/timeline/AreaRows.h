// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "widgets/timeline/rows/TimelineRows.h"

namespace kinetoscope::timeline {

/// Heights from the top of the first row, in logical pixels: [top, bottom).
struct RowBand {
    int top = 0;
    int bottom = 0;

    friend bool operator==(RowBand, RowBand) = default;
};

/// The tracks, ascending, whose rows an area from one height to another touches; a folded group
/// stands for all of its tracks, and so does an open one whose heading alone is touched. None where
/// that is not a row, or all of them.
[[nodiscard]] std::vector<trace::TrackId> tracksBetween(const TimelineRows& rows,
                                                        const trace::Trace& trace, int from,
                                                        int to);

/// Where the rows of the tracks are (ascending; folded ones: their groups' headings), from top to
/// bottom, those that touch as one.
[[nodiscard]] std::vector<RowBand> bandsOf(const TimelineRows& rows, const trace::Trace& trace,
                                           const std::vector<trace::TrackId>& tracks);

}  // namespace kinetoscope::timeline
