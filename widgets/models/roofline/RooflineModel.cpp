// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/roofline/RooflineModel.h"

#include <limits>

#include "core/query/find/NameFilter.h"
#include "core/report/RooflineTable.h"
#include "core/text/Format.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::models {

namespace {

using report::RooflineColumn;

const std::vector<const RooflineColumn*>& rooflineColumns() {
    static const std::vector<const RooflineColumn*> columns = [] {
        std::vector<const RooflineColumn*> shown;
        for (const RooflineColumn& column : report::rooflineColumns()) {
            if (report::isShown(column)) {
                shown.push_back(&column);
            }
        }
        return shown;
    }();
    return columns;
}

const RooflineColumn& columnAt(int column) {
    return *rooflineColumns()[static_cast<std::size_t>(column)];
}

bool holdsText(const RooflineColumn& column) {
    return column.key == "name" || column.key == "shapes" || column.key == "peak" ||
           column.key == "bound";
}

std::vector<TableColumn> tableColumns() {
    std::vector<TableColumn> columns;
    for (const RooflineColumn* column : rooflineColumns()) {
        const bool isText = holdsText(*column);
        columns.push_back({toText(column->key),
                           toText(report::shownTitle(*column, text::kMilliseconds)),
                           column->definition.empty() ? QString() : figureTip(column->key),
                           isText ? Qt::AlignLeft : Qt::AlignRight, !isText});
    }
    return columns;
}

}  // namespace

RooflineModel::RooflineModel(QObject* parent) : FigureTableModel(tableColumns(), parent) {}

void RooflineModel::setRoofline(std::shared_ptr<const model::Roofline> roofline) {
    replaceRows([&] {
        m_roofline = std::move(roofline);
        m_unit = m_roofline ? report::rooflineUnit(*m_roofline) : text::kMilliseconds;
        for (int column = 0; column < columnCount(); ++column) {
            setHeader(column, toText(report::shownTitle(columnAt(column), m_unit)));
        }
    });
}

int RooflineModel::columnOf(std::string_view key) const {
    for (int column = 0; column < columnCount(); ++column) {
        if (columnAt(column).key == key) {
            return column;
        }
    }
    return -1;
}

std::uint32_t RooflineModel::sourceRowCount() const {
    return m_roofline ? static_cast<std::uint32_t>(m_roofline->rows.size()) : 0;
}

bool RooflineModel::isText(int column) const {
    return holdsText(columnAt(column));
}

double RooflineModel::number(std::uint32_t row, int column) const {
    const report::RooflineValue value = columnAt(column).value(m_roofline->rows[row]);
    if (const auto* count = std::get_if<std::uint64_t>(&value)) {
        return static_cast<double>(*count);
    }
    const auto* measure = std::get_if<double>(&value);
    return measure != nullptr ? *measure : std::numeric_limits<double>::quiet_NaN();
}

QString RooflineModel::cellText(std::uint32_t row, int column) const {
    const model::RooflineRow& one = m_roofline->rows[row];
    if (columnAt(column).key == "name" && m_roofline->by == model::RooflineBy::Kernel) {
        return toText(text::shortKernelName(one.name));
    }
    return toText(report::shownText(columnAt(column), one, m_unit));
}

QVariant RooflineModel::cellExtra(std::uint32_t row, int column, int role) const {
    const model::RooflineRow& one = m_roofline->rows[row];
    const std::string_view key = columnAt(column).key;
    if (role == Qt::ToolTipRole && (key == "name" || key == "shapes")) {
        return style::shownText(key == "name" ? one.name : one.shapes, style::kMaxToolTipLetters);
    }
    if (role == Qt::ToolTipRole && !one.note.empty() && (key == "efficiency" || key == "bound")) {
        return toText(one.note);
    }
    if (role == ShareRole && key == "efficiency" && one.efficiency) {
        return std::min(*one.efficiency, 1.0);
    }
    if (role == ToneRole && key == "efficiency" && one.efficiency.value_or(0.0) > 1.0) {
        return static_cast<int>(CellTone::Warning);
    }
    return {};
}

bool RooflineModel::matches(std::uint32_t row, std::string_view filter) const {
    const model::RooflineRow& one = m_roofline->rows[row];
    return query::containsText(one.name, filter) || query::containsText(one.shapes, filter);
}

}  // namespace kinetoscope::models
