// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/TimelinePlayer.h"

#include <QKeyEvent>

#include "widgets/timeline/TimelineWidget.h"

namespace kinetoscope::plots {

namespace {

constexpr int kTickMs = 16;

}  // namespace

TimelinePlayer::TimelinePlayer(session::ViewState& state, TimelineView& view, QObject* parent)
    : QObject(parent), m_state(state), m_view(view) {
    connect(&m_ticks, &QTimer::timeout, this, &TimelinePlayer::showNext);
    connect(&state, &session::ViewState::traceChanged, this, &TimelinePlayer::stop);
    // Another selected time is another film.
    connect(&state, &session::ViewState::rangeChanged, this, [this] {
        if (isPlaying()) {
            play();
        }
    });
    view.timeline().installEventFilter(this);
}

void TimelinePlayer::play() {
    if (!m_state.trace()) {
        return;
    }
    const bool wasPlaying = isPlaying();
    m_played = m_state.selectedRange().value_or(m_state.visible());
    m_since.start();
    m_ticks.start(kTickMs);
    showNext();
    if (!wasPlaying) {
        emit playingChanged(true);
    }
}

void TimelinePlayer::stop() {
    if (!isPlaying()) {
        return;
    }
    m_ticks.stop();
    m_view.showCursor(std::nullopt);
    emit playingChanged(false);
}

void TimelinePlayer::showNext() {
    const double part =
        static_cast<double>(m_since.elapsed() % m_roundMs) / static_cast<double>(m_roundMs);
    const TimeNs time =
        m_played.start + static_cast<TimeNs>(static_cast<double>(m_played.duration()) * part);
    bringIntoView(time);
    m_view.showCursor(time);
    emit reached(time);
}

// As pages are turned, so that what is read stands still.
void TimelinePlayer::bringIntoView(TimeNs time) {
    const TimeSpan visible = m_state.visible();
    if (!visible.contains(time)) {
        m_state.setVisible({time, time + visible.duration()});
    }
}

bool TimelinePlayer::eventFilter(QObject* watched, QEvent* event) {
    if (isPlaying() && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        stop();
        return true;
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace kinetoscope::plots
