// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/TimelineRows.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/query/RowNames.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::timeline {

namespace {

/// GPUs, then processes, then what the profiler adds under texts and negative numbers.
int rankOf(const trace::Process& process, bool gpu) {
    const bool real = !process.pid.isText && process.pid.value >= 0;
    return gpu ? 0 : real ? 1 : 2;
}

/// Labels are copied with their rows whenever a group is folded.
std::string cutLabel(std::string label) {
    return label.size() <= static_cast<std::size_t>(style::kMaxLetters)
               ? std::move(label)
               : style::shownText(std::string_view(label)).toStdString();
}

}  // namespace

TimelineRows::TimelineRows(query::LaneIndex& index, const RowMetrics& metrics,
                           const query::TrackMarks* marks)
    : m_metrics(metrics) {
    const trace::Trace& trace = index.trace();
    const auto processes = trace.processes();
    const auto tracks = trace.tracks();
    const query::RowNames names(index);
    std::vector<std::vector<trace::TrackId>> byProcess(processes.size());
    for (trace::TrackId track = 0; track < tracks.size(); ++track) {
        if (tracks[track].hasEvents) {
            byProcess[tracks[track].process].push_back(track);
        }
    }
    std::vector<std::uint32_t> order;
    for (std::uint32_t process = 0; process < processes.size(); ++process) {
        if (!byProcess[process].empty()) {
            order.push_back(process);
        }
    }
    std::ranges::stable_sort(order, {}, [&](std::uint32_t row) {
        const trace::Process& process = processes[row];
        return std::tuple(rankOf(process, names.isGpu(row)),
                          names.isGpu(row) ? process.pid.value : process.sortIndex, process.source);
    });
    for (const std::uint32_t process : order) {
        std::vector<trace::TrackId>& own = byProcess[process];
        std::ranges::stable_sort(own, {}, [&](trace::TrackId track) {
            return std::tuple(tracks[track].kind != trace::TrackKind::Counter, tracks[track].kind,
                              tracks[track].sortIndex, tracks[track].tid.value);
        });
        Group group;
        group.heading.kind = RowKind::Group;
        group.heading.process = process;
        group.heading.height = metrics.groupHeight;
        group.heading.label = cutLabel(names.heading(process));
        for (const trace::TrackId track : own) {
            group.tracks.push_back(trackRow(index, track, marks));
            group.tracks.back().label = cutLabel(names.track(track));
        }
        m_groups.push_back(std::move(group));
    }
    stack();
}

TimelineRow TimelineRows::trackRow(query::LaneIndex& index, trace::TrackId track,
                                   const query::TrackMarks* marks) const {
    const trace::Track& from = index.trace().tracks()[track];
    TimelineRow row;
    row.process = from.process;
    row.track = track;
    if (from.kind == trace::TrackKind::Counter) {
        row.kind = RowKind::Counter;
        row.height = m_metrics.counterHeight;
        return row;
    }
    // A track of instants alone still has room for them.
    row.lanes = std::max(1U, static_cast<std::uint32_t>(index.laneCount(track)));
    if (marks != nullptr && !marks->instants(track).empty()) {
        row.marksHeight = m_metrics.instantHeight;
    }
    row.height = row.marksHeight + static_cast<int>(row.lanes) * m_metrics.laneHeight +
                 2 * m_metrics.rowPadding;
    return row;
}

void TimelineRows::stack() {
    m_rows.clear();
    int top = 0;
    const auto add = [&](TimelineRow row) {
        row.top = top;
        top += row.height;
        m_rows.push_back(std::move(row));
    };
    for (const Group& group : m_groups) {
        TimelineRow heading = group.heading;
        heading.collapsed = isCollapsed(heading.process);
        const bool open = !heading.collapsed;
        add(std::move(heading));
        for (const TimelineRow& track : group.tracks) {
            if (open) {
                add(track);
            }
        }
    }
}

std::optional<std::size_t> TimelineRows::rowAt(int y) const {
    const auto after = std::ranges::upper_bound(m_rows, y, {}, &TimelineRow::top);
    if (after == m_rows.begin() || y >= height()) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(after - m_rows.begin()) - 1;
}

std::optional<std::size_t> TimelineRows::rowOf(trace::TrackId track) const {
    const auto found = std::ranges::find_if(m_rows, [track](const TimelineRow& row) {
        return row.kind != RowKind::Group && row.track == track;
    });
    return found == m_rows.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - m_rows.begin()));
}

std::optional<std::size_t> TimelineRows::headingOf(std::uint32_t process) const {
    const auto found = std::ranges::find_if(m_rows, [process](const TimelineRow& row) {
        return row.kind == RowKind::Group && row.process == process;
    });
    return found == m_rows.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - m_rows.begin()));
}

std::span<const TimelineRow> TimelineRows::tracksOf(std::uint32_t process) const {
    const auto found = std::ranges::find_if(
        m_groups, [process](const Group& group) { return group.heading.process == process; });
    return found == m_groups.end() ? std::span<const TimelineRow>() : found->tracks;
}

void TimelineRows::setCollapsed(std::uint32_t process, bool collapsed) {
    if (collapsed) {
        m_collapsed.insert(process);
    } else {
        m_collapsed.erase(process);
    }
    stack();
}

}  // namespace kinetoscope::timeline
