// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "core/bench/plan/BlockSizes.h"
#include "core/metrics/KernelSource.h"

namespace kinetoscope::bench::plan {

/// Blocks along x, y and z.
using Grid = std::array<std::int64_t, 3>;

/// Values of the integer arguments by parameter name ("xnumel").
using IntegerArguments = std::map<std::string, std::int64_t>;

/// The grid type of a kernel: inductor_meta's grid_type or, before that existed, the one of its
/// run() call.
[[nodiscard]] std::string gridType(const metrics::KernelSource& source);

/// Names of the block sizes that the program ids along x, y and z are multiplied with; empty where
/// the grid type has none.
[[nodiscard]] std::array<std::string, 3> axisBlockNames(const std::string& gridType,
                                                        const metrics::KernelSource& source);

/// As many blocks as the kernel's sizes need. Fails when a size or a block size is not known, and
/// for grid types that are not known. `launcherArguments` are the values get_args returns behind
/// the kernel's own parameters.
[[nodiscard]] Result<Grid> launchGrid(const metrics::KernelSource& source,
                                      const IntegerArguments& integers, const BlockSizes& blocks,
                                      const std::vector<std::int64_t>& launcherArguments);

}  // namespace kinetoscope::bench::plan
