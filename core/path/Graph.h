// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::path {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xffffffff;

enum class NodeKind : std::uint8_t {
    Cpu,   ///< a thread between two calls
    Call,  ///< a call that launched GPU operations
    Wait,  ///< what is left of a wait once its reason has ended: a synchronising call, a thread
    Operation,  ///< a kernel, copy or memset; of a matched collective from the last arrival on
    Arrival,    ///< where a matched collective began on one rank; lasts nothing
    Join,       ///< where its last rank arrived; lasts nothing
};

enum class EdgeKind : std::uint8_t {
    Thread,      ///< order on a thread
    Launch,      ///< a call and the operation that it launched
    Stream,      ///< order on a stream
    Event,       ///< an operation that waited for one of another stream
    Sync,        ///< an operation and the end of the call that waited for it
    Flow,        ///< from thread to thread
    Collective,  ///< arrivals, and the ranks that waited for them
};
inline constexpr std::size_t kEdgeKinds = 7;

/// A node that must end before another can start.
struct Edge {
    TimeNs lag = 0;  ///< the node begins this long after it at the earliest; below 0: they overlap
    NodeId from = kNoNode;
    EdgeKind kind = EdgeKind::Thread;
    bool fromStart = false;  ///< after the start of `from`, not its end
    bool inferred = false;   ///< not recorded in the trace
};

struct Node {
    TimeNs start = 0;  ///< on the graph's clock
    TimeNs duration = 0;
    trace::SliceId slice = trace::kNoSlice;  ///< the operation or call; none of pieces of threads
    trace::TrackId track = 0;
    std::uint32_t rank = 0;  ///< row of Graph::ranks
    NodeKind kind = NodeKind::Cpu;
    trace::GpuOpId operation = 0;  ///< of operations and arrivals: row of the trace's

    [[nodiscard]] TimeNs end() const { return start + duration; }
};

/// One trace of the graph.
struct GraphRank {
    const trace::Trace* trace = nullptr;     ///< outlives the graph
    std::int64_t rank = -1;                  ///< -1: the only one
    TimeNs shift = 0;                        ///< from the trace's times to those of the graph
    std::vector<trace::SliceId> calls = {};  ///< what launched each operation; kNoSlice: unknown
};

/// A step, and the nodes of which the last one ends it.
struct GraphStep {
    std::int64_t number = 0;
    TimeSpan span;             ///< on the graph's clock
    std::uint32_t rank = 0;    ///< row of Graph::ranks
    std::vector<NodeId> ends;  ///< empty: all nodes of the span
};

/// The dependencies in a trace, or in a whole job. Nodes are by start and edges come from earlier
/// nodes only, so there is no cycle whatever the times are.
struct Graph {
    std::vector<GraphRank> ranks;
    std::vector<Node> nodes;
    std::vector<std::uint32_t> firstEdge;  ///< by node, and one more
    std::vector<Edge> edges;               ///< into each node
    std::vector<GraphStep> steps;          ///< by start
    std::uint64_t dropped = 0;             ///< edges against the order of the times
    std::uint64_t toldWaits = 0;           ///< waits of streams and calls whose reason is recorded
    std::uint64_t inferredWaits = 0;       ///< whose reason was inferred
    std::uint64_t unknownWaits = 0;        ///< waits of streams for which nothing was found
    /// Launched while several steps of their process were going on, and part of each of them.
    std::uint64_t sharedOperations = 0;

    /// Row of steps; 0 without any.
    [[nodiscard]] std::size_t longestStep() const {
        const auto longest = std::ranges::max_element(
            steps, {}, [](const GraphStep& step) { return step.span.duration(); });
        return steps.empty() ? 0 : static_cast<std::size_t>(longest - steps.begin());
    }
    [[nodiscard]] std::span<const Edge> into(NodeId node) const {
        return std::span(edges).subspan(firstEdge[node], firstEdge[node + 1] - firstEdge[node]);
    }
};

/// Collects nodes and edges in any order.
class GraphMaker {
public:
    NodeId add(const Node& node);
    /// Between nodes that were added; nothing for kNoNode.
    void connect(NodeId from, NodeId to, EdgeKind kind, bool inferred = false,
                 bool fromStart = false);
    [[nodiscard]] const Node& node(NodeId id) const { return m_nodes[id]; }
    [[nodiscard]] std::size_t size() const { return m_nodes.size(); }

    /// Puts nodes into order and finds each edge's lag: the gap that was seen behind the latest
    /// predecessor; for others what such edges need at least, the median of those that came last.
    /// The ids of `graph.steps` become those of the finished graph; without any, all of it is one
    /// step of number 0.
    void finish(Graph& graph, const std::stop_token& stop);

private:
    struct RawEdge {
        NodeId from;
        NodeId to;
        EdgeKind kind;
        bool fromStart;
        bool inferred;
    };

    [[nodiscard]] std::vector<NodeId> sortNodes(Graph& graph) const;
    void sortEdges(Graph& graph, const std::vector<NodeId>& place) const;

    std::vector<Node> m_nodes;
    std::vector<RawEdge> m_edges;
};

}  // namespace kinetoscope::path
