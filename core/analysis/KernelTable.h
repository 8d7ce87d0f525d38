// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/analysis/KernelNames.h"
#include "core/analysis/MmConv.h"
#include "core/analysis/WindowScope.h"
#include "core/query/GpuTimeline.h"

namespace kinetoscope::analysis {

/// All launches of one kernel name on one GPU. Times in nanoseconds.
struct KernelRow {
    std::int32_t gpu = 0;
    NameId name = kEmptyName;
    std::string shortName;
    std::string category;  ///< Inductor category
    std::string family;
    bool mmConv = false;  ///< any of its launches counts as mm/conv
    std::uint64_t count = 0;
    TimeNs totalNs = 0;
    double meanNs = 0.0;
    double medianNs = 0.0;
    TimeNs minNs = 0;
    TimeNs maxNs = 0;
    double stdNs = 0.0;  ///< n - 1; 0 for a single launch
    // The most frequent launch shape; the first one seen wins a tie.
    std::array<std::uint32_t, 3> grid{};
    std::array<std::uint16_t, 3> block{};
    std::uint16_t registers = 0;
    std::uint32_t sharedBytes = 0;
    std::int16_t occupancyPercent = -1;
    std::uint64_t shapes = 0;  ///< distinct (grid, block, registers, shared memory)
};

using KeepLaunch = std::function<bool(std::int32_t gpu, trace::GpuOpId id)>;

/// One row for each kernel name of each GPU: the kernels that start in the window, with their
/// whole durations. Largest total first, then by name, then by GPU. With `keep`, of the launches
/// that it accepts.
[[nodiscard]] std::vector<KernelRow> kernelTable(const trace::Trace& trace,
                                                 const query::GpuTimeline& timeline,
                                                 const WindowScope& scope, const KernelNames& names,
                                                 const std::vector<MmConvKind>& mmConv,
                                                 const KeepLaunch& keep = {});

}  // namespace kinetoscope::analysis
