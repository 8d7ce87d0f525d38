// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/kscope/Command.h"
#include "core/analysis/Window.h"

namespace kinetoscope::app {

/// The options of `kscope query`, checked.
struct QueryArguments {
    std::vector<std::string> words;  ///< files, and the SQL behind them unless it is in `file`
    std::string file;
    analysis::WindowChoice window;
    bool hasWindow = false;
    OutputFormat format = OutputFormat::Text;
    std::string output;
    bool fullNames = false;
    double timeLimitS = 0.0;
    double memoryLimitMib = 1024.0;
    unsigned threads = 0;
};

/// The options of `kscope export`.
struct ExportArguments {
    std::vector<std::string> paths;
    std::string output;
    unsigned threads = 0;
};

/// Give exit codes of Command.h.
[[nodiscard]] int runQuery(QueryArguments arguments);
[[nodiscard]] int runExport(const ExportArguments& arguments);

}  // namespace kinetoscope::app
