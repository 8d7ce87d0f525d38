// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/capture/CuptiAbi.h"

namespace kinetoscope::capture {

/// Describes a GPU as the loaded CUDA driver does, for a CUPTI that was attached after the program
/// had started and has reported nothing of it. False if the driver does not answer. `device.name`
/// is valid until the next call on this thread.
[[nodiscard]] bool describeByDriver(std::uint32_t id, cupti::Device& device);

}  // namespace kinetoscope::capture
