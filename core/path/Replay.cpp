// SPDX-License-Identifier: Apache-2.0
#include "core/path/Replay.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kinetoscope::path {

namespace {

constexpr TimeNs kLatest = std::numeric_limits<TimeNs>::max() / 4;

// Whole steps may overlap, but no event is in hundreds of them.
constexpr std::size_t kMaxTimes = 64;

TimeNs scaled(TimeNs duration, double scale) {
    if (scale == 1.0) {
        return std::min(duration, kLatest);
    }
    const double result = static_cast<double>(duration) * scale;
    return result >= static_cast<double>(kLatest) ? kLatest : std::llround(result);
}

TimeNs inside(TimeNs time) {
    return std::clamp(time, -kLatest, kLatest);
}

// Lags are below 0 where nodes overlap, and far below for edges that do not count. Of a time
// inside of the limits and a lag of at most three times as much nothing overflows.
TimeNs after(TimeNs time, TimeNs lag) {
    return inside(time + lag);
}

}  // namespace

Result<void> fewOverlaps(std::size_t lookedAt, std::size_t nodes, std::size_t steps) {
    if (lookedAt > kMaxTimes * (nodes + steps)) {
        return fail("has too many overlapping steps to follow each; choose one");
    }
    return {};
}

Result<std::vector<Window>> windowsOf(const Graph& graph) {
    std::vector<Window> windows;
    std::vector<NodeId> open;
    NodeId next = 0;
    std::size_t lookedAt = 0;
    const auto firstFrom = [&](TimeNs time) {
        return static_cast<NodeId>(std::ranges::lower_bound(graph.nodes, time, {}, &Node::start) -
                                   graph.nodes.begin());
    };
    for (const GraphStep& step : graph.steps) {
        Window window{.span = step.span,
                      .begin = firstFrom(step.span.start),
                      .end = firstFrom(step.span.end),
                      .open = {}};
        for (; next < window.begin; ++next) {
            open.push_back(next);
        }
        std::erase_if(open,
                      [&](NodeId node) { return graph.nodes[node].end() <= step.span.start; });
        window.open = open;
        lookedAt += open.size() + window.end - window.begin;
        if (auto few = fewOverlaps(lookedAt, graph.nodes.size(), graph.steps.size()); !few) {
            return tl::unexpected(few.error());
        }
        windows.push_back(std::move(window));
    }
    return windows;
}

void Times::replay(const Window& window, const Scales& scales) {
    m_begin = window.begin;
    m_inside.resize(window.end - window.begin);
    m_openEnds.clear();
    std::size_t place = 0;
    for (const NodeId node : window.open) {
        const TimeNs rest = m_graph.nodes[node].end() - window.span.start;
        m_openEnds.emplace_back(node,
                                after(inside(window.span.start), scaled(rest, scales.of(place++))));
    }
    for (NodeId node = window.begin; node < window.end; ++node, ++place) {
        const Node& recorded = m_graph.nodes[node];
        TimeSpan& times = m_inside[node - window.begin];
        times.start = startOf(node, scales.waitingOf(place, recorded.kind));
        times.end = after(times.start, scaled(recorded.duration, scales.of(place)));
    }
}

TimeNs Times::recordedStart(NodeId node) const {
    return inside(m_graph.nodes[node].start);
}

TimeNs Times::endOutside(NodeId node) const {
    const auto open =
        std::ranges::lower_bound(m_openEnds, node, {}, &std::pair<NodeId, TimeNs>::first);
    return open != m_openEnds.end() && open->first == node ? open->second
                                                           : inside(m_graph.nodes[node].end());
}

TimeNs Times::startOf(NodeId node, double waiting) const {
    const Edge* last = lastInto(node);
    if (last == nullptr) {
        return inside(m_graph.nodes[node].start);
    }
    const TimeNs start = after(over(*last), last->lag);
    if (waiting == 1.0) {
        return start;
    }
    for (const Edge& edge : m_graph.into(node)) {
        if (edge.kind == EdgeKind::Thread) {
            const TimeNs reached = after(over(edge), edge.lag);
            return after(reached, scaled(std::max<TimeNs>(0, start - reached), waiting));
        }
    }
    return start;
}

const Edge* Times::lastInto(NodeId node) const {
    const Edge* last = nullptr;
    TimeNs latest = 0;
    for (const Edge& edge : m_graph.into(node)) {
        const TimeNs time = after(over(edge), edge.lag);
        if (last == nullptr || time > latest || (time == latest && last->inferred)) {
            last = &edge;
            latest = time;
        }
    }
    return last;
}

StepEnd Times::endOf(const GraphStep& step, const Window& window) const {
    StepEnd last{.time = step.span.end};
    const auto take = [&](NodeId node) {
        const TimeNs time = end(node);
        if (last.node == kNoNode || time > last.time) {
            last = {node, time};
        }
    };
    for (const NodeId node : step.ends) {
        take(node);
    }
    for (NodeId node = window.begin; step.ends.empty() && node < window.end; ++node) {
        take(node);
    }
    if (last.node != kNoNode) {
        last.time = std::max(step.span.start, last.time);
    }
    return last;
}

std::vector<TimeNs> slackOf(const Graph& graph, const GraphStep& step, const Window& window) {
    std::vector<TimeNs> latestEnd(window.end - window.begin, step.span.end);
    for (NodeId node = window.end; node-- > window.begin;) {
        const TimeNs end = latestEnd[node - window.begin];
        for (const Edge& edge : graph.into(node)) {
            if (edge.from < window.begin) {
                continue;
            }
            const TimeNs over = end - graph.nodes[node].duration - edge.lag;
            TimeNs& before = latestEnd[edge.from - window.begin];
            before =
                std::min(before, edge.fromStart ? over + graph.nodes[edge.from].duration : over);
        }
    }
    for (NodeId node = window.begin; node < window.end; ++node) {
        TimeNs& slack = latestEnd[node - window.begin];
        slack = std::max<TimeNs>(0, slack - graph.nodes[node].end());
    }
    return latestEnd;
}

}  // namespace kinetoscope::path
