// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/job/CellMatrix.h"
#include "widgets/job/dumps/DumpState.h"

namespace kinetoscope::job::dumps {

/// A process group's ranks by the numbers of its collectives, or by its messages, each cell by the
/// state of the call. Stuck ones are framed and named above.
class CallMatrix final : public CellMatrix {
    Q_OBJECT

public:
    explicit CallMatrix(DumpState& state, QWidget* parent = nullptr);

    /// Of a cell, in pixels of the viewport, on screen or not.
    [[nodiscard]] QRect cellRect(CallPlace cell) const { return boxOf({cell.row, cell.column}); }
    [[nodiscard]] QString toolTipAt(QPoint at) const override;
    /// Cells as wide as at first, what is stuck in sight.
    void fit();
    void zoom(double factor);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

    void layOut() override;
    [[nodiscard]] std::size_t columns() const override { return m_state.grid().columns(); }
    [[nodiscard]] QString rowLabel(std::size_t row) const override;
    [[nodiscard]] QString columnLabel(std::size_t column) const override;
    [[nodiscard]] QString columnsTitle() const override;
    [[nodiscard]] QString emptyText() const override;
    [[nodiscard]] std::optional<Place> selected() const override;
    void select(std::optional<Place> place) override;
    [[nodiscard]] Place firstPlace() const override;
    void paintCell(QPainter& painter, const QRect& box, Place place) override;
    void paintMarks(QPainter& painter) override;

private:
    void revealMain();

    DumpState& m_state;
    double m_wantedWidth = 0.0;  ///< of cells, by hand; 0: as fits
};

}  // namespace kinetoscope::job::dumps
