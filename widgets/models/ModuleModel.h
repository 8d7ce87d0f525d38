// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bench/results/BenchResult.h"
#include "widgets/models/FigureTableModel.h"

namespace kinetoscope::models {

/// The runners of a module bench, group after group: medians forward and backward with their
/// intervals, and how they compare with the first of their group.
class ModuleModel final : public FigureTableModel {
    Q_OBJECT

public:
    enum Column {
        Group,
        Runner,
        Forward,
        ForwardInterval,
        ForwardVerdict,
        Backward,
        BackwardInterval,
        BackwardVerdict,
        Difference,
        TraceFile,
        State
    };

    explicit ModuleModel(QObject* parent = nullptr);

    /// Null: none. The model does not own it; call again after it was replaced.
    void setDocument(const bench::results::ResultDocument* document);
    /// Cells may have changed, the runners not. `running` counts runners over all groups.
    void refresh(std::optional<std::size_t> running);

    [[nodiscard]] const bench::results::BenchItem& group(int row) const;
    [[nodiscard]] const bench::results::BenchItem& runner(int row) const;
    /// Shown row of a runner of that group; -1 when there is none.
    [[nodiscard]] int rowOf(const bench::results::BenchItem& group, std::size_t runner) const;

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] bool isText(int column) const override;
    [[nodiscard]] double number(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] QString exportCell(std::uint32_t row, int column) const override;

private:
    struct Row {
        const bench::results::BenchItem* group;
        const bench::results::BenchItem* result;
    };

    [[nodiscard]] QString state(const Row& row) const;

    std::vector<Row> m_runners;
    std::optional<std::size_t> m_running;
};

}  // namespace kinetoscope::models
