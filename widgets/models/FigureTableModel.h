// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/models/ColumnTableModel.h"

namespace kinetoscope::models {

/// A table whose columns hold either texts, which sort and are exported as they are shown, or
/// numbers, of which some rows may have none.
class FigureTableModel : public ColumnTableModel {
    Q_OBJECT

protected:
    using ColumnTableModel::ColumnTableModel;

    [[nodiscard]] virtual bool isText(int column) const = 0;
    /// Of columns that are not text; NaN without a value.
    [[nodiscard]] virtual double number(std::uint32_t row, int column) const = 0;

    /// The sort key of a text: as the file has it if that is shown, because nothing has to be
    /// formatted then.
    [[nodiscard]] virtual std::string_view textKey(std::uint32_t row, int column) const;

    [[nodiscard]] query::SortKey sortKey(std::uint32_t row, int column) const override;
    [[nodiscard]] QString exportCell(std::uint32_t row, int column) const override;
};

}  // namespace kinetoscope::models
