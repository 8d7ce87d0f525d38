// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace kinetoscope::session {

/// A line over the timeline for the text of a note: Enter and leaving it keep the text, Escape
/// drops it. Deletes itself.
class NoteEditor final : public QLineEdit {
    Q_OBJECT

public:
    /// `about` stands there until something is written. The editor belongs to `place`.
    NoteEditor(const QString& about, QWidget& place);

    /// At the top of the place, from x on as far as there is room, with the focus.
    void openAt(int x);

signals:
    void entered(const QString& text);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void finish(bool keep);

    bool m_done = false;
};

}  // namespace kinetoscope::session
