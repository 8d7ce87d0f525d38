// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "core/query/LaneLayout.h"

namespace kinetoscope::session {

/// Slices that stand out in the timeline, by the lanes they are drawn on: what a search found, for
/// example. Does not change, so any thread may read it.
class SliceMarks {
public:
    /// `slices` by start. Every track of `lanes` is laid out already, so that any thread may look.
    /// Looks at each slice of the tracks concerned; unfinished when asked to stop.
    SliceMarks(query::LaneIndex& lanes, std::shared_ptr<const std::vector<trace::SliceId>> slices,
               const std::stop_token& stop = {});

    /// All of them, by start.
    [[nodiscard]] const std::vector<trace::SliceId>& byStart() const { return *m_byStart; }
    /// Those of one lane, by start.
    [[nodiscard]] std::span<const trace::SliceId> on(trace::TrackId track,
                                                     std::uint32_t lane) const;
    /// Whether the track has any.
    [[nodiscard]] bool isOn(trace::TrackId track) const {
        return track < m_tracks.size() && !m_tracks[track].empty();
    }
    [[nodiscard]] bool has(trace::SliceId slice) const {
        return slice < m_has.size() && m_has[slice];
    }

private:
    std::shared_ptr<const std::vector<trace::SliceId>> m_byStart;
    std::vector<bool> m_has;  ///< by slice
    /// By track: where the slices of each lane begin in m_slices, and where the last lane's end.
    std::vector<std::vector<std::uint32_t>> m_tracks;
    std::vector<trace::SliceId> m_slices;
};

}  // namespace kinetoscope::session
