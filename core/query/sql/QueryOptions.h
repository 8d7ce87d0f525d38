// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>

#include "core/base/Time.h"

namespace kinetoscope::query::sql {

/// How much a question may take. 0: no limit.
struct QueryLimits {
    std::chrono::milliseconds time{0};
    std::size_t bytes = std::size_t{1} << 30U;  ///< of SQLite's tables and of kept arguments
};

struct QueryOptions {
    QueryLimits limits;
    /// Of rows with times those that overlap it, of sums what begins in it; as times are shown.
    std::optional<TimeSpan> window;
    std::stop_token stop = {};
};

}  // namespace kinetoscope::query::sql
