// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/WindowScope.h"
#include "core/query/GpuTimeline.h"
#include "core/query/Intervals.h"
#include "core/query/LaunchLinks.h"

namespace kinetoscope::analysis {

/// Why there was nothing to do between the operations of a stream.
struct StreamGaps {
    TimeNs hostWaitNs = 0;
    TimeNs kernelWaitNs = 0;
    TimeNs otherNs = 0;
    TimeNs overheadNs = 0;     ///< profiler overhead inside gaps, taken out first
    TimeNs insideGraphNs = 0;  ///< gaps inside one graph launch, taken out next
};

/// One stream of a GPU.
struct StreamReport {
    std::int64_t stream = 0;
    std::uint64_t operations = 0;  ///< that start in the window
    TimeNs busyNs = 0;             ///< union, clipped to the window
    StreamGaps gaps;
};

/// A gap shorter than this, with its launch issued in time, is the GPU's own pause between kernels.
inline constexpr TimeNs kKernelWaitBelowNs = 30'000;

/// Two operations of one graph launch share its call, or its correlation where the call is not
/// known.
[[nodiscard]] bool inOneGraphLaunch(const trace::Trace& trace, const query::LaunchLinks& links,
                                    trace::GpuOpId a, trace::GpuOpId b);

/// When the profiler itself cost time (category overhead), over all processes.
[[nodiscard]] query::CoveredTime overheadTime(const trace::Trace& trace);

/// The streams of one GPU with the reasons of their gaps.
///
/// A gap lies between the latest end of the operations before and the start of the next operation.
/// Overhead inside it is taken out first; what is left of a gap between two operations of one graph
/// launch is inside the graph; else it is host wait when the next operation's launch began after
/// the gap did, kernel wait when less than 30 µs are left, other in all other cases. The decision
/// looks at the whole gap; only its part in the window is added up.
[[nodiscard]] std::vector<StreamReport> measureStreams(const trace::Trace& trace,
                                                       const query::GpuRow& row,
                                                       const WindowScope& scope,
                                                       const query::LaunchLinks& links,
                                                       const query::CoveredTime& overhead);

/// Adds up the reasons of several streams.
[[nodiscard]] StreamGaps sumOfGaps(const std::vector<StreamReport>& streams);

}  // namespace kinetoscope::analysis
