// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/bench/workers/KernelWorkers.h"

namespace kinetoscope::bench::workers {

/// Indices of the kernels whose name contains `match` and whose key is one of `keys`; without keys
/// it may be any.
[[nodiscard]] std::vector<std::size_t> selectKernels(const plan::CachePlan& plan,
                                                     const std::string& match,
                                                     const std::vector<std::string>& keys);

/// The plan of these kernels alone, in this order.
[[nodiscard]] plan::CachePlan partOf(const plan::CachePlan& plan,
                                     const std::vector<std::size_t>& selected);

/// Kernels of a compiled module within the plan of its caches.
struct ModulePlan {
    plan::CachePlan plan;
    std::vector<std::size_t> selected;
};

/// `folders`: its caches; if empty, filled with those that the module names.
[[nodiscard]] Result<ModulePlan> planModule(const std::string& path, const std::string& text,
                                            std::vector<std::string>& folders,
                                            BenchConsole& console);

/// Measures these kernels of the plan, in this order, in worker processes. A worker that ends
/// early costs the kernel it was at. Without CUPTI a method that needs it gives way to events,
/// unless it was chosen. Fails when no worker can work at all.
[[nodiscard]] Result<results::ResultDocument> runKernels(KernelsRun request,
                                                         const plan::CachePlan& plan,
                                                         const std::vector<std::size_t>& selected,
                                                         BenchConsole& console);

}  // namespace kinetoscope::bench::workers
