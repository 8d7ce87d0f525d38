// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/RangeDrag.h"

#include <algorithm>
#include <cmath>

#include "widgets/session/ViewState.h"

namespace kinetoscope::timeline {

namespace {

constexpr double kEdgeReach = 4.0;  // logical pixels

TimeNs timeInside(const TimeCoordinates& at, double x) {
    return at.time(std::clamp(x, at.left(), at.left() + std::max(0.0, at.width())));
}

}  // namespace

bool RangeDrag::isOnEdge(const TimeCoordinates& at, double x) const {
    const auto range = m_state.selectedRange();
    const bool inside = x >= at.left() && x <= at.left() + at.width();
    return range && inside &&
           std::min(std::abs(at.x(range->start) - x), std::abs(at.x(range->end) - x)) <= kEdgeReach;
}

void RangeDrag::begin(const TimeCoordinates& at, double x, bool edges) {
    m_movesEdge = edges && isOnEdge(at, x);
    m_tracks.clear();
    if (m_movesEdge) {
        const TimeSpan range = *m_state.selectedRange();
        const bool takesEnd = std::abs(at.x(range.end) - x) <= std::abs(at.x(range.start) - x);
        m_anchor = takesEnd ? range.start : range.end;
        m_tracks = m_state.selectedTracks();
    } else {
        m_anchor = timeInside(at, x);
    }
}

void RangeDrag::moveTo(const TimeCoordinates& at, double x, std::vector<trace::TrackId> tracks) {
    const auto [from, to] = std::minmax({m_anchor, timeInside(at, x)});
    m_state.selectRange(from < to ? std::optional(TimeSpan{from, to}) : std::nullopt,
                        m_movesEdge ? m_tracks : std::move(tracks));
}

}  // namespace kinetoscope::timeline
