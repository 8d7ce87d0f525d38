// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/WindowScope.h"
#include "core/query/GpuTimeline.h"

namespace kinetoscope::model {

/// One series of a GPU's counters: "DRAM bandwidth (GB/s)", "read".
struct CounterName {
    std::string counter;
    std::string series;

    friend bool operator==(const CounterName&, const CounterName&) = default;
};

/// Counters measured while a kernel ran.
struct MeasuredKernel {
    NameId name = kEmptyName;
    std::uint64_t count = 0;    ///< launches that were long enough and alone on the GPU
    TimeNs timeNs = 0;          ///< of these
    std::vector<double> means;  ///< of each of GpuCounters::names over that time; NaN: not measured
};

struct GpuCounters {
    std::int32_t gpu = 0;
    std::vector<CounterName> names;
    std::vector<MeasuredKernel> kernels;  ///< longest time first
};

/// The means of a GPU's counters over the launches of each kernel that start in the window, last at
/// least five samples, and have the GPU for themselves. A sample counts from its time until the
/// next one's. Only GPUs with counters of which a launch is long enough.
[[nodiscard]] std::vector<GpuCounters> kernelCounters(const trace::Trace& trace,
                                                      const query::GpuTimeline& timeline,
                                                      const analysis::WindowScope& scope);

/// Bytes that one launch moved from and to the memory of its GPU.
struct MeasuredTraffic {
    trace::GpuOpId operation = 0;
    double bytes = 0.0;
};

/// What counters of the DRAM's bandwidth, read and written, measured of launches as above that they
/// cover from begin to end.
[[nodiscard]] std::vector<MeasuredTraffic> measuredTraffic(const trace::Trace& trace,
                                                           const query::GpuTimeline& timeline,
                                                           const analysis::WindowScope& scope);

}  // namespace kinetoscope::model
