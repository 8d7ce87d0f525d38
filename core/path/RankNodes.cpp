// SPDX-License-Identifier: Apache-2.0
#include "core/path/RankNodes.h"

#include <algorithm>
#include <iterator>

#include "core/base/Threads.h"
#include "core/path/Handovers.h"
#include "core/path/QueueWaits.h"
#include "core/path/ThreadWaits.h"
#include "core/query/StepSpans.h"

namespace kinetoscope::path {

Result<void> RankNodes::add(const LastArrivals& lastArrivals, GraphMaker& maker, Graph& graph,
                            const std::stop_token& stop) {
    auto waits = findWaits(m_tables, m_launches, stop);
    if (!waits) {
        return tl::unexpected(waits.error());
    }
    addQueueWaits(m_tables, waits->calls);
    throwIfStopped(stop);
    std::vector<Handover> handovers = findHandovers(m_tables.trace, stop);
    std::ranges::move(findThreadWaits(m_tables, stop), std::back_inserter(handovers));
    const ThreadNodes threads(m_tables, waits->calls, handovers, stepPoints(), maker, m_rank,
                              m_shift);
    throwIfStopped(stop);
    m_operations.emplace(m_tables, m_launches, lastArrivals, maker, m_rank, m_shift);
    m_operations->connect(threads, *waits, graph);
    throwIfStopped(stop);
    addSteps(threads, graph);
    return {};
}

std::vector<ThreadPoint> RankNodes::stepPoints() const {
    const trace::Trace& trace = m_tables.trace;
    std::vector<ThreadPoint> points;
    for (const query::StepSpan& step : query::findStepSpans(trace)) {
        points.emplace_back(trace.trackOf(step.slice), trace.start(step.slice));
        points.emplace_back(trace.trackOf(step.slice), trace.end(step.slice));
    }
    return points;
}

void RankNodes::addSteps(const ThreadNodes& threads, Graph& graph) const {
    const trace::Trace& trace = m_tables.trace;
    const std::vector<query::StepSpan> spans = query::findStepSpans(trace);
    const auto processOf = [&](trace::SliceId slice) {
        return trace.tracks()[trace.trackOf(slice)].process;
    };
    std::vector<GraphStep> steps;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const TimeSpan span = m_tables.steps[i].span;
        GraphStep& step = steps.emplace_back();
        step.number = spans[i].number;
        step.span = {span.start + m_shift, span.end + m_shift};
        step.rank = m_rank;
        const NodeId end =
            threads.endingAt({trace.trackOf(spans[i].slice), trace.end(spans[i].slice)});
        if (end != kNoNode) {
            step.ends.push_back(end);
        }
    }
    for (trace::GpuOpId id = 0; id < trace.gpuOperations().size(); ++id) {
        const trace::SliceId call = m_tables.links.apiCall(id);
        if (call == trace::kNoSlice) {
            continue;
        }
        const auto after = std::ranges::upper_bound(
            spans, trace.start(call), {},
            [&](const query::StepSpan& step) { return trace.start(step.slice); });
        if (after != spans.begin()) {
            const trace::SliceId step = std::prev(after)->slice;
            if (trace.start(call) < trace.end(step) && processOf(call) == processOf(step)) {
                steps[static_cast<std::size_t>(after - spans.begin()) - 1].ends.push_back(
                    m_operations->of(id));
            }
        }
    }
    std::ranges::move(steps, std::back_inserter(graph.steps));
}

}  // namespace kinetoscope::path
