// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/CompareChart.h"

namespace kinetoscope::plots {

/// Speedup of each kernel, sorted by its median: a line from the smallest to the largest, a bar
/// from the 0.2 to the 0.8 quantile, a mark at the median; a rule at 1. A click selects a kernel.
class SpeedupRangeChart final : public CompareChart {
    Q_OBJECT

public:
    explicit SpeedupRangeChart(session::CompareState& state, QWidget* parent = nullptr);
    [[nodiscard]] QString toolTipAt(QPointF at) const override;
    /// Rows of Comparison::kernels from left to right.
    [[nodiscard]] const std::vector<int>& order() const { return m_order; }

protected:
    void fill(const session::ComparedPair& pair) override;
    void clicked(QPointF at) override;

private:
    [[nodiscard]] int kernelAt(QPointF at) const;  ///< -1: none

    std::vector<int> m_order;
};

/// Cumulative distribution of the kernels' median speedups: of kernels, and of their time in the
/// baseline.
class SpeedupDistributionChart final : public CompareChart {
    Q_OBJECT

public:
    explicit SpeedupDistributionChart(session::CompareState& state, QWidget* parent = nullptr);
    [[nodiscard]] QString toolTipAt(QPointF at) const override;

protected:
    void fill(const session::ComparedPair& pair) override;
};

}  // namespace kinetoscope::plots
