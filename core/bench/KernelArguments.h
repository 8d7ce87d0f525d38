// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/KernelPlan.h"

namespace kinetoscope {

/// The arguments of a kernel, sorted by where they go.
struct ArgumentPlan {
    std::vector<BufferPlan> buffers;
    std::vector<ParameterPlan> parameters;  ///< of the parameter block, scratch pointers not yet
    IntegerArguments integers;              ///< all, those without a parameter too
    std::vector<std::int64_t> launcherArguments;  ///< behind the kernel's own
};

/// Fails with the reason when the arguments can't be made.
[[nodiscard]] Result<ArgumentPlan> planArguments(const KernelSource& source);

/// GB that one launch moves: kernel_num_gb, else all tensors once and those that are changed in
/// place twice.
[[nodiscard]] std::optional<double> kernelGigabytes(const KernelSource& source);

}  // namespace kinetoscope
