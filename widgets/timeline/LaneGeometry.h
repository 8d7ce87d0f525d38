// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/query/SlicesInView.h"
#include "widgets/timeline/TimelineRows.h"
#include "widgets/timeline/TrackMarks.h"

namespace kinetoscope::timeline {

/// What part of the rows is drawn, how finely. Device pixels; `scale` of them are a logical one.
struct GeometrySpec {
    TimeSpan visible;
    std::int32_t columns = 0;  ///< device pixels of `visible`
    int scroll = 0;            ///< logical pixels of the rows above the top edge
    int height = 0;            ///< logical pixels
    double scale = 1.0;
};

/// A lane's items at [top, bottom), in device pixels from the upper left corner of the geometry.
struct LaneStrip {
    std::size_t row = 0;
    std::uint32_t lane = 0;
    int top = 0;
    int bottom = 0;
    std::vector<query::ViewItem> items;
};

/// An instant, or several in one column.
struct InstantMark {
    std::size_t row = 0;
    std::int32_t column = 0;
    int top = 0;
    int bottom = 0;
    std::uint32_t instant = 0;  ///< row of Trace::instants(), the first of the column
    std::uint32_t count = 1;
};

/// The range of a counter's values in one column; `last` goes on to the next column that has one.
struct CounterColumn {
    std::int32_t column = 0;
    double least = 0.0;
    double most = 0.0;
    double last = 0.0;
};

struct CounterStrip {
    std::size_t row = 0;
    int top = 0;
    int bottom = 0;
    const CounterSeries* series = nullptr;
    std::vector<CounterColumn> columns;
};

/// All that is drawn in the time area. Painting, hovering and tests read the same lists.
struct TimelineGeometry {
    GeometrySpec spec;
    std::vector<LaneStrip> lanes;
    std::vector<InstantMark> instants;
    std::vector<CounterStrip> counters;
};

[[nodiscard]] TimelineGeometry layOutGeometry(query::LaneIndex& index, const TimelineRows& rows,
                                              const TrackMarks& marks, const GeometrySpec& spec);

/// What is drawn at a place, or up to `slack` columns beside it.
struct TimelineHit {
    const LaneStrip* strip = nullptr;
    const query::ViewItem* item = nullptr;
};
[[nodiscard]] std::optional<TimelineHit> hitTest(const TimelineGeometry& geometry, int column,
                                                 int y, int slack);
[[nodiscard]] const InstantMark* hitInstant(const TimelineGeometry& geometry, int column, int y,
                                            int slack);

}  // namespace kinetoscope::timeline
