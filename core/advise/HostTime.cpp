// SPDX-License-Identifier: Apache-2.0
#include "core/advise/HostTime.h"

#include <algorithm>

#include "core/query/CallContext.h"
#include "core/query/InnermostEnclosing.h"

namespace kinetoscope::advise {

namespace {

using path::Edge;
using path::EdgeKind;
using path::kNoNode;
using path::Node;
using path::NodeId;
using path::NodeKind;
using trace::Category;
using trace::SliceId;

NodeId predecessor(const path::Graph& graph, NodeId node, EdgeKind kind) {
    for (const Edge& edge : graph.into(node)) {
        if (edge.kind == kind) {
            return edge.from;
        }
    }
    return kNoNode;
}

void findAround(const trace::Trace& trace, std::span<const SliceId> slices, AroundKind kind,
                NameSet& lines, std::vector<SliceId>& around) {
    std::vector<query::EncloserQuery> queries;
    for (std::uint32_t i = 0; i < slices.size(); ++i) {
        if (around[i] == trace::kNoSlice) {
            queries.push_back({trace.trackOf(slices[i]), slices[i], i});
        }
    }
    if (queries.empty()) {
        return;
    }
    std::vector<query::Encloser> enclosers;
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        const bool isMeant = kind == AroundKind::Operator
                                 ? trace.category(slice) == Category::CpuOp
                                 : trace.category(slice) == Category::PythonFunction &&
                                       lines.has(trace.nameId(slice));
        if (isMeant) {
            enclosers.push_back({trace.trackOf(slice), slice});
        }
    }
    query::findInnermostEnclosing(trace, enclosers, queries, around);
}

}  // namespace

void dropHostTime(const path::Graph& graph, ThreadSpans&& spans, Waits waits,
                  std::vector<NodeChange>& changes) {
    std::map<trace::TrackId, query::CoveredTime> covered;
    for (auto& [track, some] : spans) {
        covered.emplace(track, query::unionOfUnsorted(std::move(some)));
    }
    for (NodeId id = 0; id < graph.nodes.size(); ++id) {
        const Node& node = graph.nodes[id];
        const auto found = covered.find(node.track);
        if (node.kind > NodeKind::Wait || found == covered.end()) {
            continue;
        }
        const TimeNs inside = found->second.inside({node.start, node.end()});
        const bool isFree = waits == Waits::Dropped && node.kind == NodeKind::Wait &&
                            found->second.inside({node.end() - 1, node.end()}) > 0;
        if (inside > 0 || isFree) {
            const auto left = static_cast<float>(node.duration - inside);
            changes.push_back(
                {.node = id,
                 .scale = inside > 0 ? left / static_cast<float>(node.duration) : 1.0F,
                 .free = isFree});
        }
    }
}

void dropLaunch(const Material& material, trace::GpuOpId operation,
                std::vector<NodeChange>& changes) {
    const path::Graph& graph = material.graph();
    const NodeId node = material.nodeOf(operation);
    if (node == kNoNode) {
        return;
    }
    changes.push_back({.node = node, .scale = 0.0F});
    const NodeId call = material.links().isGraphLaunch(operation)
                            ? kNoNode
                            : predecessor(graph, node, EdgeKind::Launch);
    if (call == kNoNode) {
        return;
    }
    changes.push_back({.node = call, .scale = 0.0F});
    const NodeId before = predecessor(graph, call, EdgeKind::Thread);
    if (before != kNoNode && graph.nodes[before].kind == NodeKind::Cpu &&
        graph.nodes[before].duration < kLongPieceNs) {
        changes.push_back({.node = before, .scale = 0.0F});
    }
}

std::vector<SliceId> innermostAround(const trace::Trace& trace, std::span<const SliceId> slices,
                                     AroundKind kind) {
    std::vector<SliceId> around(slices.size(), trace::kNoSlice);
    NameSet program(trace, query::isProgramLine);
    findAround(trace, slices, kind, program, around);
    if (kind == AroundKind::PythonLine) {
        NameSet any(trace, query::isPythonLine);
        findAround(trace, slices, kind, any, around);
    }
    return around;
}

bool hasApiCalls(const trace::Trace& trace) {
    return std::ranges::any_of(trace.categoryIds(), [](trace::CategoryId id) {
        return trace::isApiCall(trace::categoryKind(id));
    });
}

bool hasOperators(const trace::Trace& trace) {
    return std::ranges::any_of(trace.categoryIds(), [](trace::CategoryId id) {
        return trace::categoryKind(id) == Category::CpuOp;
    });
}

}  // namespace kinetoscope::advise
