// SPDX-License-Identifier: GPL-3.0-or-later
// Writing notes in the timeline.
#include <algorithm>

#include "app/kinetoscope/MainWindow.h"
#include "core/text/Format.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/session/notes/NoteEditor.h"
#include "widgets/timeline/TimelineWidget.h"

namespace kinetoscope::app {

void MainWindow::connectNotes() {
    connect(&m_session.notes(), &session::TraceNotes::failed, m_errors,
            &style::MessageBar::addMessage);
    connectComparedNotes(m_compared->baseView(), m_compared->base());
    connectComparedNotes(m_compared->candidateView(), m_compared->candidate());
    // A letter is a key of the timeline alone: tables look for rows by it.
    QAction* add = action(ActionId::AddNote);
    add->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    removeAction(add);
    m_timeline->addAction(add);
}

// Each side of a comparison shows the notes of its file, also those written meanwhile.
void MainWindow::connectComparedNotes(plots::TimelineView& timelines, session::ViewState& view) {
    auto* notes = new session::TraceNotes(
        [this, &view] {
            const int run = runOf(view);
            return run < 0 ? QString() : m_session.runs()[static_cast<std::size_t>(run)].path;
        },
        this);
    timelines.setNotes(*notes);
    connect(&view, &session::ViewState::traceChanged, notes, &session::TraceNotes::follow);
    connect(&m_session.notes(), &session::TraceNotes::changed, notes, &session::TraceNotes::reread);
    connect(notes, &session::TraceNotes::shown, &view,
            [&view](const sidecar::Note& note) { view.reveal(note.span); });
}

// The selected time, else that of what is selected, else the point under the pointer, else the
// middle.
TimeSpan MainWindow::timeOfNote() const {
    if (const auto range = m_view.selectedRange()) {
        return *range;
    }
    if (const auto time = session::selectedTime(*m_view.trace(), m_view.selection())) {
        return *time;
    }
    const TimeSpan visible = m_view.visible();
    const auto& widget = static_cast<plots::TimelineView*>(m_timeline)->timeline();
    const TimeNs point = widget.cursorTime().value_or(visible.start + visible.duration() / 2);
    return {point, point};
}

void MainWindow::addNote() {
    if (!m_view.trace()) {
        return;
    }
    showOneTimeline();
    const TimeSpan span = timeOfNote();
    const TimeNs since = span.start - m_view.trace()->extent().start;
    const QString when = QString::fromStdString(text::formatDuration(since));
    const QString about =
        span.empty()
            ? tr("Note at %1").arg(when)
            : tr("Note on %1 from %2")
                  .arg(QString::fromStdString(text::formatDuration(span.duration())), when);
    auto& widget = static_cast<plots::TimelineView*>(m_timeline)->timeline();
    const int x = static_cast<int>(std::clamp(widget.coordinates().x(span.start),
                                              static_cast<double>(widget.timeArea().left()),
                                              static_cast<double>(widget.timeArea().right())));
    auto* editor = new session::NoteEditor(about, widget);
    editor->openAt(x);
    connect(editor, &session::NoteEditor::entered, this,
            [this, span](const QString& text) { m_session.notes().add(span, text); });
}

}  // namespace kinetoscope::app
