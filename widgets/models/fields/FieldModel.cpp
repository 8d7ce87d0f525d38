// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/fields/FieldModel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/text/Format.h"
#include "widgets/models/Text.h"

namespace kinetoscope::models {

namespace {

std::vector<TableColumn> columnsOf(const std::vector<Field>& fields) {
    std::vector<TableColumn> columns;
    columns.reserve(fields.size());
    for (const Field& field : fields) {
        columns.push_back(field.column);
    }
    return columns;
}

}  // namespace

FieldModel::FieldModel(std::vector<Field> fields, std::size_t rows, QObject* parent)
    : FigureTableModel(columnsOf(fields), parent), m_fields(std::move(fields)) {
    replaceRows([&] { m_count = static_cast<std::uint32_t>(rows); });
}

void FieldModel::setFields(std::vector<Field> fields, std::size_t rows) {
    replaceRows([&] {
        replaceColumns(columnsOf(fields));
        m_fields = std::move(fields);
        m_count = static_cast<std::uint32_t>(rows);
    });
}

QString FieldModel::cellText(std::uint32_t row, int column) const {
    return m_fields[static_cast<std::size_t>(column)].text(row);
}

bool FieldModel::isText(int column) const {
    return !m_fields[static_cast<std::size_t>(column)].number;
}

double FieldModel::number(std::uint32_t row, int column) const {
    return m_fields[static_cast<std::size_t>(column)].number(row);
}

QVariant FieldModel::cellExtra(std::uint32_t row, int column, int role) const {
    const Field& field = m_fields[static_cast<std::size_t>(column)];
    return field.extra ? field.extra(row, role) : QVariant();
}

bool FieldModel::matches(std::uint32_t row, std::string_view filter) const {
    if (filter.empty()) {
        return true;
    }
    const QString wanted = toText(filter);
    return std::ranges::any_of(m_fields, [&](const Field& field) {
        return field.text(row).contains(wanted, Qt::CaseInsensitive);
    });
}

TableColumn fieldColumn(const char* key, const QString& title, const QString& toolTip,
                        bool isText) {
    return {QString::fromLatin1(key), title, toolTip, isText ? Qt::AlignLeft : Qt::AlignRight,
            !isText};
}

Field textField(const char* key, const QString& title, const QString& toolTip,
                std::function<QString(std::uint32_t row)> text) {
    return {fieldColumn(key, title, toolTip, true), std::move(text)};
}

Field countField(const char* key, const QString& title, const QString& toolTip,
                 std::function<double(std::uint32_t row)> count) {
    return {fieldColumn(key, title, toolTip, false),
            [count](std::uint32_t row) {
                const double value = count(row);
                return std::isnan(value)
                           ? QString()
                           : toText(text::formatCount(static_cast<std::int64_t>(value)));
            },
            std::move(count)};
}

}  // namespace kinetoscope::models
