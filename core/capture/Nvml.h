// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/capture/CuptiAbi.h"

namespace kinetoscope::capture {

/// A GPU's sensors at one moment; values that NVML does not report are empty.
struct GpuSensors {
    std::optional<double> smClockMHz;
    std::optional<double> memoryClockMHz;
    std::optional<double> powerWatts;
    std::optional<double> temperatureCelsius;
    std::optional<double> memoryUsedBytes;  ///< of all processes
};

/// NVIDIA's management library ($KINETOSCOPE_NVML or libnvidia-ml.so.1), loaded while this lives.
/// Without it every function returns nothing.
class Nvml {
public:
    Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;
    ~Nvml();

    using Device = void*;
    /// The GPU with this UUID; null when NVML knows none.
    [[nodiscard]] Device device(const std::uint8_t (&uuid)[16]) const;
    [[nodiscard]] GpuSensors sensors(Device device) const;
    [[nodiscard]] std::uint32_t count() const;
    /// Fills in number, UUID, memory and compute capability of the GPU; null when there is none.
    [[nodiscard]] Device describe(std::uint32_t index, cupti::Device& device,
                                  std::string& name) const;

private:
    friend std::string gpuClockMembers(const std::uint8_t (&uuid)[16]);
    template <class Function>
    [[nodiscard]] Function find(const char* name) const;
    template <class... Choice>
    [[nodiscard]] std::optional<unsigned> number(const char* function, Device device,
                                                 Choice... choice) const;

    void* m_library = nullptr;
    bool m_ready = false;
};

/// A GPU's clocks, power and temperature at this moment as JSON members, each preceded by a comma:
/// smClockMHz, memoryClockMHz, maxSmClockMHz, maxMemoryClockMHz, powerMilliwatts,
/// powerLimitMilliwatts, temperatureCelsius. Values that NVML does not report are left out.
[[nodiscard]] std::string gpuClockMembers(const std::uint8_t (&uuid)[16]);

}  // namespace kinetoscope::capture
