// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/ReportRunner.h"

#include <algorithm>

namespace kinetoscope::session {

namespace {

constexpr int kMinPauseMs = 200;
constexpr int kPauseForWork = 2;  // pause so many times as long as the last report took

}  // namespace

ReportRunner::ReportRunner(ViewState& view, Make make, QObject* parent)
    : QObject(parent),
      m_view(view),
      m_make(std::move(make)),
      m_task([this](Result<report::Report> report) { deliver(std::move(report)); }) {
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

void ReportRunner::setGroup(analysis::GroupBy group) {
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
    m_asked = trace;
    report::ReportOptions options{.window = m_view.window(), .group = m_group};
    m_task.start([make = m_make, trace, options](const std::stop_token& stop) mutable {
        options.stop = stop;
        return make(*trace, options);
    });
    emit busyChanged();
}

void ReportRunner::deliver(Result<report::Report> report) {
    m_trace = std::move(m_asked);
    m_report.reset();
    m_error.clear();
    if (report) {
        m_report = std::make_shared<const report::Report>(std::move(*report));
    } else {
        m_error = QString::fromStdString(report.error().message);
    }
    emit reportChanged();
    if (!report && report.error().kind == ErrorKind::Output) {
        emit failed(tr("No figures of this trace: %1").arg(m_error));
    }
    if (m_behind) {
        m_pause.start(std::max(kMinPauseMs, kPauseForWork * static_cast<int>(m_clock.elapsed())));
    }
    emit busyChanged();
}

}  // namespace kinetoscope::session
