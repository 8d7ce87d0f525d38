// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/analysis/Report.h"
#include "core/trace/Trace.h"

namespace kinetoscope {

class GpuTimeline;
class LaunchLinks;

/// The steps of a run, by start: the CPU spans "ProfilerStep#N"; without any, the outermost
/// annotations "text#N" of one thread whose N count up by one. Empty when there are none.
[[nodiscard]] std::vector<Step> findSteps(const Trace& trace);

/// The same with tables that the caller has already.
[[nodiscard]] std::vector<Step> findSteps(const Trace& trace, const GpuTimeline& timeline,
                                          const LaunchLinks& links);

}  // namespace kinetoscope
