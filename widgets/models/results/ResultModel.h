// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "core/bench/results/BenchResult.h"
#include "widgets/models/FigureTableModel.h"

namespace kinetoscope::models {

/// An item of a result, or a part of one. Not owned; it may be filled while it is shown.
struct ResultRow {
    static constexpr std::size_t kWhole = SIZE_MAX;

    const bench::results::BenchItem* group = nullptr;
    std::size_t part = kWhole;

    [[nodiscard]] const bench::results::BenchItem& item() const {
        return part < group->parts.size() ? group->parts[part] : *group;
    }
    bool operator==(const ResultRow&) const = default;
};

/// A column of texts, of figures, or (without both) of what became of the rows.
struct ResultColumn {
    using Text = std::function<QString(const ResultRow&)>;

    TableColumn column;
    Text text = nullptr;                                       ///< as in the file
    std::function<double(const ResultRow&)> figure = nullptr;  ///< not-a-number: none
    Text shown = nullptr;                                      ///< in place of `text`
    bool isLink = false;
    bool hasBar = false;  ///< a share with a bar behind its text
};

/// Whether a row was run, or why not.
struct RowState {
    QString text;
    bool isProblem = false;
};

struct ResultTable {
    std::vector<ResultColumn> columns;
    std::vector<ResultRow> rows;
    std::function<RowState(const ResultRow&)> state;
};

/// The result of a bench, of kernels, operators, their calls or modules, and what of it runs now.
/// The filter searches the names of items.
class ResultModel final : public FigureTableModel {
    Q_OBJECT

public:
    explicit ResultModel(ResultTable table, QObject* parent = nullptr);

    void setTable(ResultTable table);
    /// Cells may have changed, the rows not: of all, or of one row of the table.
    void refresh();
    void refresh(std::size_t row) { rowChanged(static_cast<std::uint32_t>(row)); }
    /// Rows of the table that are still to run.
    void setWaiting(std::set<std::size_t> rows);
    /// The row of the table that runs now, if any; it no longer waits.
    void setRunning(std::optional<std::size_t> row);
    /// Nothing runs or waits.
    void endRun();

    [[nodiscard]] const ResultRow& row(int shown) const { return m_table.rows[sourceRow(shown)]; }
    /// Where it is shown; -1 when it is not.
    [[nodiscard]] int rowOf(const ResultRow& row) const;
    /// -1 when there is none.
    [[nodiscard]] int columnOf(const char* key) const;

protected:
    [[nodiscard]] std::uint32_t sourceRowCount() const override;
    [[nodiscard]] QString cellText(std::uint32_t row, int column) const override;
    [[nodiscard]] bool isText(int column) const override { return !at(column).figure; }
    [[nodiscard]] double number(std::uint32_t row, int column) const override;
    [[nodiscard]] query::SortKey sortKey(std::uint32_t row, int column) const override;
    [[nodiscard]] QVariant cellExtra(std::uint32_t row, int column, int role) const override;
    [[nodiscard]] QString exportCell(std::uint32_t row, int column) const override;
    [[nodiscard]] bool matches(std::uint32_t row, std::string_view filter) const override;

private:
    [[nodiscard]] const ResultColumn& at(int column) const {
        return m_table.columns[static_cast<std::size_t>(column)];
    }
    [[nodiscard]] static bool isState(const ResultColumn& column) {
        return !column.text && !column.figure;
    }
    [[nodiscard]] bool isPending(std::uint32_t row) const {
        return m_running == row || m_waiting.contains(row);
    }
    [[nodiscard]] QString stateText(std::uint32_t row) const;
    [[nodiscard]] double stateOrder(std::uint32_t row) const;

    ResultTable m_table;
    std::optional<std::size_t> m_running;
    std::set<std::size_t> m_waiting;
};

}  // namespace kinetoscope::models
