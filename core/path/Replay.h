// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/Result.h"
#include "core/path/Graph.h"

namespace kinetoscope::path {

/// The nodes of a step: those that begin inside of it, and those that were going on when it began.
struct Window {
    TimeSpan span;
    NodeId begin = 0;
    NodeId end = 0;
    std::vector<NodeId> open;  ///< in order, all before begin

    /// Nodes have places: first those that were going on.
    [[nodiscard]] std::size_t size() const { return open.size() + (end - begin); }
    /// size() of nodes that are not among them.
    [[nodiscard]] std::size_t placeOf(NodeId node) const {
        if (node >= begin) {
            return node < end ? open.size() + (node - begin) : size();
        }
        const auto found = std::ranges::lower_bound(open, node);
        return found != open.end() && *found == node
                   ? static_cast<std::size_t>(found - open.begin())
                   : size();
    }
    [[nodiscard]] NodeId nodeAt(std::size_t place) const {
        return place < open.size() ? open[place] : begin + static_cast<NodeId>(place - open.size());
    }
};

/// What a what-if does to the nodes of a window, by place.
struct Scales {
    std::vector<double> ofNode;     ///< its duration times this; empty: nothing
    double waiting = 1.0;           ///< of what threads wait for GPUs and each other
    std::vector<bool> isFree = {};  ///< it waits for its own thread only; empty: none does

    /// Multiplies the node's duration by `scale`; both vectors have the window's size.
    void change(std::size_t place, double scale, bool free) {
        ofNode[place] *= scale;
        isFree[place] = isFree[place] || free;
    }
    [[nodiscard]] double of(std::size_t place) const {
        return ofNode.empty() ? 1.0 : ofNode[place];
    }
    [[nodiscard]] double waitingOf(std::size_t place, NodeKind kind) const {
        return !isFree.empty() && isFree[place] ? 0.0 : kind == NodeKind::Wait ? waiting : 1.0;
    }
};

/// Fails when steps overlap each other so often that each of the nodes would be looked at many
/// times, `lookedAt` in all.
[[nodiscard]] Result<void> fewOverlaps(std::size_t lookedAt, std::size_t nodes, std::size_t steps);

/// The window of each step of the graph, in one sweep. Fails as fewOverlaps() does.
[[nodiscard]] Result<std::vector<Window>> windowsOf(const Graph& graph);

/// What ends a step.
struct StepEnd {
    NodeId node = kNoNode;
    TimeNs time = 0;  ///< as recorded where no node does, never before the step begins
};

/// When each node begins and ends: as recorded, or of one window as a replay has it.
class Times {
public:
    explicit Times(const Graph& graph) : m_graph(graph) {}

    /// Replays the window: every node begins when the last of what it waits for is over. What came
    /// before stays as recorded; of what was going on only the rest is scaled.
    void replay(const Window& window, const Scales& scales);

    [[nodiscard]] TimeNs start(NodeId node) const {
        const std::size_t place = std::size_t{node} - m_begin;
        return place < m_inside.size() ? m_inside[place].start : recordedStart(node);
    }
    [[nodiscard]] TimeNs end(NodeId node) const {
        const std::size_t place = std::size_t{node} - m_begin;
        return place < m_inside.size() ? m_inside[place].end : endOutside(node);
    }
    [[nodiscard]] TimeNs over(const Edge& edge) const {
        return edge.fromStart ? start(edge.from) : end(edge.from);
    }
    /// The edge whose predecessor came last; null without any.
    [[nodiscard]] const Edge* lastInto(NodeId node) const;
    [[nodiscard]] StepEnd endOf(const GraphStep& step, const Window& window) const;
    [[nodiscard]] const Graph& graph() const { return m_graph; }

private:
    [[nodiscard]] TimeNs startOf(NodeId node, double waiting) const;
    [[nodiscard]] TimeNs recordedStart(NodeId node) const;
    [[nodiscard]] TimeNs endOutside(NodeId node) const;

    const Graph& m_graph;
    NodeId m_begin = 0;                                 ///< of the replayed window
    std::vector<TimeSpan> m_inside;                     ///< of its nodes from there on
    std::vector<std::pair<NodeId, TimeNs>> m_openEnds;  ///< of those that were going on, by node
};

/// How much later each node of the window could end without ending the step later; by node from
/// window.begin on. As recorded.
[[nodiscard]] std::vector<TimeNs> slackOf(const Graph& graph, const GraphStep& step,
                                          const Window& window);

}  // namespace kinetoscope::path
