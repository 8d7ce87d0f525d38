// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/kscope/Options.h"
#include "core/bench/run/Measure.h"
#include "core/bench/workers/KernelWorkers.h"

namespace kinetoscope::app {

/// Options common to the commands that time kernels: `kernels`, `module` and `worker`.
struct KernelsOptions {
    bench::workers::KernelsRun run;
    OutputFormat format = OutputFormat::Text;
    bool plan = false;
    bool compat = false;
    bool noSave = false;
    bool allConfigs = false;
    std::string name = "None";
    std::string output;  ///< empty: standard output
};

/// How a kernel is timed.
void declareMeasuring(CLI::App& app, bench::workers::KernelsRun& run);

/// The output: --plan, or the result in one of the formats.
struct KernelsOutputOptions {
    CLI::Option* plan;
    CLI::Option* compat;
    FormatOptions formats;
};
KernelsOutputOptions declareKernelsOutput(CLI::App& app, KernelsOptions& options);

/// Measures, or only prints, these kernels of the plan. Gives an exit code of Command.h.
[[nodiscard]] int benchPlan(const KernelsOptions& options, const bench::plan::CachePlan& plan,
                            const std::vector<std::size_t>& selected);

}  // namespace kinetoscope::app
