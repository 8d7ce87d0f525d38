// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/bench/results/TracedCall.h"
#include "core/trace/Trace.h"

namespace kinetoscope::replay {

struct CostliestCalls {
    bench::results::TraceOrigin origin;
    std::vector<bench::results::TracedOperator> operators;  ///< most GPU time first
};

struct CostliestOptions {
    std::size_t top = 10;
    /// Only calls of this operator ("aten::linear"), with all that they launch, also by inner ones;
    /// empty: of whatever launched the work itself.
    std::string name;
    std::string shapes;  ///< only calls of these, as reports print them; empty: all
    /// Only calls like the one whose event begins at this byte of the file's text, or that launched
    /// the GPU's work which does; in place of name and shapes.
    std::optional<std::uint64_t> event = {};
    std::stop_token stop = {};
};

/// The operators of the trace that took most GPU time, by their arguments, as inputs of the bench.
/// Those with too little information in the trace are left out with the reason, if their time would
/// be among the others'. Fails if there is no GPU work, or none of that operator, if the file has
/// changed since it was read, and when stopped.
[[nodiscard]] Result<CostliestCalls> costliestCalls(const trace::Trace& trace,
                                                    const CostliestOptions& options);

}  // namespace kinetoscope::replay
