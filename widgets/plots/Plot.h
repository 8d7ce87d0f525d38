// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace kinetoscope::plots {

/// A plot that consists of lines and texts, and of no image of them, where a vector picture is
/// made of it (Picture.h).
class Plot : public QCustomPlot {
    Q_OBJECT

public:
    using QCustomPlot::QCustomPlot;

protected:
    /// Goes on to what the plot is in: the library keeps events of the mouse to itself.
    void contextMenuEvent(QContextMenuEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace kinetoscope::plots
