// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
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
    /// Of the longest stretch, the earliest of several: its piece of the path, and what of the
    /// trace it was.
    std::uint32_t piece = 0;
    trace::SliceId slice = trace::kNoSlice;
    TimeNs longestNs = 0;
};

/// Names of the stretches of paths.
class PartNames {
public:
    /// For paths of these steps, whatever is changed in them. The graph outlives it.
    PartNames(const Graph& graph, const std::vector<const Window*>& steps,
              const std::stop_token& stop);

    /// What the names of kernels tell, by rank.
    [[nodiscard]] std::vector<const analysis::KernelNames*> kernels() const;
    /// The sums of a path by kind and name, the largest first; together its length.
    [[nodiscard]] std::vector<Part> sumUp(const std::vector<PathPiece>& path) const;

    /// A stretch of one name: `slice` is what it was, kNoSlice where the trace has nothing.
    struct Stretch {
        PartKind kind = PartKind::Gap;
        std::string_view name;
        TimeNs ns = 0;
        trace::SliceId slice = trace::kNoSlice;
    };
    [[nodiscard]] const Graph& graph() const { return m_graph; }
    /// The piece's stretches; one but for pieces of threads, which are cut by operator.
    void stretchesOf(const PathPiece& piece, std::vector<Stretch>& stretches) const;

private:
    [[nodiscard]] Stretch gap(const PathPiece& piece) const;
    [[nodiscard]] Stretch operation(const Node& node) const;
    void threadStretches(const Node& node, const PathPiece& piece,
                         std::vector<Stretch>& stretches) const;

    /// Of one rank.
    struct Names {
        Names(const trace::Trace& trace, const WantedCalls& wanted, const std::stop_token& stop);
        analysis::KernelNames kernels;
        std::vector<std::string> shownKernels;  ///< by number: kinds of collectives
        InnermostCalls calls;
    };

    const Graph& m_graph;
    std::vector<std::unique_ptr<Names>> m_names;
};

/// Sums a path up, piece by piece in any order.
class PartSums {
public:
    explicit PartSums(const PartNames& names) : m_names(names) {}

    /// `place`: of the piece, the lower the earlier.
    void add(const PathPiece& piece, std::uint32_t place);
    /// The largest first. Ends the sums.
    [[nodiscard]] std::vector<Part> parts();

private:
    using Key = std::tuple<PartKind, std::uint32_t, std::string_view>;  ///< with the rank
    struct Recent {
        Key key;
        Part* part = nullptr;
    };
    [[nodiscard]] Part& of(const Key& key);

    const PartNames& m_names;
    std::map<Key, Part> m_parts;
    std::array<Recent, 256> m_recent{};           ///< by address of the name
    std::vector<PartNames::Stretch> m_stretches;  ///< of one piece
};

}  // namespace kinetoscope::path
