// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/rows/TimelineRows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/query/RowNames.h"
#include "core/query/find/NameFilter.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::timeline {

namespace {

/// Tracks on which something is drawn, by process.
std::vector<std::vector<trace::TrackId>> drawnTracks(const query::LaneIndex& index) {
    const trace::Trace& trace = index.trace();
    std::vector<bool> marked(index.trackCount());
    for (const trace::Instant& instant : trace.instants()) {
        marked[instant.track] = true;
    }
    for (const trace::CounterSample& sample : trace.counters()) {
        marked[sample.track] = true;
    }
    std::vector<std::vector<trace::TrackId>> byProcess(trace.processes().size());
    for (trace::TrackId track = 0; track < index.trackCount(); ++track) {
        if (marked[track] || index.sliceCount(track) > 0) {
            byProcess[index.processOf(track)].push_back(track);
        }
    }
    return byProcess;
}

// A process and a thread are what the file calls them: names may come late in a growing one.
std::string keyOf(const trace::Trace& trace, const trace::Process& process) {
    return fmt::format("{}\x1f{}", process.source, trace.rowIdText(process.pid));
}

std::string keyOf(const query::LaneIndex& index, trace::TrackId track, const std::string& group) {
    const trace::Trace& trace = index.trace();
    if (track >= trace.tracks().size()) {
        return group +
               "\x1f"
               "annotations";
    }
    const trace::Track& from = trace.tracks()[track];
    return fmt::format("{}\x1f{}\x1f{}", group, static_cast<int>(from.kind),
                       trace.rowIdText(from.tid));
}

/// GPUs, then the one that is unknown, then processes, then what the profiler adds under texts and
/// negative numbers.
int rankOf(const trace::Process& process, bool gpu) {
    const bool negative = !process.pid.isText && process.pid.value < 0;
    if (gpu) {
        return negative ? 1 : 0;
    }
    return process.pid.isText || negative ? 3 : 2;
}

/// Labels are copied with their rows whenever a group is folded.
std::string cutLabel(std::string label) {
    return label.size() <= static_cast<std::size_t>(style::kMaxLetters)
               ? std::move(label)
               : style::shownText(std::string_view(label)).toStdString();
}

}  // namespace

TimelineRows::TimelineRows(query::LaneIndex& index, const RowMetrics& metrics,
                           const query::TrackMarks* marks, const session::RowChoices& choices)
    : m_metrics(metrics), m_choices(choices) {
    const auto processes = index.trace().processes();
    const query::RowNames names(index);
    auto byProcess = drawnTracks(index);
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
        m_usual.push_back(makeGroup(index, names, process, std::move(byProcess[process]), marks));
    }
    sortAsChosen();
}

TimelineRows::Group TimelineRows::makeGroup(query::LaneIndex& index, const query::RowNames& names,
                                            std::uint32_t process, std::vector<trace::TrackId> own,
                                            const query::TrackMarks* marks) const {
    const trace::Trace& trace = index.trace();
    const auto tracks = trace.tracks();
    // A thread's memory stands above it; a GPU's sensors must not push its work out of sight.
    const bool countersLast = names.isGpu(process);
    std::ranges::stable_sort(own, {}, [&](trace::TrackId track) {
        constexpr auto kFirst = std::numeric_limits<std::int64_t>::min();
        return track >= tracks.size()
                   ? std::tuple(!countersLast, trace::TrackKind::Thread, kFirst, kFirst)
                   : std::tuple((tracks[track].kind == trace::TrackKind::Counter) == countersLast,
                                tracks[track].kind, tracks[track].sortIndex,
                                tracks[track].tid.value);
    });
    Group group;
    group.heading.kind = RowKind::Group;
    group.heading.process = process;
    group.heading.height = m_metrics.groupHeight;
    group.heading.label = cutLabel(names.heading(process));
    group.heading.key = keyOf(trace, trace.processes()[process]);
    for (const trace::TrackId track : own) {
        TimelineRow row = trackRow(index, track, marks);
        row.label = track >= tracks.size() ? "annotations" : cutLabel(names.track(track));
        row.key = keyOf(index, track, group.heading.key);
        row.group = group.heading.key;
        group.tracks.push_back(std::move(row));
    }
    return group;
}

TimelineRow TimelineRows::trackRow(query::LaneIndex& index, trace::TrackId track,
                                   const query::TrackMarks* marks) const {
    const auto tracks = index.trace().tracks();
    TimelineRow row;
    row.process = index.processOf(track);
    row.track = track;
    if (track < tracks.size() && tracks[track].kind == trace::TrackKind::Counter) {
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

void TimelineRows::apply(const session::RowChoices& choices) {
    const bool moved = choices.order != m_choices.order;
    m_choices = choices;
    if (moved) {
        sortAsChosen();
    } else {
        stack();
    }
}

void TimelineRows::sortAsChosen() {
    m_groups = m_usual;
    const auto sort = [this](auto& items, std::string_view group, auto keyOfItem) {
        const auto wanted = m_choices.order.find(group);
        if (wanted == m_choices.order.end()) {
            return;
        }
        std::vector<std::string> usual;
        usual.reserve(items.size());
        for (const auto& item : items) {
            usual.push_back(keyOfItem(item));
        }
        std::unordered_map<std::string, std::size_t> place;
        for (const std::string& key : session::inOrder(usual, wanted->second)) {
            place.emplace(key, place.size());
        }
        std::ranges::stable_sort(
            items, {}, [&](const auto& item) { return place.find(keyOfItem(item))->second; });
    };
    sort(m_groups, "", [](const Group& group) { return group.heading.key; });
    for (Group& group : m_groups) {
        sort(group.tracks, group.heading.key, [](const TimelineRow& row) { return row.key; });
    }
    stack();
}

void TimelineRows::stack() {
    m_rows.clear();
    int top = 0;
    const auto add = [&](TimelineRow row) {
        row.top = top;
        top += row.height;
        m_rows.push_back(std::move(row));
    };
    for (const std::string& key : m_choices.pinned) {
        if (const TimelineRow* row = find(key); row != nullptr && row->kind != RowKind::Group) {
            add(*row);
            m_rows.back().pinned = true;
        }
    }
    m_pinnedHeight = top;
    // An incomplete expression hides nothing.
    const query::NameFilter filter =
        query::NameFilter::make(m_choices.filter).value_or(query::NameFilter());
    const std::set<std::string_view> pinned(m_choices.pinned.begin(), m_choices.pinned.end());
    for (const Group& group : m_groups) {
        if (m_choices.hidden.contains(group.heading.key)) {
            continue;
        }
        TimelineRow heading = group.heading;
        // A searched name should be visible.
        heading.collapsed = filter.isEmpty() && m_choices.folded.contains(heading.key);
        const bool whole = filter.matches(heading.label);
        const bool open = !heading.collapsed;
        bool headed = false;
        for (const TimelineRow& track : group.tracks) {
            if (pinned.contains(track.key) || m_choices.hidden.contains(track.key) ||
                (!whole && !filter.matches(track.label))) {
                continue;
            }
            if (!headed) {
                add(heading);
                headed = true;
            }
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

std::optional<std::size_t> TimelineRows::rowOnScreen(int y, const RowView& view) const {
    if (y < 0 || y >= view.height) {
        return std::nullopt;
    }
    return rowAt(heightAt(y, view));
}

int TimelineRows::heightAt(int y, const RowView& view) const {
    return y < view.pinned ? y + view.pinnedScroll : y - view.pinned + m_pinnedHeight + view.scroll;
}

std::vector<std::size_t> TimelineRows::inView(const RowView& view) const {
    std::vector<std::size_t> found;
    const auto add = [&](int from, int to) {
        for (std::size_t row = rowAt(from).value_or(m_rows.size());
             row < m_rows.size() && m_rows[row].top < to; ++row) {
            found.push_back(row);
        }
    };
    if (view.pinned > 0) {
        add(std::max(0, view.pinnedScroll),
            std::min(m_pinnedHeight, view.pinnedScroll + view.pinned));
    }
    const int top = std::max(0, view.scroll);
    add(m_pinnedHeight + top, m_pinnedHeight + view.scroll + view.height - view.pinned);
    return found;
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
    for (const Group& group : m_groups) {
        if (group.heading.process == process) {
            m_choices.fold(group.heading.key, collapsed);
        }
    }
    stack();
}

bool TimelineRows::isCollapsed(std::uint32_t process) const {
    return std::ranges::any_of(m_groups, [&](const Group& group) {
        return group.heading.process == process && m_choices.folded.contains(group.heading.key);
    });
}

const TimelineRow* TimelineRows::find(trace::TrackId track) const {
    for (const Group& group : m_groups) {
        const auto found = std::ranges::find(group.tracks, track, &TimelineRow::track);
        if (found != group.tracks.end()) {
            return &*found;
        }
    }
    return nullptr;
}

const TimelineRow* TimelineRows::find(std::string_view key) const {
    for (const Group& group : m_groups) {
        if (group.heading.key == key) {
            return &group.heading;
        }
        // Keys of rows begin with that of their group.
        const auto found = key.starts_with(group.heading.key)
                               ? std::ranges::find(group.tracks, key, &TimelineRow::key)
                               : group.tracks.end();
        if (found != group.tracks.end()) {
            return &*found;
        }
    }
    return nullptr;
}

std::vector<std::string> TimelineRows::keysIn(std::string_view group) const {
    std::vector<std::string> keys;
    for (const Group& one : m_groups) {
        if (group.empty()) {
            keys.push_back(one.heading.key);
        } else if (one.heading.key == group) {
            std::ranges::transform(one.tracks, std::back_inserter(keys), &TimelineRow::key);
        }
    }
    return keys;
}

std::vector<std::string> TimelineRows::hiddenLabels() const {
    std::vector<std::string> labels;
    for (const std::string& key : m_choices.hidden) {
        if (const TimelineRow* row = find(key)) {
            labels.push_back(row->label);
        }
    }
    return labels;
}

}  // namespace kinetoscope::timeline
