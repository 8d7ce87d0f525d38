// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bench/results/TracedCall.h"
#include "core/model/OperatorModel.h"
#include "core/query/LaunchLinks.h"
#include "core/trace/Trace.h"

namespace kinetoscope::replay {

struct Launch {
    trace::SliceId owner = trace::kNoSlice;  ///< the call that the operation counts for
    trace::GpuOpId operation = 0;
    bool graph = false;
};

/// One call, with its operations at [begin, end) of the launches.
struct Call {
    trace::SliceId owner = trace::kNoSlice;
    std::size_t begin = 0;
    std::size_t end = 0;
    TimeNs timeNs = 0;
};

/// Calls with the same arguments.
struct Group {
    std::string name;
    std::string reason;  ///< why it cannot be measured; else empty
    model::CallTexts texts;
    std::vector<std::size_t> calls;
    TimeNs totalNs = 0;
    std::optional<bench::results::TracedOperator> made;
};

/// By owner, then by the operations' start. With a name: counted for the slice of that name around
/// each, and only what has one.
[[nodiscard]] std::vector<Launch> launchesOf(const trace::Trace& trace,
                                             const query::LaunchLinks& links,
                                             const std::string& name);

/// Why calls of that name are not inputs of a bench, whatever their arguments; else empty.
[[nodiscard]] std::string reasonFor(std::string_view name, bool known, bool graph);

}  // namespace kinetoscope::replay
