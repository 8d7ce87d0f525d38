// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bench/modules/ModuleResult.h"
#include "widgets/models/ColumnTableModel.h"

namespace kinetoscope {

/// The runners of a module bench, group after group: medians forward and backward with their
/// intervals, and how they compare with the first of their group.
class ModuleModel final : public ColumnTableModel {
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
    void setDocument(const ModuleDocument* document);
    /// Cells may have changed, the runners not. `running` is "lstm/jit" or empty.
    void refresh(const std::string& running);

    [[nodiscard]] const ModuleGroup& group(int row) const;
    [[nodiscard]] const ModuleResult& runner(int row) const;
    /// Shown row of a runner of that group; -1 when there is none.
    [[nodiscard]] int rowOf(const ModuleGroup& group, std::size_t runner) const;

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] ColumnKeys sortKeys(int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] QString exportCell(std::uint32_t row, int column) const override;

private:
    struct Row {
        const ModuleGroup* group;
        const ModuleResult* result;
    };

    /// Not-a-number where there is none.
    [[nodiscard]] double number(std::uint32_t row, int column) const;
    [[nodiscard]] QString state(const Row& row) const;
    [[nodiscard]] static bool isText(int column);

    std::vector<Row> m_runners;
    std::string m_running;
    mutable std::vector<std::string> m_keys;
};

}  // namespace kinetoscope
