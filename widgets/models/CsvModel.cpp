// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/CsvModel.h"

#include <algorithm>
#include <limits>

#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::models {

namespace {

std::optional<double> numberOf(const std::string& field) {
    bool good = false;
    const double value = toText(field).trimmed().toDouble(&good);
    return good ? std::optional(value) : std::nullopt;
}

bool holdsNumbers(const metrics::CsvTable& table, std::size_t column) {
    const auto field = [&](const auto& row) { return numberOf(row[column]).has_value(); };
    const auto usable = [&](const auto& row) { return row[column].empty() || field(row); };
    return std::ranges::any_of(table.rows, field) && std::ranges::all_of(table.rows, usable);
}

}  // namespace

// A table always has a column, because views request the last one.
CsvModel::CsvModel(QObject* parent) : ColumnTableModel({TableColumn{}}, parent) {}

void CsvModel::setTable(metrics::CsvTable table) {
    std::vector<TableColumn> columns;
    m_numeric.clear();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const bool numeric = holdsNumbers(table, i);
        const QString name = toText(table.columns[i]);
        columns.push_back({name, style::shownText(name), style::plainToolTip(name),
                           numeric ? Qt::AlignRight : Qt::AlignLeft, numeric});
        if (numeric) {
            m_numeric.push_back(static_cast<int>(i));
        }
    }
    if (columns.empty()) {
        columns.emplace_back();
    }
    replaceRows([&] {
        m_table = std::move(table);
        replaceColumns(std::move(columns));
    });
}

bool CsvModel::isNumeric(int column) const {
    return std::ranges::find(m_numeric, column) != m_numeric.end();
}

std::optional<double> CsvModel::number(int row, int column) const {
    return numberOf(m_table.rows[sourceRow(row)][static_cast<std::size_t>(column)]);
}

std::uint32_t CsvModel::sourceRowCount() const {
    return static_cast<std::uint32_t>(m_table.rows.size());
}

QString CsvModel::cellText(std::uint32_t row, int column) const {
    return toText(m_table.rows[row][static_cast<std::size_t>(column)]);
}

query::SortKey CsvModel::sortKey(std::uint32_t row, int column) const {
    const std::string& field = m_table.rows[row][static_cast<std::size_t>(column)];
    if (!isNumeric(column)) {
        return std::string_view(field);
    }
    return numberOf(field).value_or(std::numeric_limits<double>::quiet_NaN());
}

QVariant CsvModel::cellExtra(std::uint32_t row, int column, int role) const {
    return role == Qt::ToolTipRole ? QVariant(cellText(row, column)) : QVariant();
}

bool CsvModel::matches(std::uint32_t row, std::string_view filter) const {
    return std::ranges::any_of(m_table.rows[row], [&](const std::string& field) {
        return query::containsText(field, filter);
    });
}

}  // namespace kinetoscope::models
