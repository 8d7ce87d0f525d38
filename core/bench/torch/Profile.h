// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "core/bench/torch/TorchCompat.h"

namespace kinetoscope::bench::libtorch {

/// The GPU operations that one run of `work` launches, in their order, by PyTorch's profiler over
/// several runs: [{"name", "time_ns"}], each with its mean. `prepare` runs before each, outside of
/// the profile. Empty on a CPU. Throws what `work` and the profiler throw.
[[nodiscard]] nlohmann::json launchedKernels(const std::function<void()>& prepare,
                                             const std::function<void()>& work,
                                             const at::Device& device);

}  // namespace kinetoscope::bench::libtorch
