// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/trace/Trace.h"

namespace kinetoscope::analysis {

/// Busy microseconds of everything on the rows of GPUs, in floating point as Python sums them.
struct CompatBusy {
    std::optional<double> us;        ///< none: see `reason`
    std::optional<double> mmConvUs;  ///< of names with gemm, conv, cutlass or wgrad
    std::string reason;              ///< what an event lacks, so that Python would raise
};

/// Complete events whose pid a process_labels event calls a GPU, merged in order of start.
[[nodiscard]] CompatBusy compatBusy(const trace::Trace& trace);

}  // namespace kinetoscope::analysis
