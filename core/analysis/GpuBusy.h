// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/Time.h"
#include "core/trace/Trace.h"

namespace kinetoscope::analysis {

/// When one GPU was busy: disjoint spans by start, never empty ones.
struct BusyStrips {
    std::int32_t gpu = 0;
    std::vector<TimeSpan> all;      ///< kernels, copies and memsets
    std::vector<TimeSpan> kernels;  ///< kernels only
    std::vector<TimeSpan> mmConv;   ///< matrix multiplications and convolutions, see MmConv.h
};

/// Those of every GPU that has operations, by GPU number.
[[nodiscard]] std::vector<BusyStrips> busyStrips(const trace::Trace& trace);

}  // namespace kinetoscope::analysis
