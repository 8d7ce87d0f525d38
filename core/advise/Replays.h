// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "core/advise/Finding.h"
#include "core/base/Result.h"
#include "core/path/Replay.h"

namespace kinetoscope::advise {

/// Some nodes of a graph, each in its own way; by node.
using Changes = std::span<const NodeChange>;

/// Replays the steps of a graph with some of its nodes changed.
class Replays {
public:
    [[nodiscard]] static Result<Replays> of(const path::Graph& graph);

    /// What each of the changes saves alone. Steps that none of the nodes is in are not replayed.
    [[nodiscard]] std::vector<Saving> saved(const std::vector<Changes>& each,
                                            const std::stop_token& stop) const;

    [[nodiscard]] TimeNs meanStepNs() const;

private:
    struct Sum;
    class Replayer;

    Replays(const path::Graph& graph, std::vector<path::Window> windows);

    const path::Graph* m_graph;
    std::vector<path::Window> m_windows;
    std::vector<TimeNs> m_unscaled;  ///< lengths by step
};

}  // namespace kinetoscope::advise
