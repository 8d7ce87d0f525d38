// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/NotesPanel.h"

#include <QVBoxLayout>
#include <algorithm>
#include <optional>

#include "widgets/style/Icons.h"

namespace kinetoscope::panels {

namespace {

/// Narrower spans are zoomed to.
constexpr TimeNs kNarrowest = 50;

}  // namespace

NotesPanel::NotesPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_view(context.view),
      m_notes(context.session.notes()),
      m_table(new DataTable(m_model, this)),
      m_undo(new QAction(tr("Undo"), this)) {
    auto* layout = new QVBoxLayout(this);
    // A line of its own: what its children cover whole counts as hidden.
    layout->setContentsMargins(0, 1, 0, 0);
    layout->addWidget(m_table);
    setFocusProxy(m_table);
    m_table->setObjectName(QStringLiteral("notes"));
    m_table->setLastColumnElides();
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
    addActions();
    connect(&m_model, &NotesModel::textEntered, this,
            [this](const sidecar::Note& note, const QString& text) {
                // The editor is still open; the rows must not go away under it.
                QMetaObject::invokeMethod(
                    this, [this, note, text] { m_notes.setText(note, text); },
                    Qt::QueuedConnection);
            });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &NotesPanel::goToCurrent);
    connect(&m_notes, &session::TraceNotes::changed, this, &NotesPanel::refresh);
    connect(&m_notes, &session::TraceNotes::shown, this, &NotesPanel::showNote);
    // Notes of a file may come before its trace, whose start their times count from.
    connect(&m_view, &session::ViewState::traceChanged, this, &NotesPanel::refresh);
    connect(&m_view, &session::ViewState::traceGrown, this, &NotesPanel::refresh);
    refresh();
}

void NotesPanel::addActions() {
    const auto add = [this](QAction* action, const QKeySequence& key) {
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetShortcut);
        m_table->addAction(action);
    };
    auto* go = new QAction(style::themedIcon(QStringLiteral("jump")), tr("Go to it"), this);
    auto* select = new QAction(tr("Select its time"), this);
    auto* edit = new QAction(tr("Edit"), this);
    auto* remove = new QAction(tr("Delete"), this);
    connect(go, &QAction::triggered, this, &NotesPanel::goToCurrent);
    connect(select, &QAction::triggered, this, [this] {
        const QModelIndex current = m_table->currentIndex();
        if (current.isValid() && !m_model.note(current.row()).span.empty()) {
            m_view.selectRange(m_model.note(current.row()).span);
        }
    });
    connect(edit, &QAction::triggered, this, [this] {
        if (m_table->currentIndex().isValid()) {
            m_table->edit(m_table->currentIndex().siblingAtColumn(NotesModel::Text));
        }
    });
    connect(remove, &QAction::triggered, this, &NotesPanel::removeCurrent);
    connect(m_undo, &QAction::triggered, &m_notes, &session::TraceNotes::undo);
    add(go, Qt::Key_Return);
    add(select, {});
    add(edit, Qt::Key_F2);
    add(remove, QKeySequence::Delete);
    add(m_undo, QKeySequence::Undo);
}

QString NotesPanel::emptyText() const {
    if (!m_view.trace()) {
        return tr("Open a trace to write notes about it.");
    }
    return m_notes.problem().isEmpty()
               ? tr("No notes yet. Press N in the timeline to add one to the selected time or "
                    "slice, or to the time under the pointer.")
               : m_notes.problem();
}

void NotesPanel::refresh() {
    m_refreshing = true;
    const QModelIndex before = m_table->currentIndex();
    const std::optional<sidecar::Note> current =
        before.isValid() ? std::optional(m_model.note(before.row())) : std::nullopt;
    m_table->setEmptyText(emptyText());
    m_model.setNotes(m_notes.notes(), m_view.trace() ? m_view.trace()->extent().start : 0);
    if (current && m_model.rowCount() > 0) {
        // An edited or removed one leaves its place to what stands there now.
        const int row = m_model.rowOf(*current);
        const int place = row >= 0 ? row : std::min(before.row(), m_model.rowCount() - 1);
        m_table->setCurrentIndex(m_model.index(place, before.column()));
    }
    m_undo->setEnabled(m_notes.canUndo());
    m_refreshing = false;
}

void NotesPanel::showNote(const sidecar::Note& note) {
    const int row = m_model.rowOf(note);
    if (row >= 0) {
        emit frontWanted();
        m_table->setCurrentIndex(m_model.index(row, NotesModel::Text));
        goToCurrent();
    }
}

// The note's time with some of what is around it.
void NotesPanel::goToCurrent() {
    const QModelIndex current = m_table->currentIndex();
    if (m_refreshing || !current.isValid() || !m_view.trace()) {
        return;
    }
    const TimeSpan span = m_model.note(current.row()).span;
    const TimeSpan visible = m_view.visible();
    const TimeNs length = span.duration();
    const bool isVisible = visible.contains(span.start) && span.end <= visible.end;
    if (isVisible && (length == 0 || length >= visible.duration() / kNarrowest)) {
        return;
    }
    const TimeNs around = length > 0 ? length : visible.duration() / 2;
    m_view.zoomTo({span.start - around, span.end + around});
}

void NotesPanel::removeCurrent() {
    if (m_table->currentIndex().isValid()) {
        m_notes.remove(m_model.note(m_table->currentIndex().row()));
    }
}

}  // namespace kinetoscope::panels
