// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/bench/plan/KernelPlan.h"
#include "core/bench/results/BenchResult.h"
#include "core/bench/run/CudaGpu.h"
#include "core/bench/run/Measure.h"

namespace kinetoscope::bench::run {

struct KernelBenchOptions {
    MeasureOptions measure;
    bool accuracy = false;
    std::string dumpFolder;  ///< not empty: arguments before and after one launch go there
};

/// Runs one kernel in all its configurations. Fails only when the GPU cannot be used any more;
/// everything else ends as the result's reason.
[[nodiscard]] Result<results::BenchItem> benchKernel(CudaGpu& gpu, const plan::KernelPlan& plan,
                                                     const KernelBenchOptions& options);

/// The result of a kernel that was not run.
[[nodiscard]] results::BenchItem resultWithoutRun(const plan::KernelPlan& plan, std::string reason);

[[nodiscard]] results::GpuDescription describeGpu(const GpuInfo& info);

}  // namespace kinetoscope::bench::run
