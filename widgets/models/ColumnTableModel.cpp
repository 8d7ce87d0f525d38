// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/ColumnTableModel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

#include "widgets/models/arrange/RowKeys.h"
#include "widgets/models/arrange/TableArranger.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::models {

ColumnTableModel::ColumnTableModel(std::vector<TableColumn> columns, QObject* parent)
    : QAbstractTableModel(parent),
      m_columns(std::move(columns)),
      m_arranger(std::make_unique<TableArranger>(
          [this](std::vector<std::uint32_t> shown, std::vector<std::uint32_t> kept) {
              takeArranged(std::move(shown), std::move(kept));
          })) {}

ColumnTableModel::~ColumnTableModel() = default;

int ColumnTableModel::rowCount(const QModelIndex& parent) const {
    if (parent.isValid()) {
        return 0;
    }
    return static_cast<int>(sortsItself() ? sourceRowCount() : m_rows.size());
}

int ColumnTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant ColumnTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const std::uint32_t row = sourceRow(index.row());
    if (role == Qt::DisplayRole) {
        return style::shownText(cellText(row, index.column()));
    }
    if (role == Qt::ToolTipRole) {
        const QVariant tip = cellExtra(row, index.column(), role);
        return tip.isValid() ? QVariant(style::plainToolTip(tip.toString())) : QVariant();
    }
    if (role == Qt::TextAlignmentRole) {
        const auto& column = m_columns[static_cast<std::size_t>(index.column())];
        return static_cast<int>(column.alignment | Qt::AlignVCenter);
    }
    if (role == Qt::WhatsThisRole) {
        return columnHelp(index.column());
    }
    return cellExtra(row, index.column(), role);
}

QVariant ColumnTableModel::columnHelp(int column) const {
    const TableColumn& shown = m_columns[static_cast<std::size_t>(column)];
    return shown.toolTip.isEmpty() ? QVariant() : QVariant(shown.toolTip);
}

QVariant ColumnTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const TableColumn& column = m_columns[static_cast<std::size_t>(section)];
    switch (role) {
        case Qt::DisplayRole:
            return style::shownText(column.header);
        case Qt::ToolTipRole:
            return column.toolTip;
        case Qt::WhatsThisRole:
            return columnHelp(section);
        case Qt::TextAlignmentRole:
            return static_cast<int>(column.alignment | Qt::AlignVCenter);
        case Qt::InitialSortOrderRole:
            return static_cast<int>(column.largestFirst ? Qt::DescendingOrder : Qt::AscendingOrder);
        default:
            return {};
    }
}

int ColumnTableModel::mainFigure() const {
    const auto isDuration = [this](int column) {
        const QString& key = m_columns[static_cast<std::size_t>(column)].key;
        return key.endsWith(QLatin1String("_ns")) && key != QLatin1String("start_ns");
    };
    if (isSorted() && isDuration(m_sortColumn)) {
        return m_sortColumn;
    }
    for (int column = 0; column < columnCount(); ++column) {
        if (isDuration(column)) {
            return column;
        }
    }
    return -1;
}

FigureSum ColumnTableModel::sumOf(int column,
                                  const std::vector<std::pair<int, int>>& ranges) const {
    FigureSum sum;
    for (const auto& [first, last] : ranges) {
        for (int row = first; row <= last; ++row) {
            const double value = cellNumber(sourceRow(row), column);
            if (std::isfinite(value)) {
                ++sum.count;
                sum.sum += value;
            }
        }
    }
    return sum;
}

void ColumnTableModel::sort(int column, Qt::SortOrder order) {
    if (sortsItself()) {
        sortItself(column, order);
        return;
    }
    m_sortColumn = column;
    m_sortOrder = order;
    if (isLarge()) {
        arrangeLater(m_refilters);
        return;
    }
    std::vector<std::uint32_t> before = std::exchange(m_rows, {});
    arrange();
    std::swap(before, m_rows);
    changeOrder(std::move(before));
}

// Keeps the selection.
void ColumnTableModel::changeOrder(std::vector<std::uint32_t> rows) {
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::uint32_t> sources;
    sources.reserve(static_cast<std::size_t>(before.size()));
    for (const QModelIndex& index : before) {
        sources.push_back(sourceRow(index.row()));
    }
    m_rows = std::move(rows);
    std::vector<int> places(before.isEmpty() ? 0 : sourceRowCount(), -1);
    for (std::size_t row = 0; row < m_rows.size() && !places.empty(); ++row) {
        places[m_rows[row]] = static_cast<int>(row);
    }
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        after.append(index(places[sources[static_cast<std::size_t>(i)]], before[i].column()));
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void ColumnTableModel::refilter() {
    if (isLarge()) {
        arrangeLater(true);
    } else {
        replaceRows([] {});
    }
}

bool ColumnTableModel::isArranging() const {
    return m_arranger->busy();
}

void ColumnTableModel::arrangeLater(bool filters) {
    m_refilters = filters;
    Arrangement wanted;
    wanted.rows = sourceRowCount();
    if (filters) {
        wanted.keep = [this, filter = m_filter.toStdString()](std::uint32_t row) {
            return matches(row, filter);
        };
    } else {
        wanted.kept = m_kept;
    }
    if (isSorted()) {
        wanted.key = [this, column = m_sortColumn](std::uint32_t row) {
            return sortKey(row, column);
        };
        wanted.order = sortOrder();
    }
    const bool was = isArranging();
    m_arranger->start(std::move(wanted));
    if (!was) {
        emit arrangingChanged();
    }
}

void ColumnTableModel::takeArranged(std::vector<std::uint32_t> shown,
                                    std::vector<std::uint32_t> kept) {
    m_kept = std::move(kept);
    if (std::exchange(m_refilters, false)) {
        beginResetModel();
        m_rows = std::move(shown);
        endResetModel();
    } else {
        changeOrder(std::move(shown));
    }
    emit arrangingChanged();
}

void ColumnTableModel::setFilter(const QString& text) {
    if (text == m_filter) {
        return;
    }
    m_filter = text;
    refilter();
}

int ColumnTableModel::shownRow(std::uint32_t source) const {
    if (sortsItself()) {
        return source < sourceRowCount() ? static_cast<int>(source) : -1;
    }
    const auto found = std::find(m_rows.begin(), m_rows.end(), source);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

QString ColumnTableModel::copiedText(int row, int column) const {
    const TableColumn& shown = m_columns[static_cast<std::size_t>(column)];
    return shown.alignment.testFlag(Qt::AlignRight) ? wholeText(row, column)
                                                    : exportText(row, column);
}

int ColumnTableModel::rowOfLargest(int column) const {
    const TableColumn& shown = m_columns[static_cast<std::size_t>(column)];
    if (!shown.alignment.testFlag(Qt::AlignRight) || m_rows.empty() || isLarge()) {
        return -1;
    }
    const auto size = [&](std::uint32_t row) {
        const double number = sortNumber(row, column);
        return std::isnan(number) ? -1.0 : std::abs(number);
    };
    return static_cast<int>(std::ranges::max_element(m_rows, {}, size) - m_rows.begin());
}

void ColumnTableModel::replaceColumns(std::vector<TableColumn> columns) {
    m_columns = std::move(columns);
    m_sortColumn = -1;
}

void ColumnTableModel::rowChanged(std::uint32_t source) {
    if (const int row = shownRow(source); row >= 0) {
        emit dataChanged(index(row, 0), index(row, columnCount() - 1));
    }
}

void ColumnTableModel::setColumnHeader(int column, const QString& header, const QString& toolTip) {
    TableColumn& changed = m_columns[static_cast<std::size_t>(column)];
    changed.header = header;
    changed.toolTip = toolTip;
}

std::string_view ColumnTableModel::shownKey(std::uint32_t row, int column) const {
    m_shownKey = cellText(row, column).toStdString();
    return m_shownKey;
}

double ColumnTableModel::sortNumber(std::uint32_t row, int column) const {
    const auto number = []<class T>(T key) {
        if constexpr (std::is_arithmetic_v<T>) {
            return static_cast<double>(key);
        }
        return std::numeric_limits<double>::quiet_NaN();
    };
    return std::visit(number, sortKey(row, column));
}

QVariant ColumnTableModel::cellExtra(std::uint32_t, int, int) const {
    return {};
}

QString ColumnTableModel::exportCell(std::uint32_t row, int column) const {
    return cellText(row, column);
}

bool ColumnTableModel::matches(std::uint32_t, std::string_view) const {
    return true;
}

// Inside of a reset. Many rows stand in the order of the source until a worker has sorted them.
void ColumnTableModel::arrange() {
    m_arranger->cancel();
    m_refilters = false;
    if (sortsItself()) {
        return;
    }
    const std::string filter = m_filter.toStdString();
    m_rows = query::filterRows(query::allRows(sourceRowCount()),
                               [&](std::uint32_t row) { return matches(row, filter); });
    m_kept.clear();
    if (isLarge()) {
        m_kept = m_rows;
    } else if (isSorted()) {
        RowKeys keys(m_rows.size());
        for (const std::uint32_t row : m_rows) {
            keys.add(sortKey(row, m_sortColumn));
        }
        m_rows = std::move(keys).sorted(m_rows, sortOrder());
    }
}

void ColumnTableModel::sortLater() {
    if (isLarge() && isSorted()) {
        arrangeLater(false);
    }
}

}  // namespace kinetoscope::models
