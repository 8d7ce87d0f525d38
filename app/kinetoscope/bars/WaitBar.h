// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QWidget>

namespace kinetoscope::app {

/// One line across the window with the progress of something, with Cancel. Short work is done
/// before it would show.
class WaitBar : public QWidget {
    Q_OBJECT

public:
    /// `name` and `toolTip` are the button's.
    WaitBar(const QString& name, const QString& toolTip, QWidget* parent = nullptr);

    void begin(const QString& text);
    /// `fraction` from 0 to 1.
    void tell(const QString& text, double fraction);
    void end();

signals:
    void cancelled();

private:
    QLabel* m_text;
    QProgressBar* m_bar;
    QPushButton* m_cancel;
    QTimer m_patience;
};

}  // namespace kinetoscope::app
