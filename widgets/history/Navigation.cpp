// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/history/Navigation.h"

#include <QApplication>
#include <QMouseEvent>

namespace kinetoscope::history {

namespace {

/// Also in a floating dock, but not in a dialog.
bool belongsTo(const QWidget* widget, const QWidget& window) {
    while (widget != nullptr && widget != &window) {
        widget = widget->parentWidget();
    }
    return widget != nullptr && QApplication::activeModalWidget() == nullptr;
}

}  // namespace

Navigation::Navigation(QWidget& window, session::Session& session, QAction& back, QAction& forward)
    : m_window(window), m_history(session), m_back(back), m_forward(forward) {
    const auto enable = [this] {
        m_back.setEnabled(m_history.canGoBack());
        m_forward.setEnabled(m_history.canGoForward());
    };
    connect(&m_history, &ViewHistory::changed, this, enable);
    enable();
    // Tables and others take any button for themselves, so a handler of the window would miss them.
    QApplication::instance()->installEventFilter(this);
}

bool Navigation::eventFilter(QObject* watched, QEvent* event) {
    const bool isPress =
        event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick;
    if (!isPress || !watched->isWidgetType() ||
        !belongsTo(static_cast<QWidget*>(watched), m_window)) {
        return false;
    }
    const Qt::MouseButton button = static_cast<QMouseEvent*>(event)->button();
    if (button != Qt::BackButton && button != Qt::ForwardButton) {
        return false;
    }
    (button == Qt::BackButton ? m_back : m_forward).trigger();
    event->accept();
    return true;
}

}  // namespace kinetoscope::history
