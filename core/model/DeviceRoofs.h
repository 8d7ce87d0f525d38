// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/model/Gpus.h"
#include "core/trace/Trace.h"

namespace kinetoscope::model {

/// The roof that a GPU of a trace is held against.
struct DeviceRoof {
    std::int32_t gpu = 0;
    std::string device;             ///< as the trace names it; "" where it does not
    const GpuRoof* roof = nullptr;  ///< null: not known
    bool measured = false;          ///< on this machine; else its maker's
    double clockMhz = 0.0;          ///< of the trace, which the peaks are scaled to; 0: not scaled
    std::shared_ptr<const GpuRoof> own;  ///< of a roof that stands in no table
};

/// The clock of a GPU's SMs at a time.
struct ClockSample {
    TimeNs time = 0;
    double mhz = 0.0;
};
/// As its sensors measured them, by time.
[[nodiscard]] std::vector<ClockSample> clockSamples(const trace::Trace& trace, std::int32_t gpu);

/// Of the GPU's SM while it worked, by the samples of its sensors; 0 where the trace has none.
[[nodiscard]] double meanClockMhz(const trace::Trace& trace, std::int32_t gpu);

/// Of the roofs that were measured the first for a device of that name, with the maker's peaks for
/// what was not measured; else the table's. Peaks are scaled to the trace's clock where it has one.
[[nodiscard]] DeviceRoof deviceRoof(const trace::Trace& trace, std::int32_t gpu,
                                    std::span<const GpuRoof> measured);

}  // namespace kinetoscope::model
