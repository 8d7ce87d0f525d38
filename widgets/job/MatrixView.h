// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <optional>

#include "widgets/job/CellColors.h"
#include "widgets/job/JobState.h"
#include "widgets/job/RowHeights.h"

namespace kinetoscope::job {

/// Ranks by steps, each cell coloured by the figure that is asked for. A click or the arrow keys
/// select a cell, Enter or a double click asks for the rank's own trace, the wheel with Ctrl makes
/// rows higher or lower. Only what is in sight is painted.
class MatrixView final : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit MatrixView(JobState& state, QWidget* parent = nullptr);

    [[nodiscard]] const CellColors& colors() const { return m_colors; }
    /// Of a cell, in pixels of the viewport, on screen or not.
    [[nodiscard]] QRect cellRect(CellPlace cell) const;
    [[nodiscard]] std::optional<CellPlace> cellAt(QPoint at) const;
    [[nodiscard]] int rowHeight() const { return m_rowHeight; }
    /// What a cell shows when it is large enough.
    [[nodiscard]] QString cellText(CellPlace cell) const;

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refreshColors();
    void layOut();
    void reveal(CellPlace cell);
    void choose(std::size_t row, std::size_t step);
    void moveBy(int rows, int steps);
    [[nodiscard]] std::optional<std::size_t> rowAt(int y) const;
    [[nodiscard]] int columnLeft(std::size_t step) const;
    [[nodiscard]] QString rowLabel(std::size_t record) const;
    [[nodiscard]] QString toolTipAt(QPoint at) const;
    void paintCells(QPainter& painter);
    void paintCell(QPainter& painter, const QRect& box, CellPlace cell);
    void paintLabels(QPainter& painter);
    void paintHeader(QPainter& painter);
    void paintSelection(QPainter& painter);

    JobState& m_state;
    CellColors m_colors;
    RowHeights m_rows;
    int m_rowHeight = 0;
    int m_wantedHeight = 0;  ///< by hand; 0: as fits
    int m_cellWidth = 0;
    int m_labelWidth = 0;
};

}  // namespace kinetoscope::job
