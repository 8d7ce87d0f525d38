// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/metrics/KernelSource.h"
#include "core/metrics/MetricTables.h"
#include "core/text/TextTable.h"

namespace kinetoscope::metrics {

/// A metric table as it is read on a terminal.
struct ShownTable {
    std::string text;
    std::size_t columnsShown = 0;  ///< those that the style has room for
    std::size_t columns = 0;
};

/// The table of a CSV file's text. Fails as parseCsv() does.
[[nodiscard]] Result<ShownTable> metricTableText(std::string_view csv,
                                                 const text::TextStyle& style);

/// "12 generated kernels: 7 pointwise, 5 reduction; 4096 bytes accessed".
[[nodiscard]] std::string kernelsSummary(const std::vector<KernelSource>& kernels);

/// "tables/metric_table_graph_stats.csv: 3 rows added" for each table that has grown.
[[nodiscard]] std::vector<std::string> rowsAdded(const MetricTables& tables);

}  // namespace kinetoscope::metrics
