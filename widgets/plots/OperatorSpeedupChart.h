// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bench/results/BenchResult.h"
#include "widgets/plots/Chart.h"

namespace kinetoscope::plots {

/// Speedups over eager of an operator bench: for each operator and implementation a bar from the
/// 0.2 to the 0.8 quantile of its samples with a mark at the median, sorted by the median of the
/// first implementation; a rule at 1. A click chooses an operator.
class OperatorSpeedupChart final : public Chart {
    Q_OBJECT

public:
    explicit OperatorSpeedupChart(QWidget* parent = nullptr);

    /// Null: none. The chart does not own it; call refill() when it grew.
    void setDocument(const bench::results::ResultDocument* document);
    /// Index of an operator of the document; -1: none.
    void select(int index);

    /// Operators of the document that have a speedup, from left to right.
    [[nodiscard]] const std::vector<int>& order() const { return m_order; }
    /// The rectangle of a bar, in pixels of this widget; empty without one.
    [[nodiscard]] QRectF rangeRect(int index, const std::string& implementation) const;
    [[nodiscard]] QColor colorOf(const std::string& implementation) const;
    [[nodiscard]] QString toolTipAt(QPointF at) const override;
    [[nodiscard]] QSize sizeHint() const override { return {640, 260}; }

signals:
    void operatorClicked(int index);

protected:
    void drawContents() override;
    void clicked(QPointF at) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void sortOperators();
    void addRanges(std::size_t candidate);
    void labelOperators();
    void markSelected();
    [[nodiscard]] int operatorAt(QPointF at) const;  ///< -1: none
    [[nodiscard]] double placeOf(std::size_t at, std::size_t candidate) const;
    [[nodiscard]] double widthOfOne() const;

    const bench::results::ResultDocument* m_document = nullptr;
    std::vector<std::string> m_candidates;  ///< that have a speedup at all
    std::vector<int> m_order;
    int m_selected = -1;
};

}  // namespace kinetoscope::plots
