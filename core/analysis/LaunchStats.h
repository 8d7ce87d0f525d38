// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/GpuTimeline.h"
#include "core/analysis/LaunchLinks.h"
#include "core/analysis/Report.h"
#include "core/analysis/WindowScope.h"

namespace kinetoscope {

/// How long after the end of their API calls the operations of one GPU that start in the window
/// began. Delays are signed; operations of graph launches have none.
[[nodiscard]] LaunchStats measureLaunches(const Trace& trace, const GpuRow& row,
                                          const WindowScope& scope, const LaunchLinks& links);

}  // namespace kinetoscope
