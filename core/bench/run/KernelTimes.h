// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/Result.h"

namespace kinetoscope::bench::run {

/// When kernels of this process started and ended, as CUPTI records it on the GPU. CUPTI keeps one
/// recorder a process, so there is one of these; for the thread that launches.
class KernelTimes {
public:
    /// Whether there is a CUPTI to open.
    [[nodiscard]] static bool available();
    /// Opens CUPTI and starts; a second call only restarts. Fails with what is missing.
    [[nodiscard]] static Result<void> start();
    /// Durations in nanoseconds of the kernels that ended since the last call, in the order of
    /// their starts; those with one thread a block are ours and left out. Call it when the GPU is
    /// idle; waits a moment for records when there are fewer than `expected`. Empty before start().
    [[nodiscard]] static std::vector<double> take(std::size_t expected);
};

}  // namespace kinetoscope::bench::run
