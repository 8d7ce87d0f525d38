// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/Result.h"
#include "core/path/Graph.h"
#include "core/path/Launches.h"

namespace kinetoscope::path {

/// The dependencies of a trace. Its steps are those of analysis::findSteps(); without any, all of
/// it is one step of number 0. Linear in the events, but for sorting. Fails when the file has
/// changed since it was read and when it is stopped. The trace outlives the graph.
[[nodiscard]] Result<Graph> makeGraph(const trace::Trace& trace, const std::stop_token& stop = {});
/// The same with tables that are there already.
[[nodiscard]] Result<Graph> makeGraph(const Tables& tables, const std::stop_token& stop = {});

/// A rank of a job.
struct RankTrace {
    std::int64_t rank = 0;
    const trace::Trace* trace = nullptr;  ///< outlives the graph
};

/// The same of all ranks of a job on the clock of the first, joined by the collectives that they
/// took part in. The steps are those of the rank on which each ended last.
[[nodiscard]] Result<Graph> makeJobGraph(const std::vector<RankTrace>& ranks,
                                         const std::stop_token& stop = {});

}  // namespace kinetoscope::path
