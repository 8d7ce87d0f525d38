// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/KernelNames.h"
#include "core/base/Result.h"
#include "core/path/Replay.h"
#include "core/query/Intervals.h"
#include "core/query/find/NameFilter.h"

namespace kinetoscope::path {

/// The subject of a change.
enum class ChangeKind : std::uint8_t {
    Kernel,         ///< GPU operations by name
    Family,         ///< kernels of a family
    Operator,       ///< CPU time in operators by name, and the GPU operations launched inside
    Host,           ///< all pieces of threads and calls; not what they wait for
    Launch,         ///< calls that launch
    Communication,  ///< kernels of communication
    Copy,           ///< copies and memsets
    Wait,           ///< what threads wait for GPUs and each other
    Roof,           ///< kernels as long as their work takes at the roof
    Nodes,          ///< single nodes, each in its own way
};

/// Effect of a change on one node.
struct NodeChange {
    NodeId node = kNoNode;
    float scale = 1.0F;  ///< of its duration
    bool free = false;   ///< it begins as soon as its own thread has come to it, without waiting
};

/// A what-if: durations times a factor.
struct Change {
    ChangeKind kind = ChangeKind::Host;
    std::string text;  ///< as it was written
    std::string name;  ///< of a family
    query::NameFilter filter;
    double factor = 1.0;
    std::vector<NodeChange> nodes = {};  ///< of ChangeKind::Nodes, which has no text form
};

inline constexpr double kMaxFactor = 1000.0;

/// "kernel:/REGEX/=F", "operator:/REGEX/=F" (or a part of the name without slashes),
/// "family:NAME=F", "host=F", "launch=F", "comm=F", "copy=F", "wait=F" or "roof"; F from 0 to
/// kMaxFactor.
[[nodiscard]] Result<Change> parseChange(std::string_view text);

/// A change that has found what it is about in a graph, to be applied to one window or the other.
class Scaler {
public:
    /// `names`: of the graph's kernels, by rank. The graph outlives it. Fails when the file has
    /// changed since it was read, which only the roof looks at.
    [[nodiscard]] static Result<Scaler> of(const Graph& graph,
                                           const std::vector<const analysis::KernelNames*>& names,
                                           Change change, const std::stop_token& stop);

    /// The change as it was written.
    [[nodiscard]] const std::string& text() const { return m_change.text; }
    /// Multiplies the scales of the window's nodes by what the change does.
    void apply(const Window& window, Scales& scales) const;

private:
    /// What it is about in one trace.
    struct OfRank {
        std::vector<double> ofOperation;                         ///< empty: not about operations
        std::map<trace::TrackId, query::CoveredTime> operators;  ///< time in them by thread
    };

    Scaler(const Graph& graph, Change change) : m_graph(&graph), m_change(std::move(change)) {}
    [[nodiscard]] double scaleOf(const Node& node) const;
    [[nodiscard]] double scaleInOperators(const Node& node) const;
    [[nodiscard]] TimeNs inOperators(std::uint32_t rank, trace::TrackId track, TimeSpan span) const;

    const Graph* m_graph;
    Change m_change;
    std::vector<OfRank> m_ranks;
};

}  // namespace kinetoscope::path
