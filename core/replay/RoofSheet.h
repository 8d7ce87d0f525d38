// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/results/ResultSheet.h"
#include "core/replay/KeptRoofs.h"

namespace kinetoscope::replay {

/// What was measured beside what the maker says; `table` is null where it is not known.
[[nodiscard]] bench::results::ResultSheet roofSheet(const MeasuredRoof& roof,
                                                    const model::GpuRoof* table);

/// One row for each figure.
[[nodiscard]] std::string roofCsv(const MeasuredRoof& roof);

}  // namespace kinetoscope::replay
