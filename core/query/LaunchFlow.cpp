// SPDX-License-Identifier: Apache-2.0
#include "core/query/LaunchFlow.h"

#include <algorithm>

#include "core/query/LaunchIds.h"
#include "core/query/SlicesInView.h"

namespace kinetoscope::query {

namespace {

void addLaunches(const trace::Trace& trace, trace::SliceId slice, std::vector<FlowArrow>& arrows) {
    const LaunchIds ids(trace);
    const std::int64_t launch = ids.of(slice);
    const bool isCall = trace::isApiCall(trace.category(slice));
    if (launch == trace::kNoId || (!isCall && !trace::isGpuOperation(trace.category(slice)))) {
        return;
    }
    const std::uint16_t source = sourceOf(trace, slice);
    for (trace::SliceId other = 0; other < trace.sliceCount(); ++other) {
        if (ids.of(other) != launch || sourceOf(trace, other) != source) {
            continue;
        }
        if (isCall && trace::isGpuOperation(trace.category(other))) {
            arrows.push_back({slice, other, FlowKind::Launch});
        } else if (!isCall && trace::isApiCall(trace.category(other))) {
            arrows.push_back({other, slice, FlowKind::Launch});
        }
    }
}

FlowKind flowKind(const trace::FlowPoint& flow) {
    return trace::categoryKind(flow.category) == trace::Category::FwdBwd ? FlowKind::Backward
                                                                         : FlowKind::Other;
}

bool sameFlow(const trace::Trace& trace, const trace::FlowPoint& a, const trace::FlowPoint& b) {
    return a.id == b.id && a.category == b.category && a.name == b.name &&
           sourceOfTrack(trace, a.track) == sourceOfTrack(trace, b.track);
}

void addPartners(LaneIndex& index, trace::SliceId slice, const trace::FlowPoint& here,
                 std::vector<FlowArrow>& arrows) {
    const trace::Trace& trace = index.trace();
    for (const trace::FlowPoint& there : trace.flows()) {
        const bool leaves = here.phase == 's';
        if (!sameFlow(trace, here, there) || leaves == (there.phase == 's')) {
            continue;
        }
        const auto partner = innermostAt(index, there.track, there.time);
        if (partner && *partner != slice) {
            arrows.push_back(leaves ? FlowArrow{slice, *partner, flowKind(here)}
                                    : FlowArrow{*partner, slice, flowKind(here)});
        }
    }
}

}  // namespace

std::vector<FlowArrow> arrowsOf(LaneIndex& index, trace::SliceId slice) {
    const trace::Trace& trace = index.trace();
    std::vector<FlowArrow> arrows;
    if (slice >= trace.sliceCount()) {
        return arrows;
    }
    addLaunches(trace, slice, arrows);
    const TimeSpan span = trace.span(slice);
    for (const trace::FlowPoint& flow : trace.flows()) {
        if (flow.track == trace.trackOf(slice) &&
            (span.contains(flow.time) || flow.time == span.start) &&
            innermostAt(index, flow.track, flow.time) == slice) {
            addPartners(index, slice, flow, arrows);
        }
    }
    std::ranges::stable_sort(arrows, {}, [&](const FlowArrow& arrow) {
        return trace.start(arrow.from == slice ? arrow.to : arrow.from);
    });
    return arrows;
}

}  // namespace kinetoscope::query
