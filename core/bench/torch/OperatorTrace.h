// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "core/base/Result.h"

namespace kinetoscope::bench::libtorch {

/// Runs `work` while PyTorch says when each operator begins and ends on the CPU, and writes that as
/// a trace in the profiler's format to `path`. Throws what `work` throws.
[[nodiscard]] Result<void> traceOperators(const std::function<void()>& work,
                                          const std::string& path);

}  // namespace kinetoscope::bench::libtorch
