// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/trace/Trace.h"
#include "widgets/timeline/TimeCoordinates.h"

namespace kinetoscope::session {
class ViewState;
}  // namespace kinetoscope::session

namespace kinetoscope::timeline {

/// Selecting time with the mouse: a press takes an edge of the selected time or starts a new one,
/// and moving changes the selection immediately. `state` outlives it.
class RangeDrag {
public:
    explicit RangeDrag(session::ViewState& state) : m_state(state) {}

    /// Whether a press at x takes an edge.
    [[nodiscard]] bool isOnEdge(const TimeCoordinates& at, double x) const;
    /// `edges`: whether one may be taken.
    void begin(const TimeCoordinates& at, double x, bool edges = true);
    /// An edge that was taken keeps the rows; a new selection has these.
    void moveTo(const TimeCoordinates& at, double x, std::vector<trace::TrackId> tracks);
    /// The same for all rows.
    void moveTo(const TimeCoordinates& at, double x) { moveTo(at, x, {}); }

private:
    session::ViewState& m_state;
    bool m_movesEdge = false;
    TimeNs m_anchor = 0;  ///< the end that stays
    std::vector<trace::TrackId> m_tracks;
};

}  // namespace kinetoscope::timeline
