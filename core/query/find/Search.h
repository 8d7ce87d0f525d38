// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/trace/Trace.h"

namespace kinetoscope::query {

/// Slices whose name contains `pattern`, by start: a text without regard to case, or a regular
/// expression between slashes ("/gemm|conv/", also without regard to case). Each name is matched
/// once. An empty pattern finds nothing. Fails if the expression is invalid, or when stopped.
[[nodiscard]] Result<std::vector<trace::SliceId>> findSlices(const trace::Trace& trace,
                                                             std::string_view pattern,
                                                             const std::stop_token& stop = {});

/// All slices of one name, by start.
[[nodiscard]] std::vector<trace::SliceId> slicesNamed(const trace::Trace& trace, NameId name);

}  // namespace kinetoscope::query
