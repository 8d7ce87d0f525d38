// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/ReportRunner.h"

#include <algorithm>

namespace kinetoscope {

namespace {

constexpr int kLeastPauseMs = 200;
constexpr int kPauseForWork = 2;  // pause so many times as long as the last report took

}  // namespace

ReportRunner::ReportRunner(ViewState& view, Make make, QObject* parent)
    : QObject(parent),
      m_view(view),
      m_make(std::move(make)),
      m_task([this](Outcome outcome) { deliver(std::move(outcome)); }) {
    connect(&view, &ViewState::traceChanged, this, [this] {
        forget();
        restart();
    });
    connect(&view, &ViewState::traceGrown, this, &ReportRunner::follow);
    connect(&view, &ViewState::windowChanged, this, &ReportRunner::restart);
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &ReportRunner::restart);
    restart();
}

void ReportRunner::setGroup(GroupBy group) {
    if (group == m_group) {
        return;
    }
    m_group = group;
    restart();
}

void ReportRunner::forget() {
    m_trace.reset();
    m_report.reset();
    m_error.clear();
    emit reportChanged();
}

// A report in the making is finished first: of a trace that grows all the time there would never be
// one.
void ReportRunner::follow() {
    m_behind = true;
    if (!busy() && !m_pause.isActive()) {
        restart();
    }
}

void ReportRunner::restart() {
    const auto trace = m_view.trace();
    m_behind = false;
    m_pause.stop();
    m_clock.start();
    // Figures of a part of a file would be wrong, and would slow down the reading of the rest.
    if (!trace || !trace->isComplete()) {
        m_task.cancel();
        emit busyChanged();
        return;
    }
    ReportOptions options{.window = m_view.window(), .group = m_group};
    m_task.start([make = m_make, trace, options](const std::stop_token& stop) mutable {
        options.stop = stop;
        return Outcome{trace, make(*trace, options)};
    });
    emit busyChanged();
}

void ReportRunner::deliver(Outcome outcome) {
    m_trace = outcome.trace;
    m_report.reset();
    m_error.clear();
    if (outcome.report) {
        m_report = std::make_shared<const Report>(std::move(*outcome.report));
    } else {
        m_error = QString::fromStdString(outcome.report.error().message);
    }
    emit reportChanged();
    if (m_behind) {
        m_pause.start(std::max(kLeastPauseMs, kPauseForWork * static_cast<int>(m_clock.elapsed())));
    }
    emit busyChanged();
}

}  // namespace kinetoscope
