// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/details/DetailsModel.h"

namespace kinetoscope::models {

DetailsModel::DetailsModel(QObject* parent)
    : ColumnTableModel(
          {{QStringLiteral("property"), QStringLiteral("Property"), QString(), Qt::AlignLeft,
            false},
           {QStringLiteral("value"), QStringLiteral("Value"), QString(), Qt::AlignLeft, false}},
          parent) {}

void DetailsModel::setLines(std::vector<DetailLine> lines) {
    replaceRows([&] { m_lines = std::move(lines); });
}

std::uint32_t DetailsModel::sourceRowCount() const {
    return static_cast<std::uint32_t>(m_lines.size());
}

QString DetailsModel::cellText(std::uint32_t row, int column) const {
    return column == Label ? m_lines[row].label : m_lines[row].value;
}

/// Lines keep their order: they belong to the heading above them.
query::SortKey DetailsModel::sortKey(std::uint32_t, int) const {
    return std::int64_t{0};
}

QVariant DetailsModel::cellExtra(std::uint32_t row, int column, int role) const {
    const DetailLine& line = m_lines[row];
    if (role == ToneRole) {
        const CellTone tone = line.heading            ? CellTone::Heading
                              : column == Label       ? CellTone::Muted
                              : !isNothing(line.link) ? CellTone::Link
                                                      : CellTone::Normal;
        return static_cast<int>(tone);
    }
    if (role == IndentRole && column == Label) {
        return line.level;
    }
    if (role == LinkRole && !isNothing(line.link)) {
        return QVariant::fromValue(line.link);
    }
    if (role == Qt::ToolTipRole && column == Value) {
        return line.value;
    }
    return {};
}

}  // namespace kinetoscope::models
