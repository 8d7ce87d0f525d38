// SPDX-License-Identifier: Apache-2.0
#include "core/path/MakeGraph.h"

#include "core/base/Threads.h"
#include "core/path/RankNodes.h"

namespace kinetoscope::path {

namespace {

Result<Graph> make(const Tables& tables, const std::stop_token& stop) {
    Graph graph;
    graph.ranks.push_back({&tables.trace, -1, 0});
    GraphMaker maker;
    RankNodes nodes(tables, 0, 0);
    throwIfStopped(stop);
    if (auto added = nodes.add({}, maker, graph, stop); !added) {
        return tl::unexpected(added.error());
    }
    maker.finish(graph, stop);
    return graph;
}

}  // namespace

Result<Graph> makeGraph(const trace::Trace& trace, const std::stop_token& stop) {
    return guarded([&] { return make(Tables(trace), stop); }, trace.info().path);
}

Result<Graph> makeGraph(const Tables& tables, const std::stop_token& stop) {
    return guarded([&] { return make(tables, stop); }, tables.trace.info().path);
}

}  // namespace kinetoscope::path
