// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/bench/BenchResult.h"
#include "core/bench/CudaGpu.h"
#include "core/bench/KernelPlan.h"

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

/// Keeps other benches off a GPU for the life of the object, in all processes of the machine.
class GpuLock {
public:
    /// Waits for another bench to end; `waiting` is called once when there is one. Fails when the
    /// lock's file can't be made.
    [[nodiscard]] static Result<GpuLock> take(const std::string& uuid,
                                              const std::function<void()>& waiting);
    GpuLock(GpuLock&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
    GpuLock& operator=(GpuLock&&) = delete;
    GpuLock(const GpuLock&) = delete;
    GpuLock& operator=(const GpuLock&) = delete;
    ~GpuLock();

private:
    explicit GpuLock(int descriptor) : m_descriptor(descriptor) {}
    int m_descriptor;
};

}  // namespace kinetoscope
