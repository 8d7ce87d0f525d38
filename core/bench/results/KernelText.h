// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/bench/plan/KernelPlan.h"
#include "core/bench/results/BenchResult.h"
#include "core/text/TextTable.h"

namespace kinetoscope::bench::results {

struct KernelTextOptions {
    bool allConfigs = false;
    std::string name = "None";  ///< of the benchmark, in compat lines
};

/// The lines that torch._inductor.wrapper_benchmark prints for its kernels, with the category from
/// the source; a kernel that could be benchmarked and was not run gets a reason.
[[nodiscard]] std::string kernelCompat(const ResultDocument& document,
                                       const KernelTextOptions& options, bool colour);

[[nodiscard]] std::string planText(const plan::CachePlan& plan, const text::TextStyle& style);

}  // namespace kinetoscope::bench::results
