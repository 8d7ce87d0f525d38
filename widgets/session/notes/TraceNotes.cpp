// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/notes/TraceNotes.h"

#include <algorithm>

#include "core/text/Printable.h"
#include "widgets/session/paths/FilePath.h"

namespace kinetoscope::session {

namespace {

// In one line of at most kMaxNoteBytes, and no letter cut in two.
std::string textOf(const QString& text) {
    QString line = text.simplified();
    std::string printed = text::printable(line.toStdString());
    while (printed.size() > sidecar::kMaxNoteBytes) {
        line.chop(1 + static_cast<qsizetype>((printed.size() - sidecar::kMaxNoteBytes) / 4));
        printed = text::printable(line.toStdString());
    }
    return printed;
}

}  // namespace

TraceNotes::TraceNotes(std::function<QString()> path, QObject* parent)
    : QObject(parent), m_path(std::move(path)) {}

void TraceNotes::follow() {
    const QString path = m_path();
    if (path == m_shown) {
        return;
    }
    m_shown = path;
    m_kept.clear();
    m_notes.clear();
    m_problem.clear();
    if (!path.isEmpty()) {
        take(sidecar::readSidecar(encodedPath(path)), tr("Its notes cannot be shown."));
    }
    emit changed();
}

void TraceNotes::reread() {
    m_shown.clear();
    follow();
}

void TraceNotes::add(TimeSpan span, const QString& text) {
    std::string line = textOf(text);
    if (!line.empty()) {
        change({std::nullopt, sidecar::Note{span, std::move(line)}});
    }
}

void TraceNotes::remove(const sidecar::Note& note) {
    change({note, std::nullopt});
}

void TraceNotes::setText(const sidecar::Note& note, const QString& text) {
    std::string line = textOf(text);
    if (line == note.text) {
        return;
    }
    change({note, line.empty() ? std::nullopt
                               : std::optional(sidecar::Note{note.span, std::move(line)})});
}

bool TraceNotes::canUndo() const {
    const auto history = m_histories.find(m_shown);
    return history != m_histories.end() && !history->second.done.empty();
}

void TraceNotes::undo() {
    if (!canUndo()) {
        return;
    }
    std::vector<Change>& done = m_histories[m_shown].done;
    const Change last = done.back();
    change({last.added, last.removed});
    done.resize(done.size() - 2);  // the change and its opposite
}

void TraceNotes::apply(const std::vector<Change>& changes, std::vector<sidecar::Note>& notes) {
    for (const Change& change : changes) {
        if (change.removed) {
            const auto found = std::ranges::find(notes, *change.removed);
            if (found != notes.end()) {
                notes.erase(found);
            }
        }
        if (change.added) {
            notes.push_back(*change.added);
        }
    }
}

void TraceNotes::change(const Change& change) {
    if (m_shown.isEmpty()) {
        return;
    }
    History& history = m_histories[m_shown];
    history.done.push_back(change);
    history.unkept.push_back(change);
    take(sidecar::changeSidecar(
             encodedPath(m_shown),
             [&history](sidecar::Sidecar& all) { apply(history.unkept, all.notes); })
             .map([&history](const sidecar::Sidecar& all) {
                 history.unkept.clear();
                 return all;
             }),
         tr("The notes last until the window is closed."));
    emit changed();
}

void TraceNotes::take(const Result<sidecar::Sidecar>& kept, const QString& consequence) {
    QString problem;
    if (kept) {
        m_kept = kept->notes;
    } else {
        problem = QString::fromStdString(text::printable(kept.error().message)) +
                  QLatin1String(". ") + consequence;
    }
    m_notes = m_kept;
    if (const auto history = m_histories.find(m_shown); history != m_histories.end()) {
        apply(history->second.unkept, m_notes);
    }
    std::ranges::stable_sort(m_notes, [](const sidecar::Note& a, const sidecar::Note& b) {
        return std::pair(a.span.start, a.span.end) < std::pair(b.span.start, b.span.end);
    });
    const bool isNew = !problem.isEmpty() && problem != m_problem;
    m_problem = problem;
    if (isNew) {
        emit failed(problem);
    }
}

}  // namespace kinetoscope::session
