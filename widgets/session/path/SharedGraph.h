// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <mutex>
#include <stop_token>

#include "core/path/Graph.h"

namespace kinetoscope::session {

/// The dependencies of the shown trace, made once for all and kept while one user of it lives. Any
/// thread.
class SharedGraph {
public:
    using Graph = std::shared_ptr<const path::Graph>;

    /// Keeps the trace too. Waits where another thread makes it already.
    [[nodiscard]] Result<Graph> of(const std::shared_ptr<const trace::Trace>& trace,
                                   const std::stop_token& stop);

private:
    std::mutex m_making;
    std::weak_ptr<const trace::Trace> m_trace;
    std::weak_ptr<const path::Graph> m_graph;
};

}  // namespace kinetoscope::session
