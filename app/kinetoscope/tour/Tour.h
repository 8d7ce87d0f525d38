// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QString>
#include <functional>
#include <vector>

namespace kinetoscope::app {

/// A part of a window that a tour explains.
struct TourStop {
    QString title;
    QString text;
    std::function<QWidget*()> show;  ///< brings the part to the front and gives it
};

/// A card over a window that leads from part to part, each with a frame around it. Everything else
/// stays usable; the last *Done*, the cross and Escape end it.
class Tour final : public QFrame {
    Q_OBJECT

public:
    /// Shows itself in `window`, which owns it, and deletes itself at its end.
    Tour(QWidget& window, std::vector<TourStop> stops);

    [[nodiscard]] int stop() const { return m_stop; }
    /// The widget inside the frame; null while it cannot be seen.
    [[nodiscard]] const QWidget* part() const { return m_framed; }
    /// Beside what it explains, wherever that is by now.
    void place();
    /// After something else has taken the keys, a file that was opened for the tour.
    void takeKeys() { m_next->setFocus(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void goTo(int stop);
    void end();
    void recolour();

    QWidget& m_window;
    std::vector<TourStop> m_stops;
    QWidget* m_frame;
    QWidget* m_part = nullptr;
    const QWidget* m_framed = nullptr;
    QLabel* m_title;
    QLabel* m_text;
    QLabel* m_count;
    QPushButton* m_back;
    QPushButton* m_next;
    int m_stop = 0;
};

}  // namespace kinetoscope::app
