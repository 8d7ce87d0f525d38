// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace kinetoscope::capture::inject {

/// A GPU's clocks, power and temperature at this moment as JSON members, each preceded by a comma:
/// smClockMHz, memoryClockMHz, maxSmClockMHz, maxMemoryClockMHz, powerMilliwatts,
/// powerLimitMilliwatts, temperatureCelsius. Asks NVML ($KINETOSCOPE_NVML or libnvidia-ml.so.1),
/// which is loaded for the call only; what it does not tell is left out.
[[nodiscard]] std::string gpuClockMembers(const std::uint8_t (&uuid)[16]);

}  // namespace kinetoscope::capture::inject
