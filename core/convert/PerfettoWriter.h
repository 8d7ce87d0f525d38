// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "core/base/Progress.h"
#include "core/base/Result.h"
#include "core/trace/Trace.h"

namespace kinetoscope::convert {

struct PerfettoOptions {
    std::string output;  ///< compressed when it ends in .gz
    std::stop_token stop;
    Progress* progress = nullptr;  ///< slices
};

struct PerfettoSummary {
    std::uint64_t events = 0;  ///< slices, instants and samples of counters
    std::uint64_t outputBytes = 0;
    std::uint64_t outOfRange = 0;  ///< events at times that readers of packets refuse: left out
};

/// Writes a trace as Perfetto's packets: threads as track events, whatever is on a GPU's rows as
/// stages of that GPU, with launches, shapes and bytes as PyTorch's writer has them. Of arguments
/// only those go along that a trace has columns for; arrows are left out.
[[nodiscard]] Result<PerfettoSummary> writePerfettoTrace(const trace::Trace& trace,
                                                         const PerfettoOptions& options);

}  // namespace kinetoscope::convert
