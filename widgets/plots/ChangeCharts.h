// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/Units.h"
#include "widgets/plots/CompareChart.h"

namespace kinetoscope::plots {

/// The parts of the total change of kernel time: from the baseline's total over the largest
/// contributions, and the rest in one, to the candidate's, from top to bottom. A click selects a
/// kernel.
class WaterfallChart final : public CompareChart {
    Q_OBJECT

public:
    struct Part {
        QString name;
        double deltaNs = 0.0;
        int kernel = -1;  ///< row of Comparison::kernels
    };

    explicit WaterfallChart(session::CompareState& state, QWidget* parent = nullptr);
    [[nodiscard]] QString toolTipAt(QPointF at) const override;
    /// Between the two totals, from top to bottom.
    [[nodiscard]] const std::vector<Part>& parts() const { return m_parts; }

protected:
    void fill(const session::ComparedPair& pair) override;
    void clicked(QPointF at) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] int partsWithRoom() const;
    [[nodiscard]] const Part* partAt(QPointF at) const;
    void addBar(double row, double from, double to, const QColor& color);

    std::vector<Part> m_parts;
    int m_room = 0;  ///< most parts that were drawn
    compare::Both<double> m_total;
    text::TimeUnit m_unit = text::kMicroseconds;
};

/// The durations of the selected kernel on both sides, as two outlines over one time axis.
class DurationChangeChart final : public CompareChart {
    Q_OBJECT

public:
    explicit DurationChangeChart(session::CompareState& state, QWidget* parent = nullptr);

protected:
    void fill(const session::ComparedPair& pair) override;
};

/// How GPU time was spent on both sides beside each other, and the share of matrix multiplications
/// and convolutions.
class BreakdownChart final : public CompareChart {
    Q_OBJECT

public:
    explicit BreakdownChart(session::CompareState& state, QWidget* parent = nullptr);
    [[nodiscard]] QString toolTipAt(QPointF at) const override;

protected:
    void fill(const session::ComparedPair& pair) override;
};

}  // namespace kinetoscope::plots
