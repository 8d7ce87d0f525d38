// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/job/CellColors.h"
#include "widgets/job/CellMatrix.h"
#include "widgets/job/JobState.h"

namespace kinetoscope::job {

/// Ranks by steps, each cell coloured by the chosen figure. A click or the arrow keys select a
/// cell, Enter or a double click opens the rank's own trace, the wheel with Ctrl changes the height
/// of the rows.
class MatrixView final : public CellMatrix {
    Q_OBJECT

public:
    explicit MatrixView(JobState& state, QWidget* parent = nullptr);

    [[nodiscard]] const CellColors& colors() const { return m_colors; }
    /// Of a cell, in pixels of the viewport, on screen or not.
    [[nodiscard]] QRect cellRect(CellPlace cell) const;
    /// The text of a cell that is large enough.
    [[nodiscard]] QString cellText(CellPlace cell) const;
    [[nodiscard]] QString toolTipAt(QPoint at) const override;

protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;

    void layOut() override;
    [[nodiscard]] std::size_t columns() const override { return m_state.shown().grid.steps(); }
    [[nodiscard]] QString rowLabel(std::size_t row) const override;
    [[nodiscard]] std::optional<QString> headingOf(std::size_t row) const override;
    [[nodiscard]] QString columnLabel(std::size_t column) const override;
    [[nodiscard]] QString columnsTitle() const override { return tr("step"); }
    [[nodiscard]] std::optional<Place> selected() const override;
    void select(std::optional<Place> place) override;
    void activate() override;
    void paintCell(QPainter& painter, const QRect& box, Place place) override;

private:
    void refreshColors();
    void revealSelected();
    [[nodiscard]] Place placeOf(CellPlace cell) const;
    [[nodiscard]] CellPlace cellOf(Place place) const;

    JobState& m_state;
    CellColors m_colors;
    int m_wantedHeight = 0;  ///< of rows, by hand; 0: as fits
};

}  // namespace kinetoscope::job
