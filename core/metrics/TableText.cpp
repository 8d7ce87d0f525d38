// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/TableText.h"

#include <fmt/format.h>

#include "core/base/WholeNumber.h"
#include "core/metrics/Csv.h"
#include "core/metrics/SourceFolder.h"
#include "core/text/Printable.h"

namespace kinetoscope::metrics {

namespace {

text::TextTable tableOf(const CsvTable& csv) {
    constexpr int kMaxColumn = 16;
    std::vector<text::TextTable::Column> columns;
    columns.reserve(csv.columns.size());
    for (std::size_t i = 0; i < csv.columns.size(); ++i) {
        const bool numbers = !csv.rows.empty() && wholeNumber(csv.rows.front()[i]);
        columns.push_back(
            {text::printable(csv.columns[i]), numbers, static_cast<int>(i), kMaxColumn});
    }
    text::TextTable table(std::move(columns));
    for (const auto& row : csv.rows) {
        std::vector<std::string> cells;
        cells.reserve(row.size());
        for (const std::string& field : row) {
            cells.push_back(text::printable(field));
        }
        table.addRow(std::move(cells));
    }
    return table;
}

}  // namespace

Result<ShownTable> metricTableText(std::string_view csv, const text::TextStyle& style) {
    const auto parsed = parseCsv(csv);
    if (!parsed) {
        return tl::unexpected(parsed.error());
    }
    const text::TextTable table = tableOf(*parsed);
    return ShownTable{table.text(style, 0), table.columnsShown(style, 0), parsed->columns.size()};
}

std::string kernelsSummary(const std::vector<KernelSource>& kernels) {
    std::string text = fmt::format("{} generated kernels", kernels.size());
    std::string separator = ": ";
    for (const auto& [category, count] : kernelsByCategory(kernels)) {
        text += fmt::format("{}{} {}", separator, count, category);
        separator = ", ";
    }
    return text + fmt::format("; {} bytes accessed", bytesAccessed(kernels));
}

std::vector<std::string> rowsAdded(const MetricTables& tables) {
    std::vector<std::string> lines;
    for (const MetricTable& table : tables.tables()) {
        if (table.rowsAdded > 0) {
            lines.push_back(fmt::format("{}: {} rows added", text::printable(tables.path(table)),
                                        table.rowsAdded));
        }
    }
    return lines;
}

}  // namespace kinetoscope::metrics
