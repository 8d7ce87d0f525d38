// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/Time.h"
#include "core/trace/Trace.h"

namespace kinetoscope::analysis {

enum class BusyKind : std::uint8_t {
    All,      ///< kernels, copies and memsets
    Kernels,  ///< kernels only
    MmConv,   ///< matrix multiplications and convolutions, see analysis/MmConv
};

/// Numbers of the GPUs that have operations, ascending.
[[nodiscard]] std::vector<std::int32_t> gpusOf(const trace::Trace& trace);

/// When that GPU was busy: disjoint spans by start, never empty ones. Empty for an unknown GPU.
[[nodiscard]] std::vector<TimeSpan> busySpans(const trace::Trace& trace, std::int32_t gpu,
                                              BusyKind kind);

/// The spans of every kind of one GPU.
struct BusyStrips {
    std::int32_t gpu = 0;
    std::vector<TimeSpan> all;
    std::vector<TimeSpan> kernels;
    std::vector<TimeSpan> mmConv;
};

/// busySpans() of every kind for every GPU, by GPU number; cheaper than asking one by one.
[[nodiscard]] std::vector<BusyStrips> busyStrips(const trace::Trace& trace);

}  // namespace kinetoscope::analysis
