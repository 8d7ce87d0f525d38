// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "core/base/Result.h"
#include "core/path/Graph.h"

namespace kinetoscope::path {

/// What a what-if does to each node: its duration times this. Empty: nothing.
struct Scales {
    std::vector<double> ofNode;
    double waiting = 1.0;           ///< of what threads wait for GPUs and each other
    std::vector<bool> isFree = {};  ///< by node; it waits for its own thread only; empty: none

    [[nodiscard]] double of(NodeId node) const { return ofNode.empty() ? 1.0 : ofNode[node]; }
    [[nodiscard]] double waitingOf(NodeId node, NodeKind kind) const {
        return !isFree.empty() && isFree[node] ? 0.0 : kind == NodeKind::Wait ? waiting : 1.0;
    }
};

/// The nodes of a step: those that begin inside of it, and those that were going on when it began.
struct Window {
    TimeSpan span;
    NodeId begin = 0;
    NodeId end = 0;
    std::vector<NodeId> open;
};

/// The window of each step of the graph, in one sweep. Fails when steps overlap each other so often
/// that the nodes would be looked at many times.
[[nodiscard]] Result<std::vector<Window>> windowsOf(const Graph& graph);

/// When each node begins and ends: as recorded, or of one window as a replay has it.
class Times {
public:
    explicit Times(const Graph& graph);

    /// Replays the window: every node begins when the last of what it waits for is over. What came
    /// before stays as recorded; of what was going on only the rest is scaled.
    void replay(const Window& window, const Scales& scales);
    /// Makes the window's times those that were recorded.
    void restore(const Window& window);

    [[nodiscard]] TimeNs start(NodeId node) const { return m_start[node]; }
    [[nodiscard]] TimeNs end(NodeId node) const { return m_end[node]; }
    [[nodiscard]] TimeNs over(const Edge& edge) const {
        return edge.fromStart ? m_start[edge.from] : m_end[edge.from];
    }
    /// The edge whose predecessor came last; null without any.
    [[nodiscard]] const Edge* lastInto(NodeId node) const;
    /// The node that ends the step.
    [[nodiscard]] NodeId lastOf(const GraphStep& step, const Window& window) const;
    /// When it ends; as recorded where no node does, never before the step begins.
    [[nodiscard]] TimeNs endOf(const GraphStep& step, const Window& window) const;
    [[nodiscard]] const Graph& graph() const { return m_graph; }

private:
    [[nodiscard]] TimeNs startOf(NodeId node, double waiting) const;

    const Graph& m_graph;
    std::vector<TimeNs> m_start;
    std::vector<TimeNs> m_end;
};

/// How much later each node of the window could end without ending the step later; by node from
/// window.begin on. As recorded.
[[nodiscard]] std::vector<TimeNs> slackOf(const Graph& graph, const GraphStep& step,
                                          const Window& window);

}  // namespace kinetoscope::path
