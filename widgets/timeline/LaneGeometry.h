// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/query/CounterView.h"
#include "core/query/SlicesInView.h"
#include "widgets/timeline/rows/TimelineRows.h"

namespace kinetoscope::timeline {

/// What part of the rows is drawn, how finely. Device pixels; `scale` of them are a logical one.
struct GeometrySpec {
    TimeSpan visible;
    std::int32_t columns = 0;  ///< device pixels of `visible`
    int scroll = 0;            ///< logical pixels of the rows above the top edge
    int height = 0;            ///< logical pixels
    double scale = 1.0;
    int pinned = 0;        ///< of the height for pinned rows
    int pinnedScroll = 0;  ///< as in RowView

    [[nodiscard]] RowView view() const { return {scroll, height, pinned, pinnedScroll}; }
    /// The part of the height where a row is seen, in device pixels.
    [[nodiscard]] int clipTop(bool pinnedRow) const { return pinnedRow ? 0 : deviceHeight(pinned); }
    [[nodiscard]] int clipBottom(bool pinnedRow) const {
        return deviceHeight(pinnedRow ? pinned : height);
    }

private:
    [[nodiscard]] int deviceHeight(int logical) const {
        return static_cast<int>(std::lround(logical * scale));
    }
};

/// A lane's items at [top, bottom), in device pixels from the upper left corner of the geometry.
struct LaneStrip {
    std::size_t row = 0;
    std::uint32_t lane = 0;
    int top = 0;
    int bottom = 0;
    std::vector<query::ViewItem> items;
};

/// An instant, or several in one column: above the lanes of its track, or on the heading of its
/// process when it stands for more than the track.
struct InstantMark {
    std::size_t row = 0;
    std::int32_t column = 0;
    int top = 0;
    int bottom = 0;
    std::uint32_t instant = 0;  ///< row of Trace::instants(), the first of the column
    std::uint32_t count = 1;
    bool isGlobal = false;  ///< stands for all rows
};

/// One series of a counter.
struct CounterStrip {
    std::size_t row = 0;
    int top = 0;
    int bottom = 0;
    const query::CounterSeries* series = nullptr;
    query::CounterScale scale;  ///< of all series of the row
    bool isFirst = false;       ///< of its row
    std::vector<query::CounterColumn> columns;
};

/// The height of a value, in device pixels from the top of the geometry.
[[nodiscard]] inline double counterY(const CounterStrip& strip, double value) {
    return strip.top + (strip.bottom - strip.top - 1) * (1.0 - strip.scale.heightOf(value));
}

/// How much of a collapsed group's columns its tracks are busy: the largest share of any of them.
struct GroupStrip {
    std::size_t row = 0;
    int top = 0;
    int bottom = 0;
    std::vector<float> busy;  ///< by column
};

/// All that is drawn in the time area. Painting, hovering and tests read the same lists.
struct TimelineGeometry {
    GeometrySpec spec;
    std::vector<LaneStrip> lanes;
    std::vector<InstantMark> instants;
    std::vector<CounterStrip> counters;
    std::vector<GroupStrip> groups;
    std::size_t pinnedRows = 0;  ///< row indices below this are pinned

    /// Whether device pixel row `y` shows that row, and not a pinned one over it.
    [[nodiscard]] bool shows(std::size_t row, int y) const {
        return y >= spec.clipTop(row < pinnedRows) && y < spec.clipBottom(row < pinnedRows);
    }
};

[[nodiscard]] TimelineGeometry layOutGeometry(query::LaneIndex& index, const TimelineRows& rows,
                                              const query::TrackMarks& marks,
                                              const GeometrySpec& spec);

/// The item drawn at a place, or up to `slack` columns beside it.
struct TimelineHit {
    const LaneStrip* strip = nullptr;
    const query::ViewItem* item = nullptr;
};
[[nodiscard]] std::optional<TimelineHit> hitTest(const TimelineGeometry& geometry, int column,
                                                 int y, int slack);
[[nodiscard]] const InstantMark* hitInstant(const TimelineGeometry& geometry, int column, int y,
                                            int slack);

}  // namespace kinetoscope::timeline
