// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/WindowRunner.h"

namespace kinetoscope::session {

WindowRunnerBase::WindowRunnerBase(ViewState& view, QObject* parent)
    : QObject(parent), m_view(view) {
    connect(&view, &ViewState::traceChanged, this, [this] {
        forget();
        restart();
    });
    connect(&view, &ViewState::windowChanged, this, &WindowRunnerBase::restart);
    connect(&view, &ViewState::traceGrown, &m_pace, &GrowthPace::grow);
    connect(&m_pace, &GrowthPace::due, this, &WindowRunnerBase::restart);
}

void WindowRunnerBase::setWanted(bool wanted) {
    if (wanted == m_wanted) {
        return;
    }
    m_wanted = wanted;
    if (m_stale) {
        restart();
    }
}

void WindowRunnerBase::forget() {
    m_trace.reset();
    m_error.clear();
    forgetResult();
    emit changed();
}

void WindowRunnerBase::restart() {
    const auto trace = m_view.trace();
    m_stale = true;
    // Figures of a part of a file would be wrong, and would slow down the reading of the rest.
    if (!m_wanted || !trace || !trace->isComplete()) {
        m_pace.rest();
        cancel();
        emit busyChanged();
        return;
    }
    m_pace.begin();
    m_requested = trace;
    start(trace, m_view.window());
    emit busyChanged();
}

void WindowRunnerBase::finish(const QString& error) {
    m_pace.end();
    m_stale = false;
    m_trace = std::move(m_requested);
    m_error = error;
    emit changed();
    emit busyChanged();
}

}  // namespace kinetoscope::session
