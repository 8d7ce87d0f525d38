// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/Result.h"
#include "core/query/GpuTimeline.h"
#include "core/query/LaunchLinks.h"
#include "core/report/Report.h"
#include "core/trace/Trace.h"

namespace kinetoscope::compare {

inline constexpr std::uint32_t kNoStep = std::numeric_limits<std::uint32_t>::max();

/// One kernel on the GPU.
struct KernelLaunch {
    trace::SliceId slice = 0;
    trace::SliceId launcher = trace::kNoSlice;  ///< the operator, see analysis/LaunchLinks
    std::uint32_t gpu = 0;                      ///< row of Report::gpus
    std::uint32_t step = kNoStep;  ///< row of Report::steps; kNoStep outside of all steps
    std::uint32_t operation = 0;   ///< row of Trace::gpuOperations()
    TimeNs start = 0;
    TimeNs duration = 0;
};

/// A run made ready to be compared.
struct ComparedRun {
    std::shared_ptr<const trace::Trace> trace;
    report::Report report;
    std::vector<KernelLaunch> launches;  ///< by GPU, then start

    [[nodiscard]] std::string_view kernelName(const KernelLaunch& launch) const {
        return trace->name(launch.slice);
    }
    /// Empty if unknown.
    [[nodiscard]] std::string_view operatorName(const KernelLaunch& launch) const {
        return launch.launcher == trace::kNoSlice ? std::string_view{}
                                                  : trace->name(launch.launcher);
    }
};

/// A GPU operation belongs to the step whose CPU span contains its launch or, without a known
/// launch, to the last step that had started before it, if that had not ended: its row, or kNoStep.
[[nodiscard]] std::uint32_t stepOf(const trace::Trace& trace,
                                   const std::vector<analysis::Step>& steps,
                                   const query::LaunchLinks& links,
                                   const query::OperationTime& time);

/// Fails when stopped, and when out of memory.
[[nodiscard]] Result<ComparedRun> makeComparedRun(std::shared_ptr<const trace::Trace> trace,
                                                  const std::stop_token& stop = {});

/// The part of a run that lies in the steps [first, last), as a run of its own whose steps count
/// from 0. Its report keeps the GPUs of the whole run.
[[nodiscard]] ComparedRun stepsOf(const ComparedRun& run, std::uint32_t first, std::uint32_t last);

/// The times of each GPU of the report over the steps alone, without places, counts and streams.
/// The operations are those that belong to a step; the window is the steps' time without what only
/// other operations took of it. Throws when stopped.
[[nodiscard]] std::vector<report::GpuReport> gpusOfSteps(const ComparedRun& run,
                                                         const std::stop_token& stop);

/// For runs without steps: the first or the second half of the launches of each kernel of each GPU;
/// with an odd count, the one in the middle is in neither.
[[nodiscard]] ComparedRun halfOf(const ComparedRun& run, bool second);

}  // namespace kinetoscope::compare
