// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/bench/plan/KernelPlan.h"
#include "core/bench/results/BenchResult.h"
#include "core/bench/run/CudaGpu.h"
#include "core/bench/run/Measure.h"

namespace kinetoscope {

struct KernelBenchOptions {
    MeasureOptions measure;
    bool accuracy = false;
    std::string dumpFolder;  ///< not empty: arguments before and after one launch go there
};

/// Runs one kernel in all its configurations. Fails only when the GPU can't be used any more;
/// everything else ends as the result's reason.
[[nodiscard]] Result<KernelResult> benchKernel(CudaGpu& gpu, const KernelPlan& plan,
                                               const KernelBenchOptions& options);

/// The result of a kernel that was not run.
[[nodiscard]] KernelResult resultWithoutRun(const KernelPlan& plan, std::string reason);

[[nodiscard]] GpuDescription describeGpu(const GpuInfo& info);

}  // namespace kinetoscope
