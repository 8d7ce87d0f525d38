// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/bench/plan/KernelPlan.h"
#include "core/bench/results/BenchResult.h"
#include "widgets/models/FigureTableModel.h"

namespace kinetoscope::models {

/// The kernels of a cache, and what a bench measured of them so far.
class BenchModel final : public FigureTableModel {
    Q_OBJECT

public:
    enum Column {
        Name,
        State,
        Time,
        Interval,
        Rate,
        OfCopy,
        Worst,
        Configs,
        Category,
        Registers,
        Spills,
        Shared,
        Occupancy,
        Clock
    };
    enum class Progress { None, Waiting, Running };

    explicit BenchModel(QObject* parent = nullptr);

    /// Null: no cache. Forgets all results.
    void setPlan(std::shared_ptr<const bench::plan::CachePlan> plan);
    [[nodiscard]] const bench::plan::CachePlan* plan() const { return m_plan.get(); }
    [[nodiscard]] const bench::plan::KernelPlan& kernel(int row) const {
        return m_plan->kernels[sourceRow(row)];
    }
    /// Null before it was measured.
    [[nodiscard]] const bench::results::BenchItem* result(int row) const;
    /// Shown row of a kernel; -1 when there is none. An empty key stands for any.
    [[nodiscard]] int rowOf(const std::string& key, const std::string& name) const;

    void setCopyGbPerS(double rate) { m_copyGbPerS = rate; }
    /// Of all kernels.
    void setProgress(Progress progress);
    /// Of the shown rows.
    void setProgress(int row, Progress progress);
    void setResult(const bench::results::BenchItem& result);

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] bool isText(int column) const override {
        return column == Name || column == Category || column == State;
    }
    [[nodiscard]] double number(std::uint32_t row, int column) const override;
    [[nodiscard]] query::SortKey sortKey(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] bool matches(std::uint32_t row, std::string_view filter) const override;

private:
    struct Row {
        std::optional<bench::results::BenchItem> result;
        Progress progress = Progress::None;
    };

    [[nodiscard]] QString state(std::uint32_t row) const;
    [[nodiscard]] double stateOrder(std::uint32_t row) const;
    [[nodiscard]] bool hasReason(std::uint32_t row) const;

    std::shared_ptr<const bench::plan::CachePlan> m_plan;
    std::vector<Row> m_measured;
    double m_copyGbPerS = 0.0;
};

/// "XBLOCK 1024, 4 warps, 1 stage": a configuration's label without what is always the same.
[[nodiscard]] QString shortConfig(const std::string& label);

}  // namespace kinetoscope::models
