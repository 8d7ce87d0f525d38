// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/bench/results/BenchResult.h"
#include "core/bench/run/KernelBench.h"
#include "core/bench/workers/BenchConsole.h"

namespace kinetoscope::bench::workers {

/// Options of a bench of kernels.
struct KernelsRun {
    std::vector<std::string> folders;  ///< of the plan: workers read it again
    int gpu = 0;
    bool stream = false;  ///< events as JSON lines while it runs
    bool save = true;     ///< the result is saved in the store
    run::KernelBenchOptions bench;
    bool methodChosen = false;  ///< by the user, so no other will do
};

/// Runs kernels of `plan` in worker processes and fills document.items, one for each selected
/// kernel, and document.gpu.
[[nodiscard]] Result<void> runWorkers(const KernelsRun& request, const plan::CachePlan& plan,
                                      const std::vector<std::size_t>& selected,
                                      results::ResultDocument& document, BenchConsole& console);

/// The worker: measures kernels of the plan one after the other and reports them line by line.
/// False if it cannot continue, which it has reported; fails if there is no plan.
[[nodiscard]] Result<bool> runKernelWorker(const KernelsRun& request,
                                           const std::vector<std::size_t>& indices,
                                           BenchConsole& console);

}  // namespace kinetoscope::bench::workers
