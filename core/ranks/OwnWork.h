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

/// Sets Segment::stallNs of a rank whose segments are divided. `program`: its calls in the order of
/// their launches.
void findStalls(const std::vector<CollectiveCall>& calls, const LaunchOrder& order,
                const std::vector<std::uint32_t>& program, std::vector<Segment>& segments);

}  // namespace kinetoscope::ranks
