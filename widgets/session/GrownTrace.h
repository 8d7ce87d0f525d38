// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/analysis/GpuBusy.h"
#include "core/query/LaneLayout.h"
#include "core/trace/Trace.h"

namespace kinetoscope {

/// A trace that had fewer rows before, with all that takes long to compute before it can be drawn.
/// Slices, names, tracks and processes have the numbers that they had.
struct GrownTrace {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<LaneIndex> lanes;  ///< laid out
    std::vector<BusyStrips> strips;
};

}  // namespace kinetoscope
