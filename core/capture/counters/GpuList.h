// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/capture/Nvml.h"

namespace kinetoscope::capture::counters {

struct Gpu {
    std::uint32_t id = 0;            ///< CUDA's number, else NVML's
    std::string json;                ///< of a capture's device chunk
    Nvml::Device sensors = nullptr;  ///< null: NVML does not know it
};

/// The GPUs that CUDA shows this process; loads the driver. Fails with one line without one.
[[nodiscard]] Result<std::vector<Gpu>> gpusOfCuda(const Nvml& nvml);
/// Those that NVML knows, without touching the driver; none where there is no NVML.
[[nodiscard]] std::vector<Gpu> gpusOfNvml(const Nvml& nvml);

}  // namespace kinetoscope::capture::counters
