// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/AreaRows.h"

#include <algorithm>

namespace kinetoscope::timeline {

namespace {

std::vector<trace::TrackId> tracksOf(const TimelineRows& rows, const trace::Trace& trace,
                                     const std::set<std::uint32_t>& processes) {
    std::vector<trace::TrackId> tracks;
    for (const std::uint32_t process : processes) {
        for (const TimelineRow& row : rows.tracksOf(process)) {
            if (row.track < trace.tracks().size()) {
                tracks.push_back(row.track);
            }
        }
    }
    return tracks;
}

std::set<std::uint32_t> allProcesses(const trace::Trace& trace) {
    std::set<std::uint32_t> all;
    for (std::uint32_t process = 0; process < trace.processes().size(); ++process) {
        all.insert(process);
    }
    return all;
}

}  // namespace

std::vector<trace::TrackId> tracksBetween(const TimelineRows& rows, const trace::Trace& trace,
                                          int from, int to) {
    const auto [top, bottom] = std::minmax(from, to);
    std::set<trace::TrackId> found;
    std::set<std::uint32_t> folded;
    std::set<std::uint32_t> headings;
    for (const TimelineRow& row : rows.rows()) {
        if (row.bottom() <= top || row.top > bottom) {
            continue;
        }
        // A GPU's annotations are of several streams: their row is as a heading of these.
        if (row.kind != RowKind::Group && row.track < trace.tracks().size()) {
            found.insert(row.track);
        } else {
            (row.collapsed ? folded : headings).insert(row.process);
        }
    }
    const bool onlyHeadings = found.empty() && folded.empty();
    for (const trace::TrackId track : tracksOf(rows, trace, onlyHeadings ? headings : folded)) {
        found.insert(track);
    }
    const std::size_t all = tracksOf(rows, trace, allProcesses(trace)).size();
    return found.size() == all ? std::vector<trace::TrackId>()
                               : std::vector<trace::TrackId>(found.begin(), found.end());
}

std::vector<RowBand> bandsOf(const TimelineRows& rows, const trace::Trace& trace,
                             const std::vector<trace::TrackId>& tracks) {
    std::set<std::uint32_t> folded;
    for (const trace::TrackId track : tracks) {
        if (track < trace.tracks().size() && rows.isCollapsed(trace.tracks()[track].process)) {
            folded.insert(trace.tracks()[track].process);
        }
    }
    std::vector<RowBand> bands;
    for (const TimelineRow& row : rows.rows()) {
        const bool chosen = row.kind == RowKind::Group
                                ? folded.contains(row.process)
                                : std::ranges::binary_search(tracks, row.track);
        if (!chosen) {
            continue;
        }
        if (!bands.empty() && bands.back().bottom == row.top && row.top != rows.pinnedHeight()) {
            bands.back().bottom = row.bottom();
        } else {
            bands.push_back({row.top, row.bottom()});
        }
    }
    return bands;
}

}  // namespace kinetoscope::timeline
