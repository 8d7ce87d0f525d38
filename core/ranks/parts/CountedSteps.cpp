// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/parts/CountedSteps.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace kinetoscope::ranks::parts {

namespace {

// When the optimizer's steps ended: those of the thread and the name that has most of them.
std::vector<TimeNs> optimizerEnds(const trace::Trace& trace) {
    constexpr std::string_view kOptimizer = "Optimizer.step#";
    std::map<std::pair<trace::TrackId, std::string_view>, std::vector<TimeNs>> ends;
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.category(slice) == trace::Category::UserAnnotation &&
            trace.name(slice).starts_with(kOptimizer)) {
            ends[{trace.trackOf(slice), trace.name(slice)}].push_back(trace.end(slice));
        }
    }
    const auto most = std::ranges::max_element(
        ends, {}, [](const auto& optimizer) { return optimizer.second.size(); });
    if (most == ends.end() || most->second.size() < 2) {
        return {};
    }
    std::ranges::sort(most->second);
    return std::move(most->second);
}

}  // namespace

std::vector<analysis::Step> countSteps(const trace::Trace& trace, const query::GpuRow* row,
                                       const query::LaunchLinks& links) {
    std::vector<analysis::Step> steps;
    TimeNs start = trace.extent().start;
    for (const TimeNs end : optimizerEnds(trace)) {
        analysis::Step& step = steps.emplace_back();
        step.number = static_cast<std::int64_t>(steps.size());
        step.span = {start, end};
        step.cpuEndNs = end;
        start = end;
    }
    if (row == nullptr || steps.empty()) {
        return steps;
    }
    for (const query::OperationTime& time : row->operations) {
        const trace::SliceId call = links.apiCall(time.operation);
        if (call == trace::kNoSlice) {
            continue;
        }
        const auto step =
            std::ranges::lower_bound(steps, trace.start(call), {}, &analysis::Step::cpuEndNs);
        if (step != steps.end()) {
            step->span.end = std::max(step->span.end, time.span.end);
        }
    }
    return steps;
}

}  // namespace kinetoscope::ranks::parts
