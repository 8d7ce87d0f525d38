// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/kscope/BenchArguments.h"
#include "core/bench/operators/OperatorInputs.h"
#include "core/bench/operators/OperatorResult.h"

namespace kinetoscope::app {

/// The options of `kscope bench operators`, checked.
struct OperatorArguments {
    bench::operators::OperatorDocument document;  ///< what was asked for, without results
    bool plan = false;
    bool shrink = false;
    bool stream = false;  ///< events as JSON lines while it runs
    std::string resume;   ///< id of the result to go on with; empty: begin anew
    BenchFormat format = BenchFormat::Text;
    bool keep = true;
    std::string output;  ///< empty: standard output
};

/// Gives an ExitCode; 1 also when results of implementations differ.
[[nodiscard]] int runBenchOperators(const OperatorArguments& arguments);

/// One operator with its calls and the packages that Inductor compiled for them.
struct OperatorWork {
    bench::operators::OperatorEntry entry;
    std::vector<std::string> packages;        ///< paths, by call; empty where there is none
    std::vector<std::string> packageReasons;  ///< why not
};

/// Runs the operators of `document` that are not done, each in a worker, and calls `afterEach`. A
/// worker that breaks costs the sample it was at. Fails when no worker can work at all.
[[nodiscard]] Result<void> runOperators(const OperatorArguments& arguments,
                                        const std::string& program,
                                        const std::vector<OperatorWork>& works,
                                        bench::operators::OperatorDocument& document,
                                        const std::function<void()>& afterEach);

/// Compiles packages for all calls with the user's own Python and says in `unavailable` why there
/// are none at all. Files go to `folder`.
void compilePackages(std::vector<OperatorWork>& works,
                     const bench::operators::OperatorDocument& document, const std::string& folder,
                     std::string& unavailable);

}  // namespace kinetoscope::app
