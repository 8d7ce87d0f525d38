// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/query/LaneLayout.h"
#include "core/query/TrackMarks.h"

namespace kinetoscope::timeline {

enum class RowKind : std::uint8_t {
    Group,    ///< the heading of a process or GPU
    Slices,   ///< a thread, a stream or an async id
    Counter,  ///< a counter's step plots
};

/// Heights in logical pixels.
struct RowMetrics {
    int groupHeight = 24;
    int laneHeight = 18;
    int rowPadding = 3;  ///< above the first and below the last lane
    int counterHeight = 36;
    int instantHeight = 9;  ///< of the strip above the lanes of a track with instants
};

/// One row of the timeline; `top` counts from the top of the first row.
struct TimelineRow {
    RowKind kind = RowKind::Slices;
    std::uint32_t process = 0;
    trace::TrackId track = 0;  ///< not for a Group
    std::uint32_t lanes = 0;
    int marksHeight = 0;  ///< of the strip of instants above the lanes
    int top = 0;
    int height = 0;
    std::string label;
    bool collapsed = false;  ///< a Group whose tracks are hidden

    [[nodiscard]] int bottom() const { return top + height; }
};

/// The rows of a trace: GPUs by number, then the other processes by their sort index; in each its
/// counters, then its tracks by sort index. What has no events has no row.
class TimelineRows {
public:
    TimelineRows() = default;
    /// Without `marks` instants have no room.
    TimelineRows(query::LaneIndex& index, const RowMetrics& metrics,
                 const query::TrackMarks* marks = nullptr);

    [[nodiscard]] const std::vector<TimelineRow>& rows() const { return m_rows; }
    [[nodiscard]] int height() const { return m_rows.empty() ? 0 : m_rows.back().bottom(); }
    [[nodiscard]] const RowMetrics& metrics() const { return m_metrics; }
    /// Index of the row at that height; nullopt above the first and below the last.
    [[nodiscard]] std::optional<std::size_t> rowAt(int y) const;
    /// nullopt when the track has no row or its group is collapsed.
    [[nodiscard]] std::optional<std::size_t> rowOf(trace::TrackId track) const;
    /// Top of a lane, from the top of the first row.
    [[nodiscard]] int laneTop(const TimelineRow& row, std::uint32_t lane) const {
        return row.top + m_metrics.rowPadding + row.marksHeight +
               static_cast<int>(lane) * m_metrics.laneHeight;
    }

    /// nullopt when no track of the process has events.
    [[nodiscard]] std::optional<std::size_t> headingOf(std::uint32_t process) const;
    /// The rows of its tracks, shown or not.
    [[nodiscard]] std::span<const TimelineRow> tracksOf(std::uint32_t process) const;

    void setCollapsed(std::uint32_t process, bool collapsed);
    [[nodiscard]] const std::set<std::uint32_t>& collapsed() const { return m_collapsed; }
    [[nodiscard]] bool isCollapsed(std::uint32_t process) const {
        return m_collapsed.contains(process);
    }

private:
    struct Group {
        TimelineRow heading;
        std::vector<TimelineRow> tracks;
    };

    [[nodiscard]] TimelineRow trackRow(query::LaneIndex& index, trace::TrackId track,
                                       const query::TrackMarks* marks) const;
    void stack();

    RowMetrics m_metrics;
    std::vector<Group> m_groups;
    std::vector<TimelineRow> m_rows;
    std::set<std::uint32_t> m_collapsed;
};

}  // namespace kinetoscope::timeline
