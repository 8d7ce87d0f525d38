// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "core/advise/Finding.h"
#include "core/base/Result.h"
#include "core/path/Replay.h"

namespace kinetoscope::advise {

/// Replays the steps of a graph with some of its nodes changed. Threads need a copy each.
class Replays {
public:
    [[nodiscard]] static Result<Replays> of(const path::Graph& graph);

    /// Steps that none of the nodes is in are not replayed.
    [[nodiscard]] Saving saved(std::span<const NodeChange> changes, const std::stop_token& stop);

    [[nodiscard]] TimeNs meanStepNs() const;

private:
    Replays(const path::Graph& graph, std::vector<path::Window> windows);
    [[nodiscard]] TimeNs lengthOf(std::size_t step);
    [[nodiscard]] bool isTouched(const path::Window& window,
                                 std::span<const NodeChange> changes) const;

    const path::Graph* m_graph;
    std::vector<path::Window> m_windows;
    path::Times m_times;
    path::Scales m_scales;           ///< 1.0 everywhere between two calls
    std::vector<TimeNs> m_unscaled;  ///< lengths by step
};

}  // namespace kinetoscope::advise
