// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bench/results/BenchResult.h"
#include "widgets/models/FigureTableModel.h"

namespace kinetoscope::models {

/// The samples of one operator: its input, the time of each implementation and how it compares.
class OperatorSampleModel final : public FigureTableModel {
    Q_OBJECT

public:
    enum Column { Index, Input, Calls, FirstFigure };

    explicit OperatorSampleModel(QObject* parent = nullptr);

    /// Null: none. `result` is an operator of `document`; neither is owned.
    void setOperator(const bench::results::ResultDocument* document,
                     const bench::results::BenchItem* result);
    /// Cells may have changed, the samples not.
    void refresh();
    /// -1 when there is none.
    [[nodiscard]] int columnOf(const QString& key) const;
    [[nodiscard]] int stateColumn() const { return static_cast<int>(columns().size()) - 1; }

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] bool isText(int column) const override {
        return column == Input || column == stateColumn();
    }
    [[nodiscard]] double number(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] QString exportCell(std::uint32_t row, int column) const override;

private:
    enum class Kind { Time, Speedup, Cosine, MaxAbsolute, TraceTime, KernelTime, TraceRatio };
    struct Figure {
        Kind kind;
        std::string implementation;
    };

    [[nodiscard]] std::vector<TableColumn> makeColumns();
    void addFigure(std::vector<TableColumn>& columns, Kind kind, const std::string& name);
    [[nodiscard]] QString state(std::uint32_t row) const;

    const bench::results::ResultDocument* m_document = nullptr;
    const bench::results::BenchItem* m_result = nullptr;
    std::vector<Figure> m_figures;  ///< of the columns from FirstFigure
};

}  // namespace kinetoscope::models
