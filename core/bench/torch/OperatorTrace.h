// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "core/base/Result.h"

namespace kinetoscope::bench::libtorch {

/// Runs `work` while recording PyTorch's operators on the CPU, and writes them as a trace in the
/// profiler's format to `path`. Throws what `work` throws.
[[nodiscard]] Result<void> traceOperators(const std::function<void()>& work,
                                          const std::string& path);

}  // namespace kinetoscope::bench::libtorch
