// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/analysis/GpuTimeline.h"
#include "core/analysis/KernelNames.h"
#include "core/analysis/MmConv.h"
#include "core/analysis/Report.h"
#include "core/analysis/WindowScope.h"

namespace kinetoscope {

/// One row for each kernel name of each GPU: the kernels that start in the window, with their
/// whole durations. Largest total first, then by name, then by GPU.
[[nodiscard]] std::vector<KernelRow> kernelTable(const Trace& trace, const GpuTimeline& timeline,
                                                 const WindowScope& scope, const KernelNames& names,
                                                 const std::vector<MmConvKind>& mmConv);

}  // namespace kinetoscope
