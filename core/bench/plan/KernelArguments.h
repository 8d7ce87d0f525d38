// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/bench/plan/LaunchGrid.h"
#include "core/metrics/KernelSource.h"

namespace kinetoscope::bench::plan {

/// A tensor argument as it lies in GPU memory.
struct BufferPlan {
    std::string name;           ///< parameter of the kernel
    std::string dtype;          ///< "float16"
    std::int64_t elements = 0;  ///< of storage, gaps by strides included
    std::int64_t numel = 0;     ///< of the tensor
    std::int64_t itemBytes = 0;
    bool random = false;   ///< floats: normal; else zero
    bool mutated = false;  ///< the kernel changes what it reads: restored before each launch
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;

    [[nodiscard]] std::int64_t bytes() const { return elements * itemBytes; }
};

/// One entry of the parameter block.
struct ParameterPlan {
    enum class Kind : std::uint8_t { Buffer, Value, GlobalScratch, Null };
    Kind kind = Kind::Null;
    std::string name;
    std::size_t buffer = 0;   ///< index of the BufferPlan
    std::uint64_t value = 0;  ///< bits, little endian
    std::uint32_t size = 8;   ///< bytes
};

/// The arguments of a kernel, sorted by where they go.
struct ArgumentPlan {
    std::vector<BufferPlan> buffers;
    std::vector<ParameterPlan> parameters;  ///< of the parameter block, scratch pointers not yet
    IntegerArguments integers;              ///< all, those without a parameter too
    std::vector<std::int64_t> launcherArguments;  ///< behind the kernel's own
};

/// Fails with the reason when the arguments cannot be made.
[[nodiscard]] Result<ArgumentPlan> planArguments(const metrics::KernelSource& source);

/// GB that one launch moves: kernel_num_gb, else all tensors once and those that are changed in
/// place twice.
[[nodiscard]] std::optional<double> kernelGigabytes(const metrics::KernelSource& source);

}  // namespace kinetoscope::bench::plan
