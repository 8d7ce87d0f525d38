// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/path/Parts.h"

namespace kinetoscope::path {

/// Grouping of the rows of a critical path.
enum class PathBy : std::uint8_t {
    Part,      ///< kernels by family, CPU by operator, …
    Kernel,    ///< GPU operations by name
    Operator,  ///< what launched or did it
    Module,    ///< the module of the model around that
    Gap,       ///< each gap, wait and launch of its own
};
inline constexpr std::size_t kPathBys = 5;

/// The sums of a path, the largest first; together its length, but for gaps, which leave out what
/// ran, and kernels, which leave out what did not run on a GPU.
using ContributorRows = std::array<std::vector<Part>, kPathBys>;
/// `names` cover the path.
[[nodiscard]] ContributorRows contributorsOf(const Graph& graph, const PartNames& names,
                                             const std::vector<PathPiece>& path,
                                             const std::stop_token& stop);

}  // namespace kinetoscope::path
