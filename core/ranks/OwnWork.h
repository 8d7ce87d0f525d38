// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/query/GpuTimeline.h"
#include "core/query/Intervals.h"
#include "core/query/LaunchLinks.h"
#include "core/ranks/RankRecord.h"

namespace kinetoscope::ranks {

/// When the operations of one GPU but communication were launched and done.
struct LaunchOrder {
    std::vector<TimeNs> launches;  ///< starts of the launching calls, sorted
    std::vector<TimeNs> ends;      ///< by start: the latest end of each operation and all before
    /// When the host stood in calls that wait for the GPU; nothing where that is not known.
    std::optional<query::CoveredTime> hostWaits;
};

struct MeasuredWork {
    OwnWork work;
    LaunchOrder order;
};

/// Everything that one GPU did except communication, which `isCommunication` identifies.
[[nodiscard]] MeasuredWork measureOwnWork(
    const trace::Trace& trace, const query::GpuRow& row, const query::LaunchLinks& links,
    const std::function<bool(trace::GpuOpId operation)>& isCommunication);

// What a rank did in one of its steps and not in its median step; nothing where it has fewer than
// three. What its host did and launched in the span of a step belongs to that step.

/// Sets RankStep::stalls of a record whose work is measured. `hostWaits`: when the host stood in
/// calls that wait for the GPU.
void findStalls(const trace::Trace& trace, const query::GpuRow& row,
                const query::LaunchLinks& links, const query::CoveredTime& hostWaits,
                RankRecord& record);

/// Sets RankStep::extra.
void findExtraKernels(const trace::Trace& trace, const query::GpuRow& row,
                      const query::LaunchLinks& links,
                      const std::function<bool(trace::GpuOpId operation)>& isCommunication,
                      RankRecord& record);

}  // namespace kinetoscope::ranks
