// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/DeviceRoofs.h"
#include "core/model/LaunchedCalls.h"
#include "core/query/BusyColumns.h"

namespace kinetoscope::model {

/// A GPU's rate relative to its roof over time.
struct RoofColumns {
    std::int32_t gpu = 0;
    DeviceRoof roof;
    query::BusyColumns reached;
};

/// One for each GPU with a call that has a roof, by GPU. While its operations run, a call counts
/// with its time at the roof relative to its time, at most 1; calls at the same time add up, at
/// most to 1. Calls without a model count nothing. `measured`: see deviceRoof().
[[nodiscard]] std::vector<RoofColumns> roofColumns(const trace::Trace& trace,
                                                   const LaunchedCalls& calls,
                                                   std::span<const GpuRoof> measured = {});

}  // namespace kinetoscope::model
