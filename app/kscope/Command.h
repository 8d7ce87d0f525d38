// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/text/OutputFormat.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}

namespace kinetoscope::app {

using text::OutputFormat;

// Exit code of a command.
inline constexpr int kExitGood = 0;
inline constexpr int kExitOutput = 1;       ///< a result could not be written
inline constexpr int kExitSlower = 1;       ///< --fail-on: a change that should fail
inline constexpr int kExitInput = 2;        ///< wrong options, unreadable files
inline constexpr int kExitCancelled = 130;  ///< Ctrl-C: 128 + SIGINT, as shells have it

/// One row of the table of commands in main.cpp.
struct Command {
    const char* name;
    const char* summary;
    const char* usage;  ///< what follows "kscope NAME"
    /// Declares the options on `app`; what it returns runs once they are parsed and gives one
    /// of the exit codes above.
    std::function<int()> (*declare)(CLI::App& app);
    /// In place of it where a program to run follows the options: takes that program's words.
    std::function<int(const std::vector<std::string>&)> (*declareWithProgram)(CLI::App& app) =
        nullptr;
};

/// All of them, in the order of --help.
[[nodiscard]] std::span<const Command> allCommands();

std::function<int()> declareAbout(CLI::App& app);
std::function<int()> declareReport(CLI::App& app);
std::function<int()> declareCut(CLI::App& app);
std::function<int()> declareCompare(CLI::App& app);
std::function<int()> declareBaseline(CLI::App& app);
std::function<int()> declareCheck(CLI::App& app);
std::function<int()> declareHistory(CLI::App& app);
std::function<int()> declareRanks(CLI::App& app);
std::function<int()> declareMemory(CLI::App& app);
std::function<int()> declarePath(CLI::App& app);
std::function<int()> declareAdvise(CLI::App& app);
std::function<int()> declareBench(CLI::App& app);
/// Parts of bench.
std::function<int()> declareBenchOperators(CLI::App& app);
std::function<int()> declareBenchModules(CLI::App& app);
std::function<int()> declareBenchRoof(CLI::App& app);
std::function<int()> declareBenchModule(CLI::App& app);
std::function<int()> declareMetrics(CLI::App& app);
/// Part of metrics.
std::function<int(const std::vector<std::string>&)> declareMetricsRecord(CLI::App& app);
std::function<int()> declareResults(CLI::App& app);
std::function<int(const std::vector<std::string>&)> declareRecord(CLI::App& app);
std::function<int()> declareConvert(CLI::App& app);
std::function<int()> declareQuery(CLI::App& app);
std::function<int()> declareExport(CLI::App& app);
std::function<int()> declareMcp(CLI::App& app);
std::function<int()> declareDoctor(CLI::App& app);
std::function<int()> declareTorch(CLI::App& app);
std::function<int()> declareCompletion(CLI::App& app);

}  // namespace kinetoscope::app
