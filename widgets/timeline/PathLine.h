// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <QRect>
#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

#include "core/trace/Trace.h"
#include "widgets/timeline/TimeCoordinates.h"

namespace kinetoscope::session {
class PathFinder;
class ViewState;
}  // namespace kinetoscope::session

namespace kinetoscope::timeline {

/// Where a timeline draws what, in its logical pixels.
struct DrawnPlaces {
    std::function<TimeCoordinates()> coordinates;
    std::function<QRect()> timeArea;
    /// The middle of a slice, of kNoSlice that of the track's first lane; nothing without a row.
    std::function<std::optional<double>(trace::SliceId, trace::TrackId)> height;
};

/// The critical path over a timeline as one line through its rows. Lies on it without taking any
/// of its events.
class PathLine final : public QWidget {
    Q_OBJECT

public:
    /// The timeline owns it.
    PathLine(QWidget& timeline, session::ViewState& state, DrawnPlaces places);

    /// The visible parts, in the timeline's logical pixels, without rows that are off screen.
    [[nodiscard]] std::vector<QPolygonF> lines() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget& m_timeline;
    DrawnPlaces m_places;
    session::ViewState& m_state;
    session::PathFinder& m_paths;
};

}  // namespace kinetoscope::timeline
