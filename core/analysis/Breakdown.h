// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/analysis/GpuTimeline.h"
#include "core/analysis/KernelNames.h"
#include "core/analysis/MmConv.h"
#include "core/analysis/Report.h"
#include "core/analysis/WindowScope.h"

namespace kinetoscope {

/// How a GPU spent its window: fills window, busyNs, kernelBusyNs, kernelTimeSumNs, mmConv,
/// breakdown and operations of a report. Everything but the counts is clipped to the window.
void measureGpuTime(const Trace& trace, const GpuRow& row, const WindowScope& scope,
                    const KernelNames& names, const std::vector<MmConvKind>& mmConv,
                    GpuReport& report);

}  // namespace kinetoscope
