// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/ReportRunner.h"

namespace kinetoscope::session {

ReportRunner::ReportRunner(ViewState& view, Make make, QObject* parent)
    : QObject(parent),
      m_view(view),
      m_make(std::move(make)),
      m_task([this](Result<report::Report> report) { deliver(std::move(report)); }) {
    connect(&view, &ViewState::traceChanged, this, [this] {
        forget();
        restart();
    });
    connect(&view, &ViewState::traceGrown, &m_pace, &GrowthPace::grow);
    connect(&view, &ViewState::windowChanged, this, &ReportRunner::restart);
    connect(&m_pace, &GrowthPace::due, this, &ReportRunner::restart);
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

void ReportRunner::restart() {
    const auto trace = m_view.trace();
    // Figures of a part of a file would be wrong, and would slow down the reading of the rest.
    if (!trace || !trace->isComplete()) {
        m_pace.rest();
        m_task.cancel();
        emit busyChanged();
        return;
    }
    m_pace.begin();
    m_requested = trace;
    report::ReportOptions options{.window = m_view.window(), .group = m_group};
    m_task.start([make = m_make, trace, options](const std::stop_token& stop) mutable {
        options.stop = stop;
        return make(*trace, options);
    });
    emit busyChanged();
}

void ReportRunner::deliver(Result<report::Report> report) {
    m_pace.end();
    m_trace = std::move(m_requested);
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
    emit busyChanged();
}

}  // namespace kinetoscope::session
