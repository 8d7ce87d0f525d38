// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/Comparison.h"
#include "widgets/models/ColumnTableModel.h"

namespace kinetoscope::models {

/// The steps of a comparison, in their order.
class StepChangeModel final : public ColumnTableModel {
    Q_OBJECT

public:
    enum Column { Name, Base, Candidate, Delta, Percent, BusyPercent, Kernels, Median, Kind };

    explicit StepChangeModel(QObject* parent = nullptr);
    /// `comparison` must outlive the model or the next call; null: no rows.
    void setComparison(const compare::Comparison* comparison);

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] query::SortKey sortKey(std::uint32_t row, int column) const override;
    [[nodiscard]] QString exportCell(std::uint32_t row, int column) const override;

private:
    [[nodiscard]] double number(std::uint32_t row, int column) const;

    const compare::Comparison* m_comparison = nullptr;
};

}  // namespace kinetoscope::models
