// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bench/results/BenchResult.h"
#include "widgets/models/FigureTableModel.h"

namespace kinetoscope::models {

/// The operators of a bench with the quantiles of their speedups, three columns an implementation.
class OperatorSpeedupModel final : public FigureTableModel {
    Q_OBJECT

public:
    enum Column { Name, Samples, Calls, Baseline, FirstQuantile };

    explicit OperatorSpeedupModel(QObject* parent = nullptr);

    /// Null: none. The model does not own it; call again after it was replaced.
    void setDocument(const bench::results::ResultDocument* document);
    /// Index of an operator in the document.
    void operatorChanged(std::size_t index) { rowChanged(static_cast<std::uint32_t>(index)); }
    /// The operator that runs now; nothing when none does.
    void setRunning(std::optional<std::size_t> index);
    [[nodiscard]] int stateColumn() const { return static_cast<int>(columns().size()) - 1; }

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] bool isText(int column) const override {
        return column == Name || column == stateColumn();
    }
    [[nodiscard]] double number(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] bool matches(std::uint32_t row, std::string_view filter) const override;

private:
    [[nodiscard]] QString state(std::uint32_t row) const;

    const bench::results::ResultDocument* m_document = nullptr;
    std::optional<std::size_t> m_running;
};

/// What a document's implementations are measured against the baseline: all but the baseline.
[[nodiscard]] std::vector<std::string> candidatesOf(const bench::results::ResultDocument& document);

}  // namespace kinetoscope::models
