// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QToolButton>
#include <QWidget>

namespace kinetoscope::session {
class ViewState;
}  // namespace kinetoscope::session

namespace kinetoscope::timeline {

/// "12.3 ms selected ×": there wherever figures are of a part of the trace alone, hidden otherwise.
/// A click on the text shows that time, one on × ends the selection. `state` outlives it.
class SelectionChip final : public QWidget {
    Q_OBJECT

public:
    explicit SelectionChip(session::ViewState& state, QWidget* parent = nullptr);

    [[nodiscard]] QString text() const { return m_text->text(); }

signals:
    /// Its text, and so its size, or whether it is shown.
    void changed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void refresh();
    void recolour();

    session::ViewState& m_state;
    QLabel* m_text;
    QToolButton* m_clear;
};

}  // namespace kinetoscope::timeline
