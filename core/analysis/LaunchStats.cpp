// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/LaunchStats.h"

#include <algorithm>

#include "core/stats/Statistics.h"

namespace kinetoscope::analysis {

LaunchStats measureLaunches(const trace::Trace& trace, const query::GpuRow& row,
                            const WindowScope& scope, const query::LaunchLinks& links) {
    LaunchStats stats;
    std::vector<TimeNs> delays;
    for (const query::OperationTime& time : row.operations) {
        if (!scope.takes(time.span.start)) {
            continue;
        }
        const trace::SliceId call = links.apiCall(time.operation);
        if (call == trace::kNoSlice) {
            ++stats.unlinked;
            continue;
        }
        ++stats.linked;
        stats.beforeApiStart += time.span.start < trace.start(call) ? 1U : 0U;
        if (links.isGraphLaunch(time.operation)) {
            ++stats.graphOperations;
            continue;
        }
        delays.push_back(time.span.start - trace.end(call));
        stats.negativeDelay += delays.back() < 0 ? 1U : 0U;
    }
    if (!delays.empty()) {
        stats.maxDelayNs = *std::ranges::max_element(delays);
        stats.medianDelayNs = stats::medianOf(delays);
    }
    return stats;
}

}  // namespace kinetoscope::analysis
