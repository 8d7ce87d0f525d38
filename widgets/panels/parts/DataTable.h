// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QLabel>
#include <QSet>
#include <QString>
#include <QTableView>
#include <QTimer>
#include <memory>
#include <optional>

#include "widgets/models/ColumnTableModel.h"
#include "widgets/panels/parts/FrozenColumns.h"

namespace kinetoscope::panels {

/// The common look and behaviour of tables: fixed rows, click on a header sorts, the context menu
/// copies, an empty table says why. Numbers are never elided: their columns are as wide as they
/// are, names are elided, and the name stays where it is while numbers are scrolled sideways. Ctrl
/// and Shift select several rows, Escape deselects.
class DataTable final : public QTableView {
    Q_OBJECT

public:
    /// `model` must outlive the table.
    explicit DataTable(models::ColumnTableModel& model, QWidget* parent = nullptr);

    /// Shown in the middle while there are no rows.
    void setEmptyText(const QString& text);
    [[nodiscard]] const QString& emptyText() const { return m_emptyText; }
    /// Widest a column grows by itself.
    void setWidest(int column, int pixels);

    /// This column gives way where the room is less than all need, down to `least` pixels; the
    /// first one of texts, unless it is said.
    void setYielding(int column, int least);

    /// So many columns at the left are not scrolled sideways. Unless it is said, those up to the
    /// name where that is the first or second one.
    void setFrozen(int columns);
    [[nodiscard]] FrozenColumns& frozen() { return *m_frozen; }

    [[nodiscard]] QModelIndex indexAt(const QPoint& at) const override;
    [[nodiscard]] QRect visualRect(const QModelIndex& index) const override;
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;

    /// Rows are so many lines high, of which texts that do not fit into one take several.
    void setLines(int lines) { m_lines = lines; }

    /// The last column takes the room that is left and elides, however long its texts are.
    void setLastColumnElides() { m_lastElides = true; }

    /// The selected rows: how many, and their most useful column.
    struct SelectedRows {
        std::uint64_t count = 0;
        QString column;  ///< its header; empty: there is none
        models::FigureSum figure;
    };
    [[nodiscard]] SelectedRows selectedRows() const;

    void copyCell();
    void copyCsv() const;
    void copyMarkdown() const;

signals:
    /// Which rows are selected, or whether they can be seen.
    void selectedRowsChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    void connectHeader();
    void tellArranging();
    void fitColumns();
    void fitColumn(int column, const QStyleOptionViewItem& option);
    void fitYielding();
    void chooseRoles();
    void keepNumbersWhole(int firstRow, int lastRow);
    void setWidth(int column, int width);
    void paintFrozen(QPainter& painter);
    [[nodiscard]] bool isNumber(int column) const;
    [[nodiscard]] int textWidth(int row, int column, const QStyleOptionViewItem& option) const;

    models::ColumnTableModel& m_model;
    /// Gone before the header and scroll bars that it listens to, which call it as they go.
    std::unique_ptr<FrozenColumns> m_frozen;
    QLabel* m_arranging;  ///< shown where that takes long
    QTimer m_toldLate;
    QString m_emptyText;
    QHash<int, int> m_widest;
    QHash<int, int> m_natural;  ///< width that a column's texts need, as far as it is known
    QSet<int> m_userSized;
    std::optional<int> m_toldYielding;
    std::optional<int> m_toldFrozen;
    int m_yielding = -1;
    int m_leastYielding = 0;
    int m_lines = 1;
    bool m_fitting = false;
    bool m_lastElides = false;
};

}  // namespace kinetoscope::panels
