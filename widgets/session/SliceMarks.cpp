// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/SliceMarks.h"

namespace kinetoscope::session {

SliceMarks::SliceMarks(query::LaneIndex& lanes,
                       std::shared_ptr<const std::vector<trace::SliceId>> slices,
                       const std::stop_token& stop)
    : m_byStart(std::move(slices)),
      m_has(lanes.trace().sliceCount()),
      m_tracks(lanes.trackCount()) {
    std::vector<bool> wanted(m_tracks.size());
    for (const trace::SliceId slice : *m_byStart) {
        m_has[slice] = true;
        wanted[lanes.trackOf(slice)] = true;
    }
    m_slices.reserve(m_byStart->size());
    for (trace::TrackId track = 0; track < m_tracks.size() && !stop.stop_requested(); ++track) {
        if (!wanted[track]) {
            continue;
        }
        std::vector<std::uint32_t>& begins = m_tracks[track];
        for (std::size_t lane = 0; lane < lanes.laneCount(track); ++lane) {
            begins.push_back(static_cast<std::uint32_t>(m_slices.size()));
            for (const trace::SliceId slice : lanes.lane(track, lane).slices) {
                if (m_has[slice]) {
                    m_slices.push_back(slice);
                }
            }
        }
        begins.push_back(static_cast<std::uint32_t>(m_slices.size()));
    }
}

std::span<const trace::SliceId> SliceMarks::on(trace::TrackId track, std::uint32_t lane) const {
    if (!isOn(track) || lane + 1 >= m_tracks[track].size()) {
        return {};
    }
    const std::uint32_t begin = m_tracks[track][lane];
    return std::span(m_slices).subspan(begin, m_tracks[track][lane + 1] - begin);
}

}  // namespace kinetoscope::session
