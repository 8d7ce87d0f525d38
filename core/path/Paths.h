// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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
    std::vector<Part> parts;  ///< of what is critical then, without `piece`; sum to lengthNs
    bool matches = true;      ///< anything in the step; else it could not become shorter
};

/// The critical path of one step.
struct StepPath {
    std::int64_t number = 0;
    TimeSpan span;  ///< on the graph's clock
    TimeNs replayedNs = 0;
    TimeNs inferredNs = 0;          ///< of the path, without a recorded wait
    std::vector<PathPiece> pieces;  ///< earliest first; they cover the span
    std::vector<Part> parts;        ///< largest first; sum to the span
    std::vector<ChangedStep> changed;

    /// From 0 to 1.
    [[nodiscard]] double inferred() const;
};

/// Steps of a graph, ready to be followed as recorded and after changes, again and again: what no
/// change touches is found once. Any thread.
class Paths {
public:
    /// Of these rows of Graph::steps. The graph outlives it. Fails where windowsOf() does.
    [[nodiscard]] static Result<Paths> of(const Graph& graph, const std::vector<std::size_t>& rows,
                                          const std::stop_token& stop);

    [[nodiscard]] const Window& window(std::size_t row) const { return m_windows[row]; }
    [[nodiscard]] const PartNames& names() const { return m_names; }

    /// As recorded; without `changed`.
    [[nodiscard]] StepPath recorded(std::size_t row) const;
    /// Fails when the file has changed since it was read.
    [[nodiscard]] Result<std::vector<Scaler>> prepare(const std::vector<Change>& changes,
                                                      const std::stop_token& stop) const;
    /// After all of these changes at once.
    [[nodiscard]] ChangedStep after(std::size_t row,
                                    const std::vector<const Scaler*>& changes) const;
    /// After each alone, and where there are several all of them together.
    [[nodiscard]] std::vector<ChangedStep> afterEach(std::size_t row,
                                                     const std::vector<Scaler>& changes,
                                                     const std::stop_token& stop) const;

private:
    Paths(const Graph& graph, std::vector<Window> windows, const std::vector<std::size_t>& rows,
          const std::stop_token& stop);

    const Graph* m_graph;
    std::vector<Window> m_windows;  ///< of all rows
    PartNames m_names;
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
