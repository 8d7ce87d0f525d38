// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/base/Time.h"
#include "core/trace/Trace.h"

namespace kinetoscope::query {

/// When at least one thread ran an operator or an API call: disjoint spans by start, never empty.
/// In traces without either, when anything ran that is not on a GPU. Annotations and Python frames
/// last as long as the run and do not count. Linear if slices of a thread come by start.
[[nodiscard]] std::vector<TimeSpan> cpuActivity(const trace::Trace& trace);

}  // namespace kinetoscope::query
