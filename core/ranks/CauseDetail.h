// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/ranks/Cause.h"

namespace kinetoscope::ranks {

/// One rank's work in one step.
struct StepWork {
    TimeSpan span;                      ///< its segments, first to last; empty: none
    std::vector<std::size_t> segments;  ///< rows, see divideWork()
};

/// Details of a cause's time, relative to a rank that took as long as most: the kernels that took
/// longer or were more, or what the host did in the longest gap.
[[nodiscard]] std::string describeCause(const Cause& cause, const RankRecord& record,
                                        const StepWork& work, const RankRecord& usual,
                                        const StepWork& usualWork);

}  // namespace kinetoscope::ranks
