// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::analysis {

/// Valid values of the wall time and the number of runs.
inline constexpr double kMinWallMs = 1e-6;
inline constexpr double kMaxWallMs = 1e12;
inline constexpr std::uint64_t kMaxRuns = 1'000'000'000'000;

struct CompatOptions {
    std::optional<double> wallMs;  ///< wall time of ONE run, measured without a profiler; above 0
    std::uint64_t runs = 1;        ///< runs in the trace; at least 1
    std::string name = "None";     ///< benchmark name in the line that is collected
    std::stop_token stop = {};     ///< ends with Stopped
};

/// One name of one category, over all GPUs, per run.
struct CompatKernel {
    std::string key;
    double ms = 0.0;
    double count = 0.0;
};

struct CompatCategory {
    std::string name;  ///< e.g. "triton_pointwise"
    double totalMs = 0.0;
    std::vector<CompatKernel> kernels;  ///< largest time first
};

/// PyTorch's own figures, with their definitions and quirks, for comparison with old numbers.
struct CompatReport {
    std::optional<double> utilization;        ///< fraction; none: see `reason`
    std::optional<double> mmConvUtilization;  ///< fraction; none: see `reason`
    std::string reason;                       ///< the reason if there is no utilisation; else empty
    double gpuBusy = 0.0;                     ///< sum of times / wall; can pass 1
    double wallMs = 0.0;                      ///< of one run
    bool wallMeasured = false;                ///< false: extent of the trace / runs
    std::uint64_t runs = 1;
    std::vector<CompatCategory> categories;  ///< those with events, in the printed order
    std::string tabulateLine;                ///< "Output for tabulate: …", no line end
    std::string text;                        ///< all that is printed, with line ends
};

/// Fails only when stopped. Without a wall time and without any slice, the wall time is 0: every
/// share is "nan", and there is no utilisation.
[[nodiscard]] CompatReport makeCompatReport(const trace::Trace& trace,
                                            const CompatOptions& options = {});

}  // namespace kinetoscope::analysis
