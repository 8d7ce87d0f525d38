// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/query/LaneLayout.h"
#include "core/query/RowNames.h"
#include "core/query/TrackMarks.h"
#include "widgets/session/RowChoices.h"

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
    trace::TrackId track = 0;  ///< of the LaneIndex; not for a Group
    std::uint32_t lanes = 0;
    int marksHeight = 0;  ///< of the strip of instants above the lanes
    int top = 0;
    int height = 0;
    std::string label;
    bool collapsed = false;  ///< a Group whose tracks are hidden
    bool pinned = false;     ///< stands above all that scrolls
    std::string key;         ///< in RowChoices
    std::string group;       ///< key of the heading; empty for a Group

    [[nodiscard]] int bottom() const { return top + height; }
};

/// Which part of the rows is on screen, in logical pixels: pinned rows at the top, the others, of
/// which `scroll` pixels are above, below them.
struct RowView {
    int scroll = 0;
    int height = 0;        ///< of the screen
    int pinned = 0;        ///< of it for pinned rows, less than they need when they are many
    int pinnedScroll = 0;  ///< pixels of the pinned rows above the top
};

/// The rows of a trace: GPUs by number, then the other processes by their sort index; in each its
/// counters, then its tracks by sort index, a GPU's annotations first. Tracks without events have
/// no row. The user can change order and extent.
class TimelineRows {
public:
    TimelineRows() = default;
    /// Without `marks` instants have no room.
    TimelineRows(query::LaneIndex& index, const RowMetrics& metrics,
                 const query::TrackMarks* marks = nullptr, const session::RowChoices& choices = {});

    void apply(const session::RowChoices& choices);
    [[nodiscard]] const session::RowChoices& choices() const { return m_choices; }

    /// On screen, the pinned ones first.
    [[nodiscard]] const std::vector<TimelineRow>& rows() const { return m_rows; }
    [[nodiscard]] int height() const { return m_rows.empty() ? 0 : m_rows.back().bottom(); }
    [[nodiscard]] int pinnedHeight() const { return m_pinnedHeight; }
    [[nodiscard]] const RowMetrics& metrics() const { return m_metrics; }
    /// Index of the row at that height; nullopt above the first and below the last.
    [[nodiscard]] std::optional<std::size_t> rowAt(int y) const;
    /// nullopt when the track has no row now: folded, hidden or filtered out.
    [[nodiscard]] std::optional<std::size_t> rowOf(trace::TrackId track) const;
    /// Top of a lane, from the top of the first row.
    [[nodiscard]] int laneTop(const TimelineRow& row, std::uint32_t lane) const {
        return row.top + m_metrics.rowPadding + row.marksHeight +
               static_cast<int>(lane) * m_metrics.laneHeight;
    }

    /// nullopt when no track of the process is shown.
    [[nodiscard]] std::optional<std::size_t> headingOf(std::uint32_t process) const;
    /// The rows of its tracks, shown or not.
    [[nodiscard]] std::span<const TimelineRow> tracksOf(std::uint32_t process) const;

    /// What to add to a row's heights for those on screen.
    [[nodiscard]] int shift(const TimelineRow& row, const RowView& view) const {
        return row.pinned ? -view.pinnedScroll : view.pinned - m_pinnedHeight - view.scroll;
    }
    /// From the top of the first row, of a height of the screen.
    [[nodiscard]] int heightAt(int y, const RowView& view) const;
    /// The row at that height of the screen.
    [[nodiscard]] std::optional<std::size_t> rowOnScreen(int y, const RowView& view) const;
    /// All that are on screen at least in part, from the top.
    [[nodiscard]] std::vector<std::size_t> inView(const RowView& view) const;

    void setCollapsed(std::uint32_t process, bool collapsed);
    [[nodiscard]] bool isCollapsed(std::uint32_t process) const;

    /// The row of a track, on screen or not; null for a track without events.
    [[nodiscard]] const TimelineRow* find(trace::TrackId track) const;
    /// The row or heading of that key, on screen or not.
    [[nodiscard]] const TimelineRow* find(std::string_view key) const;
    /// Keys of all rows of a group, or with "" of all groups, in their present order.
    [[nodiscard]] std::vector<std::string> keysIn(std::string_view group) const;
    /// Names of what RowChoices::hidden hides in this trace.
    [[nodiscard]] std::vector<std::string> hiddenLabels() const;

private:
    struct Group {
        TimelineRow heading;
        std::vector<TimelineRow> tracks;
    };

    [[nodiscard]] Group makeGroup(query::LaneIndex& index, const query::RowNames& names,
                                  std::uint32_t process, std::vector<trace::TrackId> own,
                                  const query::TrackMarks* marks) const;
    [[nodiscard]] TimelineRow trackRow(query::LaneIndex& index, trace::TrackId track,
                                       const query::TrackMarks* marks) const;
    void sortAsChosen();
    void stack();

    RowMetrics m_metrics;
    session::RowChoices m_choices;
    std::vector<Group> m_usual;   ///< in the order of the file
    std::vector<Group> m_groups;  ///< in the order chosen
    std::vector<TimelineRow> m_rows;
    int m_pinnedHeight = 0;
};

}  // namespace kinetoscope::timeline
