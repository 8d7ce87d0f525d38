// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/advise/HostTime.h"
#include "core/advise/Rule.h"
#include "core/analysis/IdleGaps.h"
#include "core/text/Format.h"

namespace kinetoscope::advise {

namespace {

using trace::SliceId;

Found findProfilerGaps(const Material& material) {
    const trace::Trace& trace = material.trace();
    std::vector<SliceId> slices;
    std::vector<TimeSpan> times;
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.category(slice) == trace::Category::Overhead && trace.duration(slice) > 0) {
            slices.push_back(slice);
            times.push_back(trace.span(slice));
        }
    }
    if (slices.empty()) {
        return {};
    }
    if (!hasApiCalls(trace)) {
        return {{}, std::string(kNoApiCalls)};
    }
    TimeNs idleNs = 0;
    const query::CoveredTime overhead = analysis::overheadTime(trace);
    for (const query::GpuRow& row : material.timeline().gpus()) {
        const analysis::IdleTime idle =
            analysis::measureIdle(trace, row, {}, material.links(), overhead);
        idleNs = addTime(idleNs, idle.profilerNs);
    }
    // It is recorded on rows of its own; whoever launches then is held up by it at most.
    ThreadSpans spans;
    for (const path::Node& node : material.graph().nodes) {
        if (node.kind == path::NodeKind::Call && !spans.contains(node.track)) {
            spans[node.track] = times;
        }
    }
    Finding finding;
    finding.title =
        fmt::format("The profiler itself took {}: {}",
                    text::formatDuration(
                        query::CoveredTime(query::unionOfUnsorted(times)).inside(trace.extent())),
                    trace.name(slices.front()));
    finding.todo =
        "Nothing in the program: this is what profiling costs. Profile after a warm-up "
        "(schedule(wait, warmup, active)), without stacks and memory, or with kscope record.";
    finding.whatIf = "no host time while the profiler itself was working";
    finding.evidence = {
        {"profiler's own work",
         countOf(slices.size()) + (slices.size() == 1 ? " slice" : " slices"),
         "Events of the category overhead", "whole trace"},
        {"GPU idle time caused by it", text::formatDuration(idleNs),
         "GPU gaps while it was working", "each GPU's first operation to its last"}};
    dropHostTime(material.graph(), std::move(spans), Waits::Kept, finding.changes);
    finding.events = longestEvents(trace, std::move(slices));
    return {{std::move(finding)}, {}};
}

}  // namespace

Rule profilerGapsRule() {
    return {
        {kProfilerGaps, "Gaps caused by the profiler",
         "The profiler's own work delayed the program; without profiling this time disappears."},
        findProfilerGaps,
        false};
}

}  // namespace kinetoscope::advise
