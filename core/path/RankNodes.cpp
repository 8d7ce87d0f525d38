// SPDX-License-Identifier: Apache-2.0
#include "core/path/RankNodes.h"

#include <algorithm>
#include <future>
#include <iterator>
#include <map>

#include "core/base/Threads.h"
#include "core/path/Handovers.h"
#include "core/path/QueueWaits.h"
#include "core/path/Replay.h"
#include "core/path/ThreadWaits.h"
#include "core/query/StepSpans.h"

namespace kinetoscope::path {

namespace {

/// Which steps a call lies in: those of its own process, of which several may overlap.
class StepsOfProcesses {
public:
    StepsOfProcesses(const trace::Trace& trace, const std::vector<query::StepSpan>& spans)
        : m_trace(trace) {
        for (std::size_t row = 0; row < spans.size(); ++row) {
            const TimeSpan span = trace.span(spans[row].slice);
            std::vector<Step>& steps = m_steps[processOf(trace.trackOf(spans[row].slice))];
            const TimeNs before = steps.empty() ? span.end : steps.back().latestEnd;
            steps.push_back({span, std::max(before, span.end), row});
        }
    }

    template <class Take>
    void each(trace::TrackId track, TimeNs time, Take take) const {
        const auto found = m_steps.find(processOf(track));
        if (found == m_steps.end()) {
            return;
        }
        const std::vector<Step>& steps = found->second;
        auto step = std::ranges::upper_bound(steps, time, {},
                                             [](const Step& one) { return one.span.start; });
        while (step != steps.begin() && (--step)->latestEnd > time) {
            if (time < step->span.end) {
                take(step->row);
            }
        }
    }

private:
    struct Step {
        TimeSpan span;
        TimeNs latestEnd;  ///< of it and all before it
        std::size_t row;
    };

    [[nodiscard]] std::uint32_t processOf(trace::TrackId track) const {
        return m_trace.tracks()[track].process;
    }

    const trace::Trace& m_trace;
    std::map<std::uint32_t, std::vector<Step>> m_steps;  ///< by start
};

}  // namespace

Result<void> RankNodes::add(const LastArrivals& lastArrivals, GraphMaker& maker, Graph& graph,
                            const std::stop_token& stop) {
    auto beside = std::async(kBeside, [&] {
        std::vector<Handover> found = findHandovers(m_tables.trace, stop);
        std::ranges::move(findThreadWaits(m_tables, stop), std::back_inserter(found));
        return found;
    });
    m_launches.emplace(m_tables);
    auto waits = findWaits(m_tables, *m_launches, stop);
    if (!waits) {
        return tl::unexpected(waits.error());
    }
    addQueueWaits(m_tables, waits->calls);
    const std::vector<Handover> handovers = beside.get();
    throwIfStopped(stop);
    const ThreadNodes threads(m_tables, waits->calls, handovers, stepPoints(), maker, m_rank,
                              m_shift);
    throwIfStopped(stop);
    m_operations.emplace(m_tables, *m_launches, lastArrivals, maker, m_rank, m_shift);
    m_operations->connect(threads, *waits, graph);
    throwIfStopped(stop);
    if (auto added = addSteps(threads, maker.size(), graph); !added) {
        return added;
    }
    for (trace::GpuOpId id = 0; id < m_tables.trace.gpuOperations().size(); ++id) {
        graph.ranks[m_rank].calls.push_back(m_tables.links.apiCall(id));
    }
    return {};
}

StepPoints RankNodes::stepPoints() const {
    const trace::Trace& trace = m_tables.trace;
    StepPoints points;
    for (const query::StepSpan& step : query::findStepSpans(trace)) {
        points.starts.emplace_back(trace.trackOf(step.slice), trace.start(step.slice));
        points.ends.emplace_back(trace.trackOf(step.slice), trace.end(step.slice));
    }
    return points;
}

Result<void> RankNodes::addSteps(const ThreadNodes& threads, std::size_t nodes,
                                 Graph& graph) const {
    const trace::Trace& trace = m_tables.trace;
    const std::vector<query::StepSpan> spans = query::findStepSpans(trace);
    const StepsOfProcesses stepsOf(trace, spans);
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
    std::size_t inSteps = 0;
    for (trace::GpuOpId id = 0; id < trace.gpuOperations().size(); ++id) {
        const trace::SliceId call = m_tables.links.apiCall(id);
        if (call == trace::kNoSlice) {
            continue;
        }
        std::size_t in = 0;
        stepsOf.each(trace.trackOf(call), trace.start(call), [&](std::size_t step) {
            steps[step].ends.push_back(m_operations->of(id));
            ++in;
        });
        graph.sharedOperations += in > 1 ? 1 : 0;
        inSteps += in;
        if (auto few = fewOverlaps(inSteps, nodes, spans.size()); !few) {
            return few;
        }
    }
    std::ranges::move(steps, std::back_inserter(graph.steps));
    return {};
}

}  // namespace kinetoscope::path
