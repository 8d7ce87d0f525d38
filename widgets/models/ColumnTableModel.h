// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/query/RowOrder.h"
#include "core/text/Units.h"

namespace kinetoscope::models {

struct TableColumn {
    QString key;      ///< in exports, e.g. "total_ns"
    QString header;   ///< on screen
    QString toolTip;  ///< as widgets take it: made by plainToolTip() if it contains text from a
                      ///< file
    Qt::Alignment alignment = Qt::AlignRight;
    bool largestFirst = true;  ///< direction of the first click on the header
};

class TableArranger;

/// Of some rows of one column.
struct FigureSum {
    std::uint64_t count = 0;  ///< rows that have the figure
    double sum = 0.0;         ///< in the unit of the column's key

    [[nodiscard]] double mean() const { return count > 0 ? sum / static_cast<double>(count) : 0.0; }
};

/// Properties of a cell beside its text.
enum TableRole {
    ShareRole = Qt::UserRole,  ///< double, 0 to 1: length of a bar behind the text
    IconNameRole,              ///< QString: a drawing of resources/icons
    ToneRole,                  ///< int of a CellTone
    IndentRole,                ///< int, levels
    LinkRole,                  ///< session::Selection that a click selects
    StemRole,                  ///< int: letters at the beginning that other rows' names share
    SwatchRole,                ///< QString: name whose colour is shown before the text
};

enum class CellTone { Normal, Muted, Heading, Warning, Error, Link };

/// A table of columns over rows that are stored elsewhere. Sorting and filtering permute row
/// numbers, nothing is copied. A subclass defines the columns and the content of cells. Beyond
/// kRowsAtOnce rows the window stays responsive, and keeps showing the old content: the new order
/// comes with layoutChanged, the newly filtered rows with modelReset.
class ColumnTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    static constexpr std::uint32_t kRowsAtOnce = 20'000;  ///< arranged within a few milliseconds

    ~ColumnTableModel() override;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const final;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const final;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const final;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const final;
    /// Column -1 gives the order of the source back.
    void sort(int column, Qt::SortOrder order) final;

    /// Keeps the rows for which matches() is true.
    void setFilter(const QString& text);
    [[nodiscard]] const QString& filter() const { return m_filter; }

    /// Rows are being sorted or filtered.
    [[nodiscard]] bool isArranging() const;

    [[nodiscard]] const std::vector<TableColumn>& columns() const { return m_columns; }
    /// Row of the source that is shown in `row`.
    [[nodiscard]] std::uint32_t sourceRow(int row) const {
        return sortsItself() ? static_cast<std::uint32_t>(row)
                             : m_rows[static_cast<std::size_t>(row)];
    }
    /// -1 when the filter hides it.
    [[nodiscard]] int shownRow(std::uint32_t source) const;
    [[nodiscard]] std::uint32_t allRowCount() const { return sourceRowCount(); }
    /// The row of a column's largest number, whose text is the longest; -1 for texts, and where so
    /// many rows would have to be looked at that it takes long.
    [[nodiscard]] virtual int rowOfLargest(int column) const;
    /// The column whose sum is most useful for some rows: the one they are sorted by if that is a
    /// duration, else the first duration; -1: there is none.
    [[nodiscard]] int mainFigure() const;
    /// Of the shown rows of these ranges [first, last], which do not overlap. A column of numbers.
    [[nodiscard]] FigureSum sumOf(int column, const std::vector<std::pair<int, int>>& ranges) const;
    /// The cell as it is shown, but whole.
    [[nodiscard]] QString wholeText(int row, int column) const {
        return cellText(sourceRow(row), column);
    }
    /// The cell for a clipboard: texts whole, as in the file, and numbers as they are shown.
    [[nodiscard]] QString copiedText(int row, int column) const;
    /// The cell for programs: plain numbers in the unit of the column's key.
    [[nodiscard]] QString exportText(int row, int column) const {
        return exportCell(sourceRow(row), column);
    }

signals:
    void arrangingChanged();

protected:
    explicit ColumnTableModel(std::vector<TableColumn> columns, QObject* parent = nullptr);

    /// True for a subclass that sorts its source itself and never filters it: all rows are shown,
    /// as they stand in the source, and no numbers of millions of rows have to be made for that.
    [[nodiscard]] virtual bool sortsItself() const { return false; }
    /// Of such a subclass: ends with replaceRows(), now or later, as a worker sorts many rows.
    virtual void sortItself(int /*column*/, Qt::SortOrder /*order*/) {}
    /// Inside of replaceRows() only.
    void setHeader(int column, const QString& header) {
        m_columns[static_cast<std::size_t>(column)].header = header;
    }
    /// Inside of replaceRows() only: "Total ms".
    void setTimeHeader(int column, const QString& name, text::TimeUnit unit) {
        setHeader(column, name + QLatin1Char(' ') + QString::fromUtf8(unit.name));
    }

    [[nodiscard]] virtual std::uint32_t sourceRowCount() const = 0;
    [[nodiscard]] virtual QString cellText(std::uint32_t row, int column) const = 0;
    /// Of one kind for all rows of a column. A text must stay valid until the next call.
    [[nodiscard]] virtual query::SortKey sortKey(std::uint32_t row, int column) const = 0;
    /// The cell as it is shown: where no other text stands for it, for making one takes long.
    [[nodiscard]] std::string_view shownKey(std::uint32_t row, int column) const;
    /// The cell's number for sums, where the column is sorted by something else; NaN: it has none.
    [[nodiscard]] virtual double cellNumber(std::uint32_t row, int column) const {
        return sortNumber(row, column);
    }
    /// Any other role; invalid: nothing special. Tool tips as plain text.
    [[nodiscard]] virtual QVariant cellExtra(std::uint32_t row, int column, int role) const;
    [[nodiscard]] virtual QString exportCell(std::uint32_t row, int column) const;
    [[nodiscard]] virtual bool matches(std::uint32_t row, std::string_view filter) const;

    /// Runs `change`, which replaces the rows, between the signals of a reset.
    template <class Change>
    void replaceRows(Change change) {
        beginResetModel();
        change();
        arrange();
        endResetModel();
        sortLater();
    }
    /// After a change of what matches() accepts.
    void refilter();
    /// Inside of `change`: other columns; at least one. The rows are in the order of the source.
    void replaceColumns(std::vector<TableColumn> columns);
    /// After a change of one row's cells; its place stays.
    void rowChanged(std::uint32_t source);
    void setColumnHeader(int column, const QString& header, const QString& toolTip);

private:
    void arrange();
    void sortLater();
    void arrangeLater(bool filters);
    void takeArranged(std::vector<std::uint32_t> shown, std::vector<std::uint32_t> kept);
    void changeOrder(std::vector<std::uint32_t> rows);
    [[nodiscard]] bool isLarge() const { return sourceRowCount() > kRowsAtOnce; }
    /// The column's number in a row of the source; NaN for texts and without a value.
    [[nodiscard]] double sortNumber(std::uint32_t row, int column) const;
    [[nodiscard]] bool isSorted() const {
        return m_sortColumn >= 0 && m_sortColumn < columnCount();
    }
    [[nodiscard]] query::SortOrder sortOrder() const {
        return m_sortOrder == Qt::AscendingOrder ? query::SortOrder::Ascending
                                                 : query::SortOrder::Descending;
    }
    /// The "What's this?" text of a column and each of its cells.
    [[nodiscard]] QVariant columnHelp(int column) const;

    std::vector<TableColumn> m_columns;
    std::vector<std::uint32_t> m_rows;
    mutable std::string m_shownKey;  ///< what shownKey() points to
    QString m_filter;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
    std::unique_ptr<TableArranger> m_arranger;  ///< of many rows
    std::vector<std::uint32_t> m_kept;          ///< of many rows: filtered, in the source's order
    bool m_refilters = false;                   ///< m_kept is not that of the filter yet
};

}  // namespace kinetoscope::models
