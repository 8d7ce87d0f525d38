// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace kinetoscope::session {
class ViewState;
}  // namespace kinetoscope::session

namespace kinetoscope::timeline {

/// Where the rows' filter is typed: shown while there is one. Enter leaves it, Escape ends it.
class RowFilterField final : public QLineEdit {
    Q_OBJECT

public:
    RowFilterField(session::ViewState& state, QWidget* parent);

    void start();

signals:
    /// Return the keyboard focus to the rows.
    void left();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void take(const QString& text);
    void refresh();

    session::ViewState& m_state;
};

}  // namespace kinetoscope::timeline
