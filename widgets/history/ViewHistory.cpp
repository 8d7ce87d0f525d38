// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/history/ViewHistory.h"

#include <QElapsedTimer>
#include <algorithm>
#include <utility>

namespace kinetoscope::history {

using session::Run;
using session::Session;
using session::ViewState;

namespace {

ViewHistory::Clock steadyClock() {
    QElapsedTimer timer;
    timer.start();
    return [timer] { return timer.elapsed(); };
}

}  // namespace

ViewHistory::ViewHistory(session::Session& session, Clock clock, QObject* parent)
    : QObject(parent), m_session(session), m_clock(clock ? std::move(clock) : steadyClock()) {
    const ViewState& view = session.view();
    const auto noteAs = [this](auto sender, auto signal, Kind kind) {
        connect(sender, signal, this, [this, kind] { note(kind); });
    };
    noteAs(&view, &ViewState::visibleChanged, Kind::Visible);
    noteAs(&view, &ViewState::selectionChanged, Kind::Other);
    noteAs(&view, &ViewState::windowChanged, Kind::Range);
    noteAs(&view, &ViewState::rangeChanged, Kind::Range);
    noteAs(&session, &Session::currentChanged, Kind::Other);
    connect(&view, &ViewState::traceGrown, this, &ViewHistory::grow);
    connect(&view, &ViewState::traceShortened, this, &ViewHistory::dropSelections);
    connect(&session, &Session::moved, this, &ViewHistory::rename);
    connect(&session, &Session::runsChanged, this, &ViewHistory::dropClosed);
}

ViewHistory::Entry ViewHistory::present() const {
    const Run& run = *m_session.current();
    return {run.path, m_session.view().snapshot(), run.trace, run.trace->isComplete()};
}

void ViewHistory::note(Kind kind) {
    if (m_going) {
        return;
    }
    if (!m_turnKind) {
        QMetaObject::invokeMethod(this, &ViewHistory::commit, Qt::QueuedConnection);
    }
    // A jump changes several things, and is not a part of the panning before or after it.
    m_turnKind = m_turnKind.value_or(kind) == kind ? kind : Kind::Other;
    m_turnTime = m_clock();
}

// Whether where one is now takes the place of where one was.
bool ViewHistory::replaces(const Entry& entry) const {
    if (m_entries.empty() || m_entries[m_at].path != entry.path) {
        return false;
    }
    const Entry& last = m_entries[m_at];
    const bool isRead = last.trace.lock() != entry.trace.lock();  // again, or further
    const bool isSteady =
        m_turnKind != Kind::Other && m_turnKind == m_lastKind && m_turnTime - m_lastTime < kPauseMs;
    const bool follows = m_turnGrown && m_turnKind == Kind::Visible;
    return last.view == entry.view || isRead || isSteady || follows;
}

void ViewHistory::commit() {
    if (!m_turnKind) {
        return;
    }
    if (m_session.current() != nullptr) {
        Entry entry = present();
        if (replaces(entry)) {
            m_entries[m_at] = std::move(entry);
        } else {
            m_entries.resize(m_entries.empty() ? 0 : m_at + 1);
            m_entries.push_back(std::move(entry));
            if (m_entries.size() > kMaxEntries) {
                m_entries.erase(m_entries.begin());
            }
            m_at = m_entries.size() - 1;
        }
    }
    m_lastKind = *m_turnKind;
    m_lastTime = m_turnTime;
    m_turnKind.reset();
    m_turnGrown = false;
    emit changed();
}

// The rows of a growing trace keep their numbers.
void ViewHistory::grow() {
    const Run* run = m_session.current();
    for (Entry& entry : m_entries) {
        if (run != nullptr && entry.path == run->path) {
            entry.trace = run->trace;
            entry.complete = run->trace->isComplete();
        }
    }
    m_turnGrown = true;
    note(m_turnKind.value_or(Kind::Visible));
}

// The slices of the trace have other ids now.
void ViewHistory::dropSelections() {
    for (Entry& entry : m_entries) {
        if (entry.path == m_session.current()->path) {
            entry.view.selection = {};
        }
    }
}

void ViewHistory::rename(const QString& from, const QString& to) {
    for (Entry& entry : m_entries) {
        entry.path = entry.path == from ? to : entry.path;
    }
}

void ViewHistory::dropClosed() {
    std::vector<Entry> open;
    std::size_t at = 0;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (m_session.indexOf(m_entries[i].path) >= 0) {
            open.push_back(std::move(m_entries[i]));
            at = i <= m_at ? open.size() - 1 : at;
        }
    }
    m_entries = std::move(open);
    m_at = at;
    dropRepeated();
    emit changed();
}

// What lay between two equal ones is gone.
void ViewHistory::dropRepeated() {
    for (std::size_t i = 1; i < m_entries.size();) {
        const Entry& before = m_entries[i - 1];
        if (m_entries[i].path == before.path && m_entries[i].view == before.view) {
            m_entries.erase(m_entries.begin() + static_cast<std::ptrdiff_t>(i));
            m_at -= m_at >= i ? 1 : 0;
        } else {
            ++i;
        }
    }
}

void ViewHistory::goBack() {
    commit();
    if (canGoBack()) {
        go(m_at - 1);
    }
}

void ViewHistory::goForward() {
    commit();
    if (canGoForward()) {
        go(m_at + 1);
    }
}

void ViewHistory::go(std::size_t to) {
    m_going = true;
    m_entries[m_at] = present();  // with what is not a step, such as emphasis
    m_at = to;
    Entry& entry = m_entries[to];
    m_session.setCurrent(m_session.indexOf(entry.path));
    const auto& trace = m_session.view().trace();
    if (entry.complete && entry.trace.lock() != trace) {
        // The file was read again: the rows that it had are others now.
        entry.view.selection = {};
        entry.view.highlight.reset();
        entry.view.tracks.clear();
    }
    m_session.view().restore(entry.view);
    entry = present();
    m_going = false;
    m_lastKind = Kind::Other;
    emit changed();
}

}  // namespace kinetoscope::history
