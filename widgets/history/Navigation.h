// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QObject>
#include <QWidget>

#include "widgets/history/ViewHistory.h"

namespace kinetoscope::history {

/// Back and Forward of a window: their actions, enabled where there is somewhere to go, and the
/// mouse's buttons for them anywhere in the window. All that is given outlives it.
class Navigation final : public QObject {
    Q_OBJECT

public:
    Navigation(QWidget& window, session::Session& session, QAction& back, QAction& forward);

    [[nodiscard]] ViewHistory& history() { return m_history; }
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget& m_window;
    ViewHistory m_history;
    QAction& m_back;
    QAction& m_forward;
};

}  // namespace kinetoscope::history
