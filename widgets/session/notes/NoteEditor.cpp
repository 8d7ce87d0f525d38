// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/notes/NoteEditor.h"

#include <QKeyEvent>
#include <algorithm>

#include "core/sidecar/Sidecar.h"

namespace kinetoscope::session {

namespace {

constexpr int kWidth = 320;
constexpr int kTop = 6;
constexpr int kMargin = 6;

}  // namespace

NoteEditor::NoteEditor(const QString& about, QWidget& place) : QLineEdit(&place) {
    setObjectName(QStringLiteral("noteEditor"));
    setPlaceholderText(about);
    setAccessibleName(about);
    setMaxLength(static_cast<int>(sidecar::kMaxNoteBytes));
    connect(this, &QLineEdit::editingFinished, this, [this] { finish(true); });
}

void NoteEditor::openAt(int x) {
    const int room = parentWidget()->width();
    const int width = std::min(kWidth, room - 2 * kMargin);
    setGeometry(std::clamp(x, kMargin, std::max(kMargin, room - width - kMargin)), kTop, width,
                sizeHint().height());
    show();
    setFocus(Qt::ShortcutFocusReason);
}

void NoteEditor::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        finish(false);
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void NoteEditor::finish(bool keep) {
    if (m_done) {
        return;
    }
    m_done = true;
    if (keep && !text().trimmed().isEmpty()) {
        emit entered(text());
    }
    const bool had = hasFocus();
    hide();
    if (had) {
        parentWidget()->setFocus();
    }
    deleteLater();
}

}  // namespace kinetoscope::session
