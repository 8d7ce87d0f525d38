// SPDX-License-Identifier: Apache-2.0
#include "core/model/RoofColumns.h"

#include <algorithm>
#include <utility>

#include "core/model/RooflineRows.h"

namespace kinetoscope::model {

namespace {

/// Starts and ends of calls.
struct Edge {
    TimeNs time = 0;
    float change = 0.0F;  ///< of the level; below 0 at an end
};

void addCall(const trace::Trace& trace, const LaunchedCalls& calls, const LaunchedCall& call,
             float level, std::vector<Edge>& edges) {
    TimeNs end = 0;
    for (std::uint32_t i = call.begin; i < call.end; ++i) {
        TimeSpan span = trace.span(trace.gpuOperations()[calls.operations[i]].slice);
        if (i > call.begin) {  // two of its operations at a time are the call once
            span.start = std::max(span.start, end);
        }
        if (span.start < span.end) {
            edges.push_back({span.start, level});
            edges.push_back({span.end, -level});
            end = span.end;
        }
    }
}

query::BusyColumns columnsOf(std::vector<Edge> edges) {
    std::ranges::sort(edges, {}, &Edge::time);
    std::vector<TimeSpan> spans;
    std::vector<float> levels;
    double sum = 0.0;
    int running = 0;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        running += edges[i].change > 0.0F ? 1 : -1;
        sum = running > 0 ? sum + static_cast<double>(edges[i].change) : 0.0;
        const TimeSpan span{edges[i].time, edges[i + 1].time};
        const auto level = static_cast<float>(std::min(sum, 1.0));
        if (span.empty() || level <= 0.0F) {
            continue;
        }
        if (!spans.empty() && spans.back().end == span.start && levels.back() == level) {
            spans.back().end = span.end;
        } else {
            spans.push_back(span);
            levels.push_back(level);
        }
    }
    return query::BusyColumns(std::move(spans), std::move(levels));
}

}  // namespace

std::vector<RoofColumns> roofColumns(const trace::Trace& trace, const LaunchedCalls& calls,
                                     std::span<const GpuRoof> measured) {
    std::vector<RoofColumns> all;
    for (DeviceRoof& device : roofsOf(trace, calls, measured)) {
        std::vector<Edge> edges;
        for (const LaunchedCall& call : calls.calls) {
            const Work* work = call.gpu == device.gpu ? calls.workOf(call) : nullptr;
            const auto atRoof =
                work == nullptr ? std::nullopt : timeAtRoof(call, *work, device.roof);
            if (atRoof && call.timeNs > 0 && atRoof->ns() > 0.0) {
                const double level = atRoof->ns() / static_cast<double>(call.timeNs);
                addCall(trace, calls, call, static_cast<float>(std::min(level, 1.0)), edges);
            }
        }
        if (!edges.empty()) {
            RoofColumns& one = all.emplace_back();
            one.gpu = device.gpu;
            one.roof = std::move(device);
            one.reached = columnsOf(std::move(edges));
        }
    }
    return all;
}

}  // namespace kinetoscope::model
