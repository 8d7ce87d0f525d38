// SPDX-License-Identifier: Apache-2.0
#include "core/query/LaunchFlow.h"

#include <algorithm>

#include "core/query/LaunchIds.h"
#include "core/query/SlicesInView.h"

namespace kinetoscope {

namespace {

std::uint16_t sourceOf(const Trace& trace, TrackId track) {
    return trace.processes()[trace.tracks()[track].process].source;
}

void addLaunches(const Trace& trace, SliceId slice, std::vector<FlowArrow>& arrows) {
    const LaunchIds ids(trace);
    const std::int64_t launch = ids.of(slice);
    const bool isCall = isApiCall(trace.category(slice));
    if (launch == kNoId || (!isCall && !isGpuOperation(trace.category(slice)))) {
        return;
    }
    const std::uint16_t source = sourceOf(trace, trace.trackOf(slice));
    for (SliceId other = 0; other < trace.sliceCount(); ++other) {
        if (ids.of(other) != launch || sourceOf(trace, trace.trackOf(other)) != source) {
            continue;
        }
        if (isCall && isGpuOperation(trace.category(other))) {
            arrows.push_back({slice, other, FlowKind::Launch});
        } else if (!isCall && isApiCall(trace.category(other))) {
            arrows.push_back({other, slice, FlowKind::Launch});
        }
    }
}

FlowKind flowKind(const FlowPoint& flow) {
    return categoryKind(flow.category) == Category::FwdBwd ? FlowKind::Backward : FlowKind::Other;
}

bool sameFlow(const Trace& trace, const FlowPoint& a, const FlowPoint& b) {
    return a.id == b.id && a.category == b.category && a.name == b.name &&
           sourceOf(trace, a.track) == sourceOf(trace, b.track);
}

void addPartners(LaneIndex& index, SliceId slice, const FlowPoint& here,
                 std::vector<FlowArrow>& arrows) {
    const Trace& trace = index.trace();
    for (const FlowPoint& there : trace.flows()) {
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

std::vector<FlowArrow> arrowsOf(LaneIndex& index, SliceId slice) {
    const Trace& trace = index.trace();
    std::vector<FlowArrow> arrows;
    if (slice >= trace.sliceCount()) {
        return arrows;
    }
    addLaunches(trace, slice, arrows);
    const TimeSpan span = trace.span(slice);
    for (const FlowPoint& flow : trace.flows()) {
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

}  // namespace kinetoscope
