// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QPainter>
#include <QTableView>
#include <functional>
#include <optional>

namespace kinetoscope::panels {

/// The first columns of a table stay at its left edge while the others are scrolled sideways. Their
/// header is one of its own that sorts and resizes through the table's. Columns must not be moved.
class FrozenColumns final : public QObject {
    Q_OBJECT

public:
    /// `table` has its model; its parts outlive this.
    explicit FrozenColumns(QTableView& table);

    /// How many, hidden ones included; 0: none.
    void setCount(int columns);
    [[nodiscard]] int count() const { return m_count; }
    /// Whether they stand elsewhere than their cells: scrolled sideways, and others have room too.
    [[nodiscard]] bool active() const;
    /// Logical pixels of the viewport that they cover.
    [[nodiscard]] int width() const;
    /// Left edge of a frozen column in the viewport.
    [[nodiscard]] int left(int column) const;
    /// The frozen column there; nothing when it is beside them.
    [[nodiscard]] std::optional<int> columnAt(int x) const;

    using PaintCell = std::function<void(QPainter&, const QRect&, int row, int column)>;
    /// Over what the table has painted.
    void paint(QPainter& painter, const PaintCell& paintCell) const;
    /// After changes of sizes, columns or the place.
    void layOut();
    [[nodiscard]] QHeaderView& header() { return *m_header; }

private:
    QTableView& m_table;
    QHeaderView* m_header;
    int m_count = 0;
    bool m_syncing = false;
};

}  // namespace kinetoscope::panels
