// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/KernelNames.h"
#include "core/path/InnermostCalls.h"
#include "core/path/WalkPath.h"

namespace kinetoscope::path {

enum class PartKind : std::uint8_t {
    Kernel,           ///< by family
    Communication,    ///< by kind of collective
    Copy,             ///< copies and memsets
    Cpu,              ///< by operator
    Launch,           ///< API calls that launch, and the way to the GPU
    Synchronization,  ///< what calls still took once what they waited for had ended
    Gap,              ///< nothing ran and nothing is known to have been waited for
};
inline constexpr std::size_t kPartKinds = 7;

/// "kernel", "communication", "copy", "cpu", "launch", "synchronization", "gap".
[[nodiscard]] std::string_view partKindName(PartKind kind);

/// What took time of a critical path.
struct Part {
    PartKind kind = PartKind::Gap;
    std::string name;
    TimeNs ns = 0;
    std::uint64_t count = 0;  ///< stretches of the path
    /// Of the longest stretch: its piece of the path, and what of the trace it was.
    std::uint32_t piece = 0;
    trace::SliceId slice = trace::kNoSlice;
    TimeNs longestNs = 0;
};

/// What the stretches of paths are called.
class PartNames {
public:
    /// For these paths, of whatever step and what-if.
    PartNames(const Graph& graph, const std::vector<const std::vector<PathPiece>*>& paths,
              const std::stop_token& stop);

    /// The sums of a path by kind and name, the largest first; together its length.
    [[nodiscard]] std::vector<Part> sumUp(const std::vector<PathPiece>& path) const;

    /// A stretch of one name: `slice` is what it was, kNoSlice where the trace has nothing.
    struct Stretch {
        PartKind kind = PartKind::Gap;
        std::string_view name;
        TimeNs ns = 0;
        trace::SliceId slice = trace::kNoSlice;
    };
    /// The piece's stretches; one but for pieces of threads, which are cut by operator.
    [[nodiscard]] std::vector<Stretch> stretchesOf(const PathPiece& piece) const;

private:
    [[nodiscard]] Stretch gap(const PathPiece& piece) const;
    [[nodiscard]] Stretch operation(const Node& node) const;
    [[nodiscard]] std::vector<Stretch> threadStretches(const Node& node,
                                                       const PathPiece& piece) const;

    /// Of one rank.
    struct Names {
        Names(const trace::Trace& trace, const std::set<trace::TrackId>& tracks, TimeSpan within,
              const std::stop_token& stop);
        analysis::KernelNames kernels;
        std::vector<std::string> shownKernels;  ///< by number: kinds of collectives
        InnermostCalls calls;
    };

    const Graph& m_graph;
    std::vector<std::unique_ptr<Names>> m_names;
};

}  // namespace kinetoscope::path
