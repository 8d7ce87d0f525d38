// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "core/stream/CaptureFormat.h"

namespace kinetoscope::stream {

/// Limits of the number of blocks on a multiprocessor at a time. 0: not known.
struct MultiprocessorLimits {
    std::int64_t multiprocessors = 0;  ///< of the GPU
    std::int64_t warpSize = 0;
    std::int64_t threads = 0;
    std::int64_t blocks = 0;
    std::int64_t registers = 0;
    std::int64_t sharedBytes = 0;
    std::int64_t computeMajor = 0;
};

/// Threads on a multiprocessor while the kernel runs, in percent of what it has room for, as the
/// launch, registers and shared memory allow: torch.profiler's "est. achieved occupancy %", but
/// also right for blocks with more than 48 KiB of shared memory, where that one says 0. Nothing
/// where the limits are not known.
[[nodiscard]] std::optional<int> achievedOccupancyPercent(const MultiprocessorLimits& limits,
                                                          const format::KernelRecord& kernel);

}  // namespace kinetoscope::stream
