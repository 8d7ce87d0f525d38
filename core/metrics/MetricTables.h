// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/Result.h"

namespace kinetoscope::metrics {

/// A field of a metric table; the first alternative is an empty field. A double is written with
/// six decimals.
using MetricValue = std::variant<std::monostate, std::int64_t, double, std::string>;
/// Column and value, in any order.
using MetricRow = std::vector<std::pair<std::string, MetricValue>>;

struct MetricTable {
    std::string name;
    std::vector<std::string> columns;  ///< without model_name, which is always the first
    bool enabled = false;
    std::int64_t rowsAdded = 0;

    [[nodiscard]] std::string fileName() const { return "metric_table_" + name + ".csv"; }
};

/// Whose columns and values tables have.
enum class MetricFormat : std::uint8_t {
    Current,   ///< today's PyTorch's
    Original,  ///< of PyTorch 2.4 and before: persistent_red_perf and kernel_metadata differ
};

/// The metric tables of a compiler run: rows are appended to one CSV file per table.
class MetricTables {
public:
    /// slow_fusion, graph_stats, persistent_red_perf, fusion_failure_due_to_indexing_mismatch and
    /// kernel_metadata, none of them enabled.
    explicit MetricTables(std::string folder, MetricFormat format = MetricFormat::Current);
    [[nodiscard]] MetricFormat format() const { return m_format; }

    /// Replaces a table of this name.
    void registerTable(std::string name, std::vector<std::string> columns);
    /// Names separated by commas; blanks around them and empty names are skipped. Fails on a name
    /// that is not registered, and then enables none.
    [[nodiscard]] Result<void> enable(std::string_view names);
    [[nodiscard]] bool isEnabled(std::string_view name) const;
    /// Null when there is none of this name.
    [[nodiscard]] const MetricTable* table(std::string_view name) const;
    [[nodiscard]] const std::vector<MetricTable>& tables() const { return m_tables; }
    [[nodiscard]] std::string path(const MetricTable& table) const;

    /// First field of every row added afterwards.
    void setModelName(std::string name) { m_modelName = std::move(name); }

    /// Appends the result of `row` to the table's file, which gets a header if it is new; `row` is
    /// only called if the table is enabled. Fails if the row's columns are not the table's, if an
    /// existing file has others, if there is no such table, and if the file cannot be written.
    [[nodiscard]] Result<void> addRow(std::string_view table,
                                      const std::function<MetricRow()>& row);

    /// Removes the files of the enabled tables and begins new ones with only a header.
    [[nodiscard]] Result<void> purge();

private:
    std::string m_folder;
    MetricFormat m_format;
    std::string m_modelName;
    std::vector<MetricTable> m_tables;
};

/// The names in a list that commas separate, without blanks around them and without empty ones.
[[nodiscard]] std::vector<std::string> tableNames(std::string_view list);

/// The text that a field gets.
[[nodiscard]] std::string metricText(const MetricValue& value);

}  // namespace kinetoscope::metrics
