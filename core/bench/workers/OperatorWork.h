// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/bench/operators/OperatorInputs.h"
#include "core/bench/results/BenchResult.h"
#include "core/bench/workers/BenchConsole.h"

namespace kinetoscope::bench::workers {

/// Options of a bench of operators.
struct OperatorsRun {
    results::ResultDocument document{results::ResultKind::Operators};  ///< without results
    bool shrink = false;  ///< smaller shapes where they run
    bool stream = false;  ///< events as JSON lines while it runs
    bool compat = false;  ///< operatorbench's lines while it runs
    /// Calls of a trace in place of recorded inputs; the document names the trace.
    std::vector<results::TracedOperator> traced;
    std::string resume;  ///< id of the result to go on with; empty: start over
    bool save = true;
};

/// One operator with its calls and the packages that Inductor compiled for them.
struct OperatorWork {
    operators::OperatorEntry entry;
    std::vector<std::string> packages;        ///< paths, by call; empty if there is none
    std::vector<std::string> packageReasons;  ///< why not
};

/// The calls by operator, those of matrices in other types behind each, with empty results for all
/// in `document`.
[[nodiscard]] std::vector<OperatorWork> tracedWorks(
    const std::vector<results::TracedOperator>& traced, results::ResultDocument& document);

/// The same calls with the overloads and the spelling of arguments that kscope-torch finds to fit;
/// calls that fit none go to those left out of `origin`.
[[nodiscard]] Result<std::vector<results::TracedOperator>> findOverloads(
    const std::string& program, const std::string& device,
    const std::vector<results::TracedOperator>& traced, results::TraceOrigin& origin,
    BenchConsole& console);

/// Makes kscope-torch run the measured calls once more, and records the kernels that they launch.
void nameKernels(const OperatorsRun& run, const std::string& program,
                 const std::vector<OperatorWork>& works, results::ResultDocument& document,
                 BenchConsole& console);

/// Compiles packages for all calls with the user's own Python and says in `unavailable` why there
/// are none at all. Files go to `folder`.
void compilePackages(std::vector<OperatorWork>& works, const results::ResultDocument& document,
                     const std::string& folder, std::string& unavailable, BenchConsole& console);

/// Runs the operators of `document` that are not done, each in a worker of `program`, and calls
/// `afterEach`.
[[nodiscard]] Result<void> runWorks(const OperatorsRun& run, const std::string& program,
                                    const std::vector<OperatorWork>& works,
                                    results::ResultDocument& document, BenchConsole& console,
                                    const std::function<void()>& afterEach);

}  // namespace kinetoscope::bench::workers
