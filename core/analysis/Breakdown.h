// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/KernelNames.h"
#include "core/analysis/MmConv.h"
#include "core/analysis/WindowScope.h"
#include "core/query/GpuTimeline.h"

namespace kinetoscope::analysis {

/// The four parts sum to the window exactly.
struct Breakdown {
    TimeNs computeNs = 0;
    TimeNs exposedCommNs = 0;
    TimeNs exposedCopyNs = 0;
    TimeNs idleNs = 0;
};

/// Matrix multiplications and convolutions; layout conversions of their operators are apart.
struct MmConvTime {
    TimeNs unionNs = 0;
    TimeNs operatorNs = 0;  ///< sum of durations, decided by the launching operator
    TimeNs nameNs = 0;      ///< sum of durations, decided by the kernel's name
    TimeNs layoutNs = 0;    ///< sum of durations
};

struct OperationCounts {
    std::uint64_t kernel = 0;
    std::uint64_t memcpy = 0;
    std::uint64_t memset = 0;
};

/// How a GPU spent its window.
struct GpuTime {
    TimeSpan window;
    TimeNs busyNs = 0;
    TimeNs kernelBusyNs = 0;
    TimeNs kernelTimeSumNs = 0;
    MmConvTime mmConv;
    Breakdown breakdown;
    TimeSpan longestGap;  ///< the longest time without any operation, the first of equals
    OperationCounts operations;
};

/// Everything but the counts is clipped to the window.
[[nodiscard]] GpuTime measureGpuTime(const trace::Trace& trace, const query::GpuRow& row,
                                     const WindowScope& scope, const KernelNames& names,
                                     const std::vector<MmConvKind>& mmConv);

}  // namespace kinetoscope::analysis
