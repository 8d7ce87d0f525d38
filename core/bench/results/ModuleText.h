// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/bench/results/BenchResult.h"

namespace kinetoscope::bench::results {

// The output of fastrnns/bench.py, byte for byte but for the times.

/// Names of the columns, 16 wide and right-aligned, with `sep` between.
[[nodiscard]] std::string moduleHeader(const std::string& sep);
/// Nanoseconds of what times are printed in: fastrnns has seconds on a CPU.
inline constexpr double kMsUnit = 1e6;
inline constexpr double kSecondsUnit = 1e9;

/// One runner: averages and standard deviations as %.4g, "None" for the infos. Without a backward
/// pass its figures are 0.
[[nodiscard]] std::string moduleLine(const BenchItem& runner, const std::string& sep,
                                     double unit = kMsUnit);
/// {"lstm": {runner: average}, "lstm-backward": …} as json.dumps() prints it.
[[nodiscard]] std::string moduleOssJson(const ResultDocument& document, double unit = kMsUnit);
/// "Caffe2Observer {…}" for each loop.
[[nodiscard]] std::string modulePepJson(const ResultDocument& document, double unit = kMsUnit);

}  // namespace kinetoscope::bench::results
