// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/results/ResultSheet.h"
#include "core/replay/KeptRoofs.h"

namespace kinetoscope::replay {

/// Measured figures beside the maker's; `table` is null if those are not known.
[[nodiscard]] bench::results::ResultSheet roofSheet(const MeasuredRoof& roof,
                                                    const model::GpuRoof* table);

/// One row for each figure.
[[nodiscard]] std::string roofCsv(const MeasuredRoof& roof);

}  // namespace kinetoscope::replay
