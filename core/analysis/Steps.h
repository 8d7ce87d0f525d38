// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/Time.h"
#include "core/trace/Trace.h"

namespace kinetoscope::query {
class GpuTimeline;
class LaunchLinks;
}  // namespace kinetoscope::query

namespace kinetoscope::analysis {

/// As many GPUs as one host may have: each step tells of all of them.
inline constexpr std::size_t kMostGpus = 64;

struct StepGpu {
    std::int32_t gpu = 0;
    TimeNs busyNs = 0;
};

struct Step {
    std::string name;
    std::int64_t number = 0;
    TimeSpan span;              ///< to the later of the CPU span's end and its GPU work's end
    TimeNs cpuEndNs = 0;        ///< end of the CPU span alone
    TimeNs busyNs = 0;          ///< union of GPU operations of all GPUs inside the span
    std::uint64_t kernels = 0;  ///< launched inside
    std::vector<StepGpu> gpus;  ///< of the trace; of more than kMostGpus those busy in the span
};

/// The steps of a run, by start: the CPU spans "ProfilerStep#N"; without any, the outermost
/// annotations "text#N" of one thread whose N count up by one. Of a cut only those inside of its
/// window; if there are none, those that overlap it. May be empty.
[[nodiscard]] std::vector<Step> findSteps(const trace::Trace& trace);

/// The same with tables that the caller has already.
[[nodiscard]] std::vector<Step> findSteps(const trace::Trace& trace,
                                          const query::GpuTimeline& timeline,
                                          const query::LaunchLinks& links);

}  // namespace kinetoscope::analysis
