// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "core/path/Replay.h"

namespace kinetoscope::path {

/// A stretch of a critical path.
struct PathPiece {
    TimeSpan span = {};      ///< on the graph's clock, in the times of the replay
    TimeSpan recorded = {};  ///< of a piece of a thread, the same part of it as recorded
    NodeId node = kNoNode;
    bool isGap = false;                ///< before the node began, after its last predecessor
    EdgeKind edge = EdgeKind::Thread;  ///< of a gap: from that predecessor
    bool isFirst = false;              ///< of a gap: nothing is known to have come before
    bool inferred = false;             ///< no wait of the next part for it is recorded

    friend bool operator==(const PathPiece&, const PathPiece&) = default;
};

/// From the step's end back along the predecessors that came last. The pieces cover the step
/// without a hole: [window.span.start, end.time).
void eachPiece(const Times& times, const Window& window, const StepEnd& end,
               const std::function<void(const PathPiece&)>& take);
/// The same, earliest piece first.
[[nodiscard]] std::vector<PathPiece> walkPath(const Times& times, const Window& window,
                                              const StepEnd& end);

}  // namespace kinetoscope::path
