// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/compare/Comparison.h"
#include "widgets/models/ColumnTableModel.h"

namespace kinetoscope::models {

/// The kernels of a comparison by the size of their change: first what is sure to have changed
/// (each launch takes longer or shorter, there are more or fewer launches, or one side alone has
/// it), then what is UNSURE, then what is the SAME.
class CompareModel final : public ColumnTableModel {
    Q_OBJECT

public:
    enum Column {
        VerdictColumn,
        Name,
        Delta,
        Percent,
        Share,
        BaseTime,
        CandidateTime,
        BaseCount,
        CandidateCount,
        Q20,
        Q50,
        Q80,
        Low,
        High,
        Pairs,
        Match
    };

    explicit CompareModel(QObject* parent = nullptr);
    /// `comparison` must outlive the model or the next call; null: no rows.
    void setComparison(const compare::Comparison* comparison);
    /// Row of Comparison::kernels; -1 for a kernel of one side.
    [[nodiscard]] int kernelOf(int row) const;
    /// Shown row of a row of Comparison::kernels; -1 when it is filtered out.
    [[nodiscard]] int rowOfKernel(int kernel) const;
    /// "was … is …" of a row that was matched by operator; empty otherwise.
    [[nodiscard]] static QString replacement(const compare::KernelChange& kernel);

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] query::SortKey sortKey(std::uint32_t row, int column) const override;
    [[nodiscard]] double cellNumber(std::uint32_t row, int column) const override {
        return number(m_table[row], column);
    }
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] QString exportCell(std::uint32_t row, int column) const override;
    [[nodiscard]] bool matches(std::uint32_t row, std::string_view filter) const override;

private:
    /// One row in the shape that all columns understand.
    struct Row {
        const compare::KernelChange* kernel = nullptr;  ///< null: of one side
        const compare::KernelOfOneSide* only = nullptr;
        bool isBase = false;
        int index = -1;  ///< of Comparison::kernels
    };

    [[nodiscard]] double number(const Row& row, int column) const;
    void orderRows();
    [[nodiscard]] QString verdictText(const Row& row) const;
    [[nodiscard]] const std::string& nameOf(const Row& row) const;

    const compare::Comparison* m_comparison = nullptr;
    std::vector<Row> m_table;
    text::TimeUnit m_unit = text::kMicroseconds;  ///< of the totals
    std::vector<std::string> m_labels;            ///< shown names, by row
};

}  // namespace kinetoscope::models
