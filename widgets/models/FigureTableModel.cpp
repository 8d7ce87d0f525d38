// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/FigureTableModel.h"

#include "widgets/models/Text.h"

namespace kinetoscope::models {

query::ColumnKeys FigureTableModel::sortKeys(int column) const {
    if (isText(column)) {
        return shownKeys(column);
    }
    std::vector<double> keys;
    keys.reserve(sourceRowCount());
    for (std::uint32_t row = 0; row < sourceRowCount(); ++row) {
        keys.push_back(number(row, column));
    }
    return keys;
}

QString FigureTableModel::exportCell(std::uint32_t row, int column) const {
    if (isText(column)) {
        return cellText(row, column);
    }
    return plainNumber(number(row, column));
}

}  // namespace kinetoscope::models
