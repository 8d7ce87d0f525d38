// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/Plot.h"

namespace kinetoscope::plots {

void Plot::contextMenuEvent(QContextMenuEvent* event) {
    if (QWidget* around = parentWidget()) {
        QContextMenuEvent same(event->reason(), mapToParent(event->pos()), event->globalPos(),
                               event->modifiers());
        QCoreApplication::sendEvent(around, &same);
        event->setAccepted(same.isAccepted());
    }
}

void Plot::paintEvent(QPaintEvent* event) {
    {
        QCPPainter painter(this);
        if (painter.paintEngine()->type() == QPaintEngine::SVG) {
            toPainter(&painter, width(), height());
            return;
        }
    }
    QCustomPlot::paintEvent(event);
}

}  // namespace kinetoscope::plots
