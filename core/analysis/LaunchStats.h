// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include "core/analysis/WindowScope.h"
#include "core/query/GpuTimeline.h"
#include "core/query/LaunchLinks.h"

namespace kinetoscope::analysis {

/// Launch delay = GPU start - API end, signed. Graph launches (1:N) are only counted.
struct LaunchStats {
    std::uint64_t linked = 0;
    std::uint64_t unlinked = 0;         ///< GPU operations without an API call
    std::uint64_t graphOperations = 0;  ///< linked ones of graph launches; they have no delay
    std::uint64_t beforeApiStart = 0;   ///< linked ones that start before their call: clock skew
    std::uint64_t negativeDelay = 0;
    double medianDelayNs = 0.0;  ///< 0 without any delay
    TimeNs maxDelayNs = 0;       ///< 0 without any delay
};

/// How long after the end of their API calls the operations of one GPU that start in the window
/// began. Delays are signed; operations of graph launches have none.
[[nodiscard]] LaunchStats measureLaunches(const trace::Trace& trace, const query::GpuRow& row,
                                          const WindowScope& scope,
                                          const query::LaunchLinks& links);

}  // namespace kinetoscope::analysis
