// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/Plot.h"

namespace kinetoscope::plots {

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
