// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "core/base/Result.h"

namespace kinetoscope::ranks::workers {

/// Which of the processes that do one work together this is.
struct Place {
    std::size_t number = 0;  ///< below `count`
    std::size_t count = 1;
    std::size_t onHost = 1;  ///< how many of them share this machine, if known
};

/// The place that an engine that started several processes gives to each by environment variables:
/// Open MPI, MPICH and its kin (PMI), Slurm. Nothing without one, and in Slurm's batch script,
/// which is not a task itself. `variable` returns the value of one, null if it is not set.
[[nodiscard]] std::optional<Place> engineTells(
    const std::function<const char*(const char* name)>& variable);

/// "2/8".
[[nodiscard]] Result<Place> parsePlace(std::string_view text);

}  // namespace kinetoscope::ranks::workers
