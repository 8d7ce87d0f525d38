// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <QWidget>
#include <vector>

namespace kinetoscope::session {
class PathFinder;
class ViewState;
}  // namespace kinetoscope::session

namespace kinetoscope::timeline {

class TimelineWidget;

/// The critical path over a timeline as one line through its rows. Lies on it without taking any
/// of its events.
class PathLine final : public QWidget {
    Q_OBJECT

public:
    /// Both outlive it; the timeline owns it.
    PathLine(TimelineWidget& timeline, session::ViewState& state);

    /// What is drawn now, in the timeline's logical pixels; parts where no row is on screen are
    /// left out.
    [[nodiscard]] std::vector<QPolygonF> lines() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    TimelineWidget& m_timeline;
    session::ViewState& m_state;
    session::PathFinder& m_paths;
};

}  // namespace kinetoscope::timeline
