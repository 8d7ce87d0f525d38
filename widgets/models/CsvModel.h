// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/metrics/Csv.h"
#include "widgets/models/ColumnTableModel.h"

namespace kinetoscope::models {

/// A table from a CSV file: columns of numbers sort as numbers, all others as text.
class CsvModel final : public ColumnTableModel {
    Q_OBJECT

public:
    explicit CsvModel(QObject* parent = nullptr);
    void setTable(metrics::CsvTable table);

    /// Columns that hold numbers and nothing else but empty cells.
    [[nodiscard]] const std::vector<int>& numericColumns() const { return m_numeric; }
    /// Of a shown row; nothing for an empty cell.
    [[nodiscard]] std::optional<double> number(int row, int column) const;

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] query::SortKey sortKey(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] bool matches(std::uint32_t row, std::string_view filter) const override;

private:
    [[nodiscard]] bool isNumeric(int column) const;

    metrics::CsvTable m_table;
    std::vector<int> m_numeric;
};

}  // namespace kinetoscope::models
