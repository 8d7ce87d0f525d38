// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/ranks/view/JobGrid.h"

namespace kinetoscope::ranks::view {

/// What happened to a rank in a step, a sentence each; the causes as `kscope ranks` words them.
[[nodiscard]] std::vector<std::string> describeCell(const Job& job, const JobGrid& grid,
                                                    std::size_t record, std::size_t step);

/// "allreduce of group 0, 64.0 MiB, 8 ranks, step 6".
[[nodiscard]] std::string collectiveTitle(const Job& job, std::size_t collective);
/// Who came last, how long the others waited, what it took.
[[nodiscard]] std::vector<std::string> describeCollective(const Job& job, std::size_t collective);

/// "step 6"; "outside of steps".
[[nodiscard]] std::string stepTitle(std::int64_t number);

}  // namespace kinetoscope::ranks::view
