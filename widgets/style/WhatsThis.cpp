// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/WhatsThis.h"

#include <QApplication>
#include <QEvent>
#include <QWidget>

namespace kinetoscope::style {

namespace {

constexpr const char* kFromToolTip = "whatsThisFromToolTip";

}  // namespace

WhatsThis::WhatsThis(QObject* parent) : QObject(parent) {
    QCoreApplication::instance()->installEventFilter(this);
}

bool WhatsThis::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::QueryWhatsThis || event->type() == QEvent::WhatsThis) {
        auto* widget = qobject_cast<QWidget*>(watched);
        // Tool tips change with what is shown.
        const bool own = widget == nullptr || (!widget->whatsThis().isEmpty() &&
                                               !widget->property(kFromToolTip).toBool());
        if (!own) {
            widget->setWhatsThis(widget->toolTip());
            widget->setProperty(kFromToolTip, true);
        }
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace kinetoscope::style
