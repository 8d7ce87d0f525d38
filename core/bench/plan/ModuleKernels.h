// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/bench/plan/KernelPlan.h"

namespace kinetoscope::bench::plan {

/// The kernels of a compiled module.
struct ModuleKernels {
    std::vector<std::size_t> indices;  ///< into CachePlan::kernels, in the module's order
    std::size_t missing = 0;           ///< how many the caches lack
};

/// Finds the kernels that the module's text embeds in a plan, by the text of their sources. Those
/// that the caches lack are appended to the plan with a reason. Fails when the text cannot be read
/// as a compiled module.
[[nodiscard]] Result<ModuleKernels> findModuleKernels(const std::string& moduleText,
                                                      CachePlan& plan);

/// Folders that may hold the caches of a module: the one it lies in and those that its comments
/// name, else the one of the environment or PyTorch's own. Only those that exist, each once.
[[nodiscard]] std::vector<std::string> moduleCaches(const std::string& modulePath,
                                                    const std::string& moduleText);

/// The benchmark that the main of a compiled module names; "None" where it names none.
[[nodiscard]] std::string benchmarkName(std::string_view moduleText);

}  // namespace kinetoscope::bench::plan
