// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/Time.h"

namespace kinetoscope::stats {

/// Of a set of durations; all zero for an empty set.
struct DurationSummary {
    std::uint64_t count = 0;
    TimeNs total = 0;  ///< stays at the largest time instead of overflowing
    TimeNs min = 0;
    TimeNs max = 0;
    double mean = 0.0;
    double median = 0.0;             ///< of an even count: halfway, so it may end in .5
    double standardDeviation = 0.0;  ///< n - 1; 0 for a single time
};

[[nodiscard]] DurationSummary summarizeDurations(std::vector<TimeNs> times);

}  // namespace kinetoscope::stats
