// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/FigureTableModel.h"

#include "widgets/models/Text.h"

namespace kinetoscope::models {

query::SortKey FigureTableModel::sortKey(std::uint32_t row, int column) const {
    return isText(column) ? query::SortKey(textKey(row, column)) : number(row, column);
}

std::string_view FigureTableModel::textKey(std::uint32_t row, int column) const {
    return shownKey(row, column);
}

QString FigureTableModel::exportCell(std::uint32_t row, int column) const {
    if (isText(column)) {
        return cellText(row, column);
    }
    return plainNumber(number(row, column));
}

}  // namespace kinetoscope::models
