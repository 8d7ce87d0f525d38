// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <optional>

#include "widgets/job/dumps/DumpState.h"

namespace kinetoscope::job::dumps {

/// A process group's ranks by the numbers of its collectives, each cell by what became of the call.
/// The stuck number is framed and named above. Only what is in sight is painted.
class CallMatrix final : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit CallMatrix(DumpState& state, QWidget* parent = nullptr);

    /// Of a cell, in pixels of the viewport, on screen or not.
    [[nodiscard]] QRect cellRect(CallPlace cell) const;
    [[nodiscard]] std::optional<CallPlace> cellAt(QPoint at) const;
    [[nodiscard]] QString toolTipAt(QPoint at) const;
    /// Cells as wide as at first, the stuck number in sight.
    void fit();
    void zoom(double factor);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void layOut();
    void reveal(CallPlace cell);
    void revealMain();
    void moveBy(int rows, int columns);
    [[nodiscard]] int columnLeft(std::size_t column) const;
    [[nodiscard]] QString rowLabel(std::size_t row) const;
    void paintCells(QPainter& painter);
    void paintLabels(QPainter& painter);
    void paintHeader(QPainter& painter);
    void paintStuck(QPainter& painter);
    void paintSelection(QPainter& painter);

    DumpState& m_state;
    double m_wantedWidth = 0.0;  ///< of cells, by hand; 0: as fits
    int m_rowHeight = 1;
    int m_cellWidth = 1;
    int m_labelWidth = 0;
};

}  // namespace kinetoscope::job::dumps
