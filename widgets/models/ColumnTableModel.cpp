// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/ColumnTableModel.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <variant>

#include "widgets/style/PlainText.h"

namespace kinetoscope::models {

ColumnTableModel::ColumnTableModel(std::vector<TableColumn> columns, QObject* parent)
    : QAbstractTableModel(parent), m_columns(std::move(columns)) {}

int ColumnTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
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
    return cellExtra(row, index.column(), role);
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
        case Qt::TextAlignmentRole:
            return static_cast<int>(column.alignment | Qt::AlignVCenter);
        case Qt::InitialSortOrderRole:
            return static_cast<int>(column.largestFirst ? Qt::DescendingOrder : Qt::AscendingOrder);
        default:
            return {};
    }
}

void ColumnTableModel::sort(int column, Qt::SortOrder order) {
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::uint32_t> sources;
    sources.reserve(static_cast<std::size_t>(before.size()));
    for (const QModelIndex& index : before) {
        sources.push_back(sourceRow(index.row()));
    }
    m_sortColumn = column;
    m_sortOrder = order;
    arrange();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        after.append(index(shownRow(sources[static_cast<std::size_t>(i)]), before[i].column()));
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void ColumnTableModel::setFilter(const QString& text) {
    if (text == m_filter) {
        return;
    }
    m_filter = text;
    refilter();
}

int ColumnTableModel::shownRow(std::uint32_t source) const {
    const auto found = std::find(m_rows.begin(), m_rows.end(), source);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int ColumnTableModel::rowOfLargest(int column) const {
    const TableColumn& shown = m_columns[static_cast<std::size_t>(column)];
    if (!shown.alignment.testFlag(Qt::AlignRight) || m_rows.empty()) {
        return -1;
    }
    const auto find = [this]<class T>(const std::vector<T>& keys) {
        if constexpr (std::is_arithmetic_v<T>) {
            const auto size = [&](std::uint32_t row) {
                const auto number = static_cast<double>(keys[row]);
                return std::isnan(number) ? -1.0 : std::abs(number);
            };
            return static_cast<int>(std::ranges::max_element(m_rows, {}, size) - m_rows.begin());
        }
        return -1;
    };
    return std::visit(find, sortKeys(column));
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

query::ColumnKeys ColumnTableModel::shownKeys(int column) const {
    m_shownKeys.clear();
    for (std::uint32_t row = 0; row < sourceRowCount(); ++row) {
        m_shownKeys.push_back(cellText(row, column).toStdString());
    }
    return std::vector<std::string_view>(m_shownKeys.begin(), m_shownKeys.end());
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

void ColumnTableModel::arrange() {
    const std::string filter = m_filter.toStdString();
    m_rows = query::filterRows(query::allRows(sourceRowCount()),
                               [&](std::uint32_t row) { return matches(row, filter); });
    if (m_sortColumn >= 0 && m_sortColumn < columnCount()) {
        query::sortRows(m_rows, sortKeys(m_sortColumn),
                        m_sortOrder == Qt::AscendingOrder ? query::SortOrder::Ascending
                                                          : query::SortOrder::Descending);
    }
}

}  // namespace kinetoscope::models
