// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/analysis/Operators.h"
#include "widgets/models/AchievedColumns.h"
#include "widgets/models/FigureTableModel.h"

namespace kinetoscope::models {

/// The operators of a trace, one row for each name and side or, by shape, for each list of input
/// shapes too.
class OperatorTableModel final : public FigureTableModel {
    Q_OBJECT

public:
    enum Column {
        Name,
        Shapes,
        Side,
        Calls,
        SelfCpu,
        SelfCpuShare,
        Cpu,
        CpuShare,
        CpuMean,
        SelfGpu,
        SelfGpuShare,
        Gpu,
        GpuMean,
        Achieved  ///< the first of kAchievedColumns
    };
    enum class Sides { Cpu, Gpu, Both };

    explicit OperatorTableModel(QObject* parent = nullptr);

    /// Null: no rows.
    void setTable(std::shared_ptr<const analysis::OperatorTable> table);
    /// Of the table's trace and window, or null and the reason.
    void setAchieved(std::shared_ptr<const model::AchievedTable> achieved, const QString& whyNone);
    /// Only the operators, or only the work of the GPU.
    void setSides(Sides sides);

    [[nodiscard]] const analysis::OperatorRow& operatorRow(int row) const {
        return at(sourceRow(row));
    }
    /// The row of the same name, side and shapes, else of the same name and side; -1 without any.
    [[nodiscard]] int rowOf(const analysis::OperatorRow& wanted) const;
    /// Whether anything ran on a GPU.
    [[nodiscard]] bool hasGpu() const { return m_table && m_table->selfGpuUs > 0.0; }

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] bool isText(int column) const override { return column <= Side; }
    [[nodiscard]] double number(std::uint32_t row, int column) const override;
    [[nodiscard]] std::string_view textKey(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] QString exportCell(std::uint32_t row, int column) const override;
    [[nodiscard]] bool matches(std::uint32_t row, std::string_view filter) const override;

private:
    [[nodiscard]] const analysis::OperatorRow& at(std::uint32_t row) const {
        return m_table->rows[row];
    }

    [[nodiscard]] const model::Achieved* achieved(const analysis::OperatorRow& row) const;

    std::shared_ptr<const analysis::OperatorTable> m_table;
    text::TimeUnit m_unit = text::kMicroseconds;  ///< of the sums
    std::shared_ptr<const model::AchievedTable> m_achieved;
    QString m_whyNotAchieved;
    Sides m_sides = Sides::Both;
};

}  // namespace kinetoscope::models
