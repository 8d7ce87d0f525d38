// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/OperatorRunner.h"

namespace kinetoscope::session {

OperatorRunner::OperatorRunner(ViewState& view, QObject* parent)
    : QObject(parent),
      m_view(view),
      m_task([this](Result<analysis::OperatorTable> table) { deliver(std::move(table)); }) {
    connect(&view, &ViewState::traceChanged, this, [this] {
        forget();
        restart();
    });
    connect(&view, &ViewState::windowChanged, this, &OperatorRunner::restart);
    connect(&view, &ViewState::traceGrown, &m_pace, &GrowthPace::grow);
    connect(&m_pace, &GrowthPace::due, this, &OperatorRunner::restart);
}

void OperatorRunner::setWanted(bool wanted) {
    if (wanted == m_wanted) {
        return;
    }
    m_wanted = wanted;
    if (m_stale) {
        restart();
    }
}

void OperatorRunner::setByShape(bool byShape) {
    if (byShape != m_byShape) {
        m_byShape = byShape;
        restart();
    }
}

void OperatorRunner::forget() {
    m_trace.reset();
    m_table.reset();
    m_error.clear();
    emit tableChanged();
}

void OperatorRunner::restart() {
    const auto trace = m_view.trace();
    m_stale = true;
    // Sums over a part of a file would be wrong, and would slow down the reading of the rest.
    if (!m_wanted || !trace || !trace->isComplete()) {
        m_pace.rest();
        m_task.cancel();
        emit busyChanged();
        return;
    }
    m_pace.begin();
    m_asked = trace;
    analysis::OperatorOptions options{.byShape = m_byShape, .window = m_view.window()};
    m_task.start([trace, options](const std::stop_token& stop) mutable {
        options.stop = stop;
        return analysis::makeOperatorTable(*trace, options);
    });
    emit busyChanged();
}

void OperatorRunner::deliver(Result<analysis::OperatorTable> table) {
    m_pace.end();
    m_stale = false;
    m_trace = std::move(m_asked);
    m_table.reset();
    m_error.clear();
    if (table) {
        m_table = std::make_shared<const analysis::OperatorTable>(std::move(*table));
    } else {
        m_error = QString::fromStdString(table.error().message);
    }
    emit tableChanged();
    emit busyChanged();
}

}  // namespace kinetoscope::session
