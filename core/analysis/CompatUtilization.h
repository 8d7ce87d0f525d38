// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "core/trace/Trace.h"

namespace kinetoscope::analysis {

/// How often a loop over all slices looks whether it is to stop.
inline constexpr trace::SliceId kSlicesBetweenStops = 1U << 16U;

/// Busy microseconds of everything on the rows of GPUs, in floating point as Python sums them.
struct CompatBusy {
    std::optional<double> us;        ///< none: see `reason`
    std::optional<double> mmConvUs;  ///< of names with gemm, conv, cutlass or wgrad
    std::string reason;              ///< what an event lacks, so that Python would raise
};

/// Complete events whose pid a process_labels event calls a GPU, merged in order of start.
/// Ends with Stopped.
[[nodiscard]] CompatBusy compatBusy(const trace::Trace& trace, const std::stop_token& stop = {});

}  // namespace kinetoscope::analysis
