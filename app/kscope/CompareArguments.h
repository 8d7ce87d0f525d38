// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "core/compare/Comparison.h"
#include "core/compare/gate/FailOn.h"
#include "core/ranks/Job.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
class Option;
}  // namespace CLI

namespace kinetoscope::app {

/// The options of `kscope compare`, checked.
struct CompareArguments {
    std::vector<std::string> files;
    bool self = false;
    OutputFormat format = OutputFormat::Text;
    compare::CompareOptions options;
    std::vector<compare::FailCondition> failOn;
    std::string output;    ///< empty: standard output
    std::size_t top = 20;  ///< 0: all; JSON and CSV always have all
    bool fullNames = false;
    unsigned threads = 0;  ///< that read; 0: one for each processor
};

/// Formats, --output, --top, --full-names and --fail-on; returns those that apply to two sides.
std::vector<CLI::Option*> declareCompareOutput(CLI::App& app, CompareArguments& arguments);
/// --per and --match.
void declareMatching(CLI::App& app, compare::CompareOptions& options);

/// The exit code of a gate: prints what failed, or could not be tested, on standard error. `of`:
/// the candidate, where there are several; else empty.
[[nodiscard]] int gateCode(const compare::GateOutcome& outcome, const std::string& of);
/// The code of several gates, or of writing the output: a failure counts before what was not
/// tested.
[[nodiscard]] int worseCode(int one, int other);

/// Gives an exit code of Command.h.
[[nodiscard]] int runCompare(const CompareArguments& arguments);

/// Whether it is a folder of ranks or a partial.
[[nodiscard]] bool isJob(const std::string& path);
/// The job of these folders and files; unused files are reported on standard error.
[[nodiscard]] Result<ranks::Job> loadJob(CommandWatch& watch, const std::vector<std::string>& paths,
                                         unsigned threads);
/// runCompare() of two of them.
[[nodiscard]] int runCompareJobs(CommandWatch& watch, const CompareArguments& arguments);

}  // namespace kinetoscope::app
