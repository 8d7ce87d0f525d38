// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/bench/workers/BenchConsole.h"
#include "core/replay/KeptRoofs.h"

namespace kinetoscope::replay {

struct RoofRequest {
    std::string device;        ///< "cuda:1"; empty: the first GPU
    double measureMs = 500.0;  ///< of each figure
};

/// Has kscope-torch copy, add and multiply on the GPU, and watches clocks and power meanwhile. What
/// this GPU or PyTorch cannot do has a reason. Fails when nothing can be measured.
[[nodiscard]] Result<MeasuredRoof> measureRoof(const RoofRequest& request,
                                               bench::workers::BenchConsole& console);

}  // namespace kinetoscope::replay
