// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/path/Changes.h"
#include "core/path/Parts.h"

namespace kinetoscope::path {

/// A step after a change.
struct ChangedStep {
    std::string change;  ///< as it was written; several joined by " + "
    TimeNs lengthNs = 0;
    std::vector<Part> parts;  ///< of what is critical then; sum to lengthNs
    bool matches = true;      ///< anything in the step; else it could not become shorter
};

/// The critical path of one step.
struct StepPath {
    std::int64_t number = 0;
    TimeSpan span;  ///< on the graph's clock
    TimeNs replayedNs = 0;
    TimeNs inferredNs = 0;  ///< of the path, where the trace does not tell that it was waited for
    std::vector<PathPiece> pieces;  ///< earliest first; they cover the span
    std::vector<Part> parts;        ///< largest first; sum to the span
    std::vector<ChangedStep> changed;

    /// From 0 to 1.
    [[nodiscard]] double inferred() const;
};

struct PathOptions {
    std::optional<std::int64_t> step = {};  ///< its number; none: all
    std::optional<std::size_t> row = {};    ///< of Graph::steps; none: all
    /// Each alone, and where there are several all of them together.
    std::vector<Change> changes = {};
    std::stop_token stop = {};
};

/// The critical path of the steps, and how long they would be after the changes. Fails without that
/// step, and when it is stopped.
[[nodiscard]] Result<std::vector<StepPath>> findPaths(const Graph& graph,
                                                      const PathOptions& options = {});

}  // namespace kinetoscope::path
