// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/path/SharedGraph.h"

#include <utility>

#include "core/path/MakeGraph.h"

namespace kinetoscope::session {

Result<SharedGraph::Graph> SharedGraph::of(const std::shared_ptr<const trace::Trace>& trace,
                                           const std::stop_token& stop) {
    const std::scoped_lock lock(m_making);
    if (Graph known = m_graph.lock(); known && m_trace.lock() == trace) {
        return known;
    }
    auto made = path::makeGraph(*trace, stop);
    if (!made) {
        return tl::unexpected(made.error());
    }
    struct Kept {
        std::shared_ptr<const trace::Trace> trace;  // the graph points into it
        path::Graph graph;
    };
    const auto kept = std::make_shared<const Kept>(trace, std::move(*made));
    const Graph graph(kept, &kept->graph);
    m_trace = trace;
    m_graph = graph;
    return graph;
}

}  // namespace kinetoscope::session
