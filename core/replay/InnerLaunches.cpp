// SPDX-License-Identifier: Apache-2.0
#include "core/replay/InnerLaunches.h"

#include <algorithm>

namespace kinetoscope::replay {

InnerLaunches::InnerLaunches(const trace::Trace& trace, const query::LaunchLinks& links)
    : m_trace(trace) {
    for (trace::GpuOpId id = 0; id < trace.gpuOperations().size(); ++id) {
        const trace::SliceId call =
            links.apiCall(id) != trace::kNoSlice ? links.apiCall(id) : links.launchingOperator(id);
        if (call != trace::kNoSlice) {
            m_launches.push_back(
                {trace.trackOf(call), trace.start(call), trace.gpuOperations()[id].slice});
        }
    }
    std::ranges::sort(m_launches);
}

std::vector<trace::SliceId> InnerLaunches::of(trace::SliceId slice) const {
    const trace::TrackId track = m_trace.trackOf(slice);
    const TimeSpan span = m_trace.span(slice);
    std::vector<trace::SliceId> found;
    for (auto at = std::ranges::lower_bound(m_launches, Launch{track, span.start, 0});
         at != m_launches.end() && at->track == track && at->time < span.end; ++at) {
        found.push_back(at->operation);
    }
    std::ranges::stable_sort(found, {}, [this](trace::SliceId one) { return m_trace.start(one); });
    return found;
}

}  // namespace kinetoscope::replay
