// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/CategoryModel.h"

#include <algorithm>

#include "core/text/Format.h"
#include "widgets/models/Text.h"

namespace kinetoscope::models {

namespace {

std::vector<TableColumn> categoryColumns() {
    using S = QString;
    return {{S::fromLatin1("name"), S::fromLatin1("Category"), figureTip("categories"),
             Qt::AlignLeft, false},
            {S::fromLatin1("percent_of_sum"), S::fromLatin1("Of GPU work"),
             S::fromLatin1("Share of the time of all kernels, copies and memsets")},
            {S::fromLatin1("total_ns"), S::fromUtf8("Total µs"), figureTip("total_ns")},
            {S::fromLatin1("count"), S::fromLatin1("Operations"),
             S::fromLatin1("Kernels, copies and memsets")}};
}

QString heading(analysis::GroupBy group) {
    switch (group) {
        case analysis::GroupBy::Family:
            return QStringLiteral("Family");
        case analysis::GroupBy::Operator:
            return QStringLiteral("Operator");
        case analysis::GroupBy::Stream:
            return QStringLiteral("Stream");
        case analysis::GroupBy::Inductor:
            break;
    }
    return QStringLiteral("Category");
}

}  // namespace

CategoryModel::CategoryModel(QObject* parent) : ColumnTableModel(categoryColumns(), parent) {}

void CategoryModel::setReport(std::shared_ptr<const report::Report> report) {
    replaceRows([&] {
        m_report = std::move(report);
        setColumnHeader(Name, heading(m_report ? m_report->group : analysis::GroupBy::Inductor),
                        figureTip("categories"));
        TimeNs mostNs = 0;
        for (std::uint32_t row = 0; row < sourceRowCount(); ++row) {
            mostNs = std::max(mostNs, m_report->categories[row].totalNs);
        }
        m_unit = text::unitFor(mostNs);
        setTimeHeader(Total, QStringLiteral("Total"), m_unit);
    });
}

const analysis::CategoryRow& CategoryModel::category(int row) const {
    return m_report->categories[sourceRow(row)];
}

std::uint32_t CategoryModel::sourceRowCount() const {
    return m_report ? static_cast<std::uint32_t>(m_report->categories.size()) : 0;
}

QString CategoryModel::cellText(std::uint32_t row, int column) const {
    const analysis::CategoryRow& category = m_report->categories[row];
    switch (column) {
        case Name:
            return category.name.empty() ? QStringLiteral("(none)") : toText(category.name);
        case Share:
            return QString::fromStdString(text::formatPercent(category.percentOfSum, 100.0));
        case Total:
            return QString::fromStdString(text::inUnit(category.totalNs, m_unit));
        default:
            return QString::fromStdString(text::formatCount(static_cast<qint64>(category.count)));
    }
}

query::SortKey CategoryModel::sortKey(std::uint32_t row, int column) const {
    const analysis::CategoryRow& category = m_report->categories[row];
    switch (column) {
        case Name:
            return std::string_view(category.name);
        case Count:
            return static_cast<std::int64_t>(category.count);
        default:
            return category.totalNs;
    }
}

QVariant CategoryModel::cellExtra(std::uint32_t row, int column, int role) const {
    const analysis::CategoryRow& category = m_report->categories[row];
    if (role == ShareRole && column == Share) {
        return category.percentOfSum / 100.0;
    }
    if (role == Qt::ToolTipRole && column == Name) {
        return toText(category.name);
    }
    return {};
}

QString CategoryModel::exportCell(std::uint32_t row, int column) const {
    const analysis::CategoryRow& category = m_report->categories[row];
    switch (column) {
        case Name:
            return toText(category.name);
        case Share:
            return QString::number(category.percentOfSum, 'f', 4);
        case Total:
            return QString::number(category.totalNs);
        default:
            return QString::number(category.count);
    }
}

}  // namespace kinetoscope::models
