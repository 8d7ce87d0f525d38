// SPDX-License-Identifier: Apache-2.0
#include "core/path/MakeGraph.h"

#include <algorithm>

#include "core/base/Threads.h"
#include "core/path/RankNodes.h"

namespace kinetoscope::path {

namespace {

Result<Graph> make(const trace::Trace& trace, const std::stop_token& stop) {
    Graph graph;
    graph.ranks.push_back({&trace, -1, 0});
    GraphMaker maker;
    RankNodes nodes(trace, 0, 0);
    throwIfStopped(stop);
    if (auto added = nodes.add({}, maker, graph, stop); !added) {
        return tl::unexpected(added.error());
    }
    maker.finish(graph, stop);
    if (graph.steps.empty() && !graph.nodes.empty()) {
        GraphStep whole{.span = {graph.nodes.front().start, graph.nodes.front().end()}, .ends = {}};
        for (const Node& node : graph.nodes) {
            whole.span.end = std::max(whole.span.end, node.end());
        }
        graph.steps.push_back(whole);
    }
    return graph;
}

}  // namespace

Result<Graph> makeGraph(const trace::Trace& trace, const std::stop_token& stop) {
    return guarded([&] { return make(trace, stop); }, trace.info().path);
}

}  // namespace kinetoscope::path
