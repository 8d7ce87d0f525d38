// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/Session.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>

namespace kinetoscope::session {

Session::Session(ViewState& view, QObject* parent)
    : QObject(parent),
      m_view(view),
      m_reports(view),
      m_compat(m_reports, [this] { return current() == nullptr ? QString() : current()->path; }),
      m_compare(m_runs),
      m_find(view),
      m_durations(view, m_find),
      m_notes([this] { return current() == nullptr ? QString() : current()->path; }) {
    connect(this, &Session::currentChanged, &m_notes, &TraceNotes::follow);
    connect(this, &Session::runsChanged, &m_notes, &TraceNotes::follow);
    connect(this, &Session::runsChanged, &m_compare, &CompareState::refreshItems);
    connect(&m_compare, &CompareState::usedViewChanged, this, [this] {
        if (m_comparing) {
            emit viewInUseChanged();
        }
    });
}

void Session::setComparing(bool comparing) {
    if (comparing != m_comparing) {
        m_comparing = comparing;
        emit viewInUseChanged();
    }
}

const Run* Session::current() const {
    return m_current < 0 ? nullptr : &m_runs[static_cast<std::size_t>(m_current)];
}

int Session::indexOf(const QString& path) const {
    const auto found =
        std::find_if(m_runs.begin(), m_runs.end(), [&](const Run& r) { return r.path == path; });
    return found == m_runs.end() ? -1 : static_cast<int>(found - m_runs.begin());
}

void Session::add(const QString& path, std::shared_ptr<const trace::Trace> trace,
                  std::shared_ptr<TraceLayout> layout) {
    keepView();
    layout = layout ? std::move(layout) : layOutTrace(trace);
    int index = indexOf(path);
    if (index < 0) {
        index = static_cast<int>(m_runs.size());
        m_runs.push_back({path, QString(), std::move(trace), std::move(layout), std::nullopt});
    } else {
        replace(index, std::move(trace), std::move(layout));
    }
    retitle();
    m_current = index;
    emit runsChanged();
    show(index);
}

// Keeps the run's view as far as it still means the same.
void Session::replace(int index, std::shared_ptr<const trace::Trace> trace,
                      std::shared_ptr<TraceLayout> layout) {
    Run& run = m_runs[static_cast<std::size_t>(index)];
    run.layout = std::move(layout);
    const bool wasComplete = std::exchange(run.trace, std::move(trace))->isComplete();
    if (!run.view) {
        return;
    }
    if (wasComplete) {
        run.view->selection = {};  // rows of the file as it was
        run.view->highlight.reset();
        run.view->tracks.clear();
    } else if (index == m_current && m_view.visible() == m_view.fitSpan()) {
        run.view.reset();
    }
}

void Session::grow(const QString& path, std::shared_ptr<const trace::Trace> trace,
                   std::shared_ptr<TraceLayout> layout) {
    const int index = indexOf(path);
    if (index < 0) {
        return add(path, std::move(trace), std::move(layout));
    }
    Run& run = m_runs[static_cast<std::size_t>(index)];
    const auto before = std::exchange(run.trace, std::move(trace));
    run.layout = layout ? std::move(layout) : layOutTrace(run.trace);
    if (run.view && before->counts().drops != run.trace->counts().drops) {
        run.view->selection = {};
    }
    if (index == m_current) {
        m_view.growTrace(run.trace, run.layout);
    }
}

void Session::setPath(int index, const QString& path) {
    const QString before = std::exchange(m_runs[static_cast<std::size_t>(index)].path, path);
    retitle();
    emit moved(before, path);
    emit runsChanged();
}

void Session::close(int index) {
    if (index < 0 || index >= static_cast<int>(m_runs.size())) {
        return;
    }
    keepView();
    const bool wasShown = index == m_current;
    m_runs.erase(m_runs.begin() + index);
    retitle();
    if (m_current > index || m_current == static_cast<int>(m_runs.size())) {
        --m_current;
    }
    emit runsChanged();
    if (wasShown) {
        show(m_current);
    }
}

void Session::setCurrent(int index) {
    if (index == m_current || index < 0 || index >= static_cast<int>(m_runs.size())) {
        return;
    }
    keepView();
    show(index);
}

void Session::show(int index) {
    m_current = index;
    const Run* run = current();
    m_view.setTrace(run == nullptr ? nullptr : run->trace, run == nullptr ? nullptr : run->layout);
    if (run != nullptr && run->view) {
        m_view.restore(*run->view);
    }
    emit currentChanged();
}

void Session::keepView() {
    if (m_current >= 0) {
        m_runs[static_cast<std::size_t>(m_current)].view = m_view.snapshot();
    }
}

void Session::retitle() {
    for (Run& run : m_runs) {
        const QFileInfo file(run.path);
        const auto namesakes = std::count_if(m_runs.begin(), m_runs.end(), [&](const Run& other) {
            return QFileInfo(other.path).fileName() == file.fileName();
        });
        run.title = namesakes < 2 ? file.fileName()
                                  : file.dir().dirName() + QLatin1Char('/') + file.fileName();
    }
}

}  // namespace kinetoscope::session
