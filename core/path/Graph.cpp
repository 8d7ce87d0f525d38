// SPDX-License-Identifier: Apache-2.0
#include "core/path/Graph.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "core/base/SortRuns.h"
#include "core/base/Threads.h"
#include "core/stats/Statistics.h"

namespace kinetoscope::path {

namespace {

using Lags = std::array<TimeNs, kEdgeKinds>;

// Nothing is inferred if recorded edges explain a start to this precision.
constexpr TimeNs kExplainedNs = 2'000;
constexpr TimeNs kNeverLast = std::numeric_limits<TimeNs>::min() / 4;

// An inferred edge into an operation; they come behind the recorded ones.
bool isGuess(const Edge& edge) {
    return edge.inferred && edge.kind == EdgeKind::Event;
}

TimeNs anchorOf(const Graph& graph, const Edge& edge) {
    const Node& from = graph.nodes[edge.from];
    return edge.fromStart ? from.start : from.end();
}

TimeNs& of(Lags& lags, EdgeKind kind) {
    return lags[static_cast<std::size_t>(kind)];
}

// Order of nodes that start together: possible dependencies of others come first.
int turnOf(NodeKind kind) {
    switch (kind) {
        case NodeKind::Arrival:
            return 1;
        case NodeKind::Join:
            return 2;
        case NodeKind::Operation:
            return 3;
        default:
            return 0;
    }
}

// The median gap behind edges of a kind that are later than all others of their node, as far as
// those are known to need.
TimeNs usualLag(const Graph& graph, EdgeKind kind, Lags& known) {
    std::vector<TimeNs> gaps;
    for (NodeId node = 0; node < graph.nodes.size(); ++node) {
        if (graph.nodes[node].kind != NodeKind::Operation) {
            continue;
        }
        TimeNs mine = std::numeric_limits<TimeNs>::min();
        TimeNs others = std::numeric_limits<TimeNs>::min();
        for (const Edge& edge : graph.into(node)) {
            const TimeNs anchor = anchorOf(graph, edge);
            if (edge.kind == kind && !edge.fromStart == (kind != EdgeKind::Launch)) {
                mine = std::max(mine, anchor);
            } else {
                others = std::max(others, addTime(anchor, of(known, edge.kind)));
            }
        }
        if (mine > others && graph.nodes[node].start >= mine) {
            gaps.push_back(graph.nodes[node].start - mine);
        }
    }
    return gaps.empty() ? 0 : stats::lowerMedian(gaps);
}

void findLags(Graph& graph) {
    Lags usual{};
    for (const EdgeKind kind : {EdgeKind::Launch, EdgeKind::Stream, EdgeKind::Event}) {
        of(usual, kind) = usualLag(graph, kind, usual);
    }
    for (NodeId node = 0; node < graph.nodes.size(); ++node) {
        const auto into =
            std::span(graph.edges)
                .subspan(graph.firstEdge[node], graph.firstEdge[node + 1] - graph.firstEdge[node]);
        Edge* last = nullptr;
        TimeNs least = 0;  // beyond what the edge needs
        for (Edge& edge : into) {
            const TimeNs gap = graph.nodes[node].start - anchorOf(graph, edge);
            const bool isUsual = !edge.fromStart || edge.kind == EdgeKind::Launch;
            edge.lag = std::min(isUsual ? of(usual, edge.kind) : 0, gap);
            const TimeNs beyond = gap - edge.lag;
            const bool isNeeded = !isGuess(edge) || last == nullptr || least > kExplainedNs;
            if (!isNeeded) {
                edge.lag = kNeverLast;
            } else if (last == nullptr || beyond < least) {
                last = &edge;
                least = beyond;
            }
            graph.inferredWaits += isGuess(edge) && isNeeded ? 1U : 0U;
        }
        if (last != nullptr) {
            last->lag = graph.nodes[node].start - anchorOf(graph, *last);
        }
    }
}

GraphStep wholeOf(const std::vector<Node>& nodes) {
    GraphStep whole;
    whole.span = {nodes.front().start, nodes.front().end()};
    for (const Node& node : nodes) {
        whole.span.end = std::max(whole.span.end, node.end());
    }
    return whole;
}

}  // namespace

NodeId GraphMaker::add(const Node& node) {
    m_nodes.push_back(node);
    return static_cast<NodeId>(m_nodes.size() - 1);
}

void GraphMaker::connect(NodeId from, NodeId to, EdgeKind kind, bool inferred, bool fromStart) {
    if (from != kNoNode && to != kNoNode && from != to) {
        m_edges.push_back({from, to, kind, fromStart, inferred});
    }
}

// The new place of each node.
std::vector<NodeId> GraphMaker::sortNodes(Graph& graph) const {
    struct Key {
        TimeNs start;
        NodeId node;
        NodeKind kind;
    };
    std::vector<Key> order(m_nodes.size());
    for (NodeId node = 0; node < m_nodes.size(); ++node) {
        order[node] = {m_nodes[node].start, node, m_nodes[node].kind};
    }
    sortRuns(std::span(order), [](const Key& a, const Key& b) {
        return a.start != b.start ? a.start < b.start : turnOf(a.kind) < turnOf(b.kind);
    });
    std::vector<NodeId> place(m_nodes.size());
    graph.nodes.reserve(m_nodes.size());
    for (NodeId at = 0; at < order.size(); ++at) {
        place[order[at].node] = at;
        graph.nodes.push_back(m_nodes[order[at].node]);
    }
    return place;
}

void GraphMaker::sortEdges(Graph& graph, const std::vector<NodeId>& place) const {
    graph.firstEdge.assign(m_nodes.size() + 1, 0);
    for (const RawEdge& edge : m_edges) {
        if (place[edge.from] < place[edge.to]) {
            ++graph.firstEdge[place[edge.to] + 1];
        } else {
            ++graph.dropped;
        }
    }
    std::partial_sum(graph.firstEdge.begin(), graph.firstEdge.end(), graph.firstEdge.begin());
    graph.edges.resize(graph.firstEdge.back());
    std::vector<std::uint32_t> next(graph.firstEdge.begin(), graph.firstEdge.end() - 1);
    for (const RawEdge& edge : m_edges) {
        if (place[edge.from] < place[edge.to]) {
            graph.edges[next[place[edge.to]]++] = {0, place[edge.from], edge.kind, edge.fromStart,
                                                   edge.inferred};
        }
    }
}

void GraphMaker::finish(Graph& graph, const std::stop_token& stop) {
    const std::vector<NodeId> place = sortNodes(graph);
    throwIfStopped(stop);
    sortEdges(graph, place);
    m_edges = {};
    m_nodes = {};
    throwIfStopped(stop);
    findLags(graph);
    if (graph.steps.empty() && !graph.nodes.empty()) {
        graph.steps.push_back(wholeOf(graph.nodes));
        return;
    }
    for (GraphStep& step : graph.steps) {
        for (NodeId& node : step.ends) {
            node = place[node];
        }
    }
}

}  // namespace kinetoscope::path
