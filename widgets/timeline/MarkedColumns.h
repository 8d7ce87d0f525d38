// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/Trace.h"
#include "widgets/timeline/LaneGeometry.h"

class QPainter;

namespace kinetoscope::session {
class SliceMarks;
}  // namespace kinetoscope::session

namespace kinetoscope::timeline {

/// Pixel columns [first, last) of a slice, or of several that begin in them.
struct MarkedColumns {
    std::int32_t first = 0;
    std::int32_t last = 0;
    trace::SliceId slice = trace::kNoSlice;  ///< the first one
};

/// Where slices of one lane are seen; no column twice. `slices` by start, none overlap. Time grows
/// with the columns and not with the slices.
[[nodiscard]] std::vector<MarkedColumns> markedColumns(const trace::Trace& trace,
                                                       std::span<const trace::SliceId> slices,
                                                       TimeSpan view, std::int32_t columns);

/// Columns in which slices begin, at most once each. `slices` by start, of any lanes.
[[nodiscard]] std::vector<std::int32_t> startColumns(const trace::Trace& trace,
                                                     std::span<const trace::SliceId> slices,
                                                     TimeSpan view, std::int32_t columns);

/// The middle of every row on which something is marked, from the top of the first row; folded
/// tracks count on their heading.
[[nodiscard]] std::vector<int> markedRows(const TimelineRows& rows,
                                          const session::SliceMarks& marks);

/// A line along the top edge of what is marked, above names and never over them; that of `chosen`
/// is thicker. `area`: where the geometry lies, in device pixels.
void paintMarks(QPainter& painter, const QRect& area, const TimelineGeometry& geometry,
                const TimelineRows& rows, const trace::Trace& trace,
                const session::SliceMarks& marks, trace::SliceId chosen);

}  // namespace kinetoscope::timeline
