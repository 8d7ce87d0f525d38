// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/metrics/CompileLog.h"
#include "core/metrics/MetricTables.h"

namespace kinetoscope::metrics {

/// Tables of our own beside Inductor's: what it counted in each region that it compiled, and size
/// and estimated time of each node in it.
inline constexpr std::string_view kCountersTable = "counters";
inline constexpr std::string_view kNodesTable = "nodes";

/// Makes those two known; neither is enabled.
void registerCompileTables(MetricTables& tables);

struct AddOptions {
    std::string name;    ///< in place of the benchmark's, as column model_name
    bool purge = false;  ///< files of earlier runs are replaced
};

/// Adds what a program's compilers did to the tables that are enabled, and to those that Inductor
/// has filled although `tables` does not know them. A table gets the columns of its first row;
/// persistent_red_perf is translated where `tables` has MetricFormat::Original. Gives a line for
/// each kernel that could not be read.
[[nodiscard]] Result<std::vector<std::string>> addToTables(const CompileLog& log,
                                                           MetricTables& tables,
                                                           const AddOptions& options);

}  // namespace kinetoscope::metrics
