// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/IdleTime.h"
#include "core/analysis/Steps.h"

namespace kinetoscope::analysis {

/// What the thread that launched the next operation did while the GPU waited for it.
struct HostActivity {
    /// None: nothing was recorded for most of the time, or there was no host part.
    trace::SliceId slice = trace::kNoSlice;
    TimeNs overlapNs = 0;  ///< of the slice with the host part
};

/// For each gap the slice of the launching thread that overlaps the gap's host part most. Asked are
/// the thread's outermost slices: operators, Python functions, annotations, API calls; steps, and
/// what surrounds the whole window, are passed over for what is inside of them.
[[nodiscard]] std::vector<HostActivity> findHostActivities(const trace::Trace& trace,
                                                           std::span<const IdleGap> gaps,
                                                           TimeSpan window,
                                                           const std::vector<Step>& steps);

/// "synchronizing call", "data loader", "operator", "Python function", "annotation", "API call" or
/// "other": what the slice is, for people.
[[nodiscard]] const char* activityKind(const trace::Trace& trace, trace::SliceId slice);

}  // namespace kinetoscope::analysis
