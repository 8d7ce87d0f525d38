// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <optional>

#include "widgets/job/RowHeights.h"

namespace kinetoscope::job {

/// Rows by columns of cells: the labels of the rows stay in sight at the left and those of the
/// columns above, and the selected cell is framed. The arrow keys go from cell to cell. Subclasses
/// decide what the cells mean. Only visible cells are painted.
class CellMatrix : public QAbstractScrollArea {
    Q_OBJECT

public:
    /// A cell as it is drawn; headings are rows as well.
    struct Place {
        std::size_t row = 0;
        std::size_t column = 0;
    };

    [[nodiscard]] int rowHeight() const { return m_rowHeight; }
    [[nodiscard]] virtual QString toolTipAt(QPoint at) const = 0;

protected:
    static constexpr int kHeader = 24;
    static constexpr int kHeadingRow = 20;
    static constexpr int kMargin = 8;

    explicit CellMatrix(QWidget* parent = nullptr);

    /// Of a cell, in pixels of the viewport, on screen or not.
    [[nodiscard]] QRect boxOf(Place place) const;
    /// Not of headings.
    [[nodiscard]] std::optional<Place> placeAt(QPoint at) const;
    [[nodiscard]] std::optional<std::size_t> rowAt(int y) const;
    void reveal(Place place);
    /// How the rows are laid out, headings among them; asked again by layOut().
    void setSizes(const std::vector<int>& heights, int rowHeight, int labelWidth, int cellWidth);
    [[nodiscard]] int cellWidth() const { return m_cellWidth; }
    [[nodiscard]] int labelWidth() const { return m_labelWidth; }
    /// Of the viewport, for the cells.
    [[nodiscard]] QSize room() const;
    /// The widest label of a rank, with room beside it.
    [[nodiscard]] int widthOfLabels(std::size_t rows) const;

    /// Calls setSizes().
    virtual void layOut() = 0;
    [[nodiscard]] virtual std::size_t columns() const = 0;
    [[nodiscard]] virtual QString rowLabel(std::size_t row) const = 0;
    /// The label of the row if it is a heading of those below it, else nullopt.
    [[nodiscard]] virtual std::optional<QString> headingOf(std::size_t /*row*/) const { return {}; }
    [[nodiscard]] virtual QString columnLabel(std::size_t column) const = 0;
    /// Of the columns.
    [[nodiscard]] virtual QString columnsTitle() const = 0;
    /// Shown if there is no column.
    [[nodiscard]] virtual QString emptyText() const { return {}; }
    [[nodiscard]] virtual std::optional<Place> selected() const = 0;
    /// nullopt: nothing is selected any more.
    virtual void select(std::optional<Place> place) = 0;
    /// Where the keys begin when nothing is selected.
    [[nodiscard]] virtual Place firstPlace() const { return {}; }
    /// Enter, on what is selected.
    virtual void activate() {}
    virtual void paintCell(QPainter& painter, const QRect& box, Place place) = 0;
    /// Over the cells.
    virtual void paintMarks(QPainter& /*painter*/) {}

    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void moveBy(int rows, int columns);
    [[nodiscard]] int columnLeft(std::size_t column) const;
    void paintCells(QPainter& painter);
    void paintLabels(QPainter& painter);
    void paintHeader(QPainter& painter);
    void paintSelection(QPainter& painter);

    RowHeights m_rows;
    int m_rowHeight = 1;
    int m_cellWidth = 1;
    int m_labelWidth = 0;
};

}  // namespace kinetoscope::job
