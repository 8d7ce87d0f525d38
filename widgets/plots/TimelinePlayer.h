// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "core/base/Time.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/session/ViewState.h"

namespace kinetoscope::plots {

/// Plays a trace as a film: a line passes through the selected time, or the visible one without
/// any, again and again. The visible range follows the line.
class TimelinePlayer final : public QObject {
    Q_OBJECT

public:
    static constexpr int kRoundMs = 8'000;

    /// Both outlive it.
    TimelinePlayer(session::ViewState& state, TimelineView& view, QObject* parent = nullptr);

    void play();
    void stop();
    [[nodiscard]] bool isPlaying() const { return m_ticks.isActive(); }
    /// How long the line takes from the beginning to the end.
    void setRoundMs(int ms) { m_roundMs = ms; }

signals:
    void playingChanged(bool playing);
    void reached(TimeNs time);

protected:
    /// Escape in the timeline ends it.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showNext();
    void bringIntoView(TimeNs time);

    session::ViewState& m_state;
    TimelineView& m_view;
    QTimer m_ticks;
    QElapsedTimer m_since;
    TimeSpan m_played{0, 0};
    int m_roundMs = kRoundMs;
};

}  // namespace kinetoscope::plots
