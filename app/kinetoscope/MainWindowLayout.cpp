// SPDX-License-Identifier: GPL-3.0-or-later
// The window's size and the places of its parts.
#include "app/kinetoscope/MainWindow.h"

namespace kinetoscope::app {

namespace {

// What window managers draw around a window; theirs is known only when it is on screen.
constexpr QSize kFrame(16, 40);

}  // namespace

void MainWindow::fitInto(const QRect& available) {
    if (available.isEmpty()) {
        return;
    }
    const QSize room = available.size() - kFrame;
    resize(size().boundedTo(room));
    if (m_settings.windowLayout.value().isEmpty()) {
        m_docks->arrangeAsFirst();  // made for this size
    }
    const QRect inside = available.adjusted(0, 0, -kFrame.width(), -kFrame.height());
    if (!inside.contains(geometry())) {
        move(qBound(inside.left(), x(), inside.right() - width() + 1),
             qBound(inside.top(), y(), inside.bottom() - height() + 1));
    }
}

void MainWindow::resetLayout() {
    m_docks->arrangeAsFirst();
}

}  // namespace kinetoscope::app
