// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/Result.h"
#include "core/bench/workers/OperatorsRun.h"

namespace kinetoscope::app {

/// Which operators of which trace are measured.
struct TraceChoice {
    std::string path;  ///< empty: none
    std::size_t top = 10;
    std::string shapes;  ///< with an operator's name; empty: all
    /// Only calls like the one whose event begins at this byte of the text.
    std::optional<std::uint64_t> event;
};

/// Reads the trace and makes its costliest operators the inputs of the run: of the operator that
/// the run names, or of all.
[[nodiscard]] Result<void> takeFromTrace(const TraceChoice& choice,
                                         bench::workers::OperatorsRun& run);

}  // namespace kinetoscope::app
