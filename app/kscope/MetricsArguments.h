// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/Result.h"
#include "core/metrics/MetricTables.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}

namespace kinetoscope::app {

/// Which metric tables a command writes, and where.
struct TableArguments {
    std::string tables;
    std::string name;
    std::string folder = ".";
    bool purge = false;
    bool original = false;
};

void declareTables(CLI::App& app, TableArguments& arguments);

/// None of them enabled. Makes the folder.
[[nodiscard]] Result<metrics::MetricTables> makeTables(const TableArguments& arguments);

}  // namespace kinetoscope::app
