// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/trace/Trace.h"

namespace kinetoscope::query {

/// Slices whose name holds `pattern`, by start: a text without regard to case, or a regular
/// expression between slashes ("/gemm|conv/", also without regard to case). The names are matched
/// once each. An empty pattern finds nothing. Fails when the expression is none.
[[nodiscard]] Result<std::vector<trace::SliceId>> findSlices(const trace::Trace& trace,
                                                             std::string_view pattern);

}  // namespace kinetoscope::query
