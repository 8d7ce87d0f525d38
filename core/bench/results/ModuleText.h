// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/bench/results/ModuleResult.h"

namespace kinetoscope::bench::results {

// The output of fastrnns/bench.py, byte for byte but for the times.

/// Names of the columns, 16 wide and right-aligned, with `sep` between.
[[nodiscard]] std::string moduleHeader(const std::string& sep);
/// The same times in seconds, as fastrnns has them on a CPU.
[[nodiscard]] ModuleResult inSeconds(ModuleResult result);
[[nodiscard]] ModuleDocument inSeconds(ModuleDocument document);

/// One runner: averages and standard deviations as %.4g, "None" for the infos. Where there is no
/// backward its figures are 0.
[[nodiscard]] std::string moduleLine(const ModuleResult& result, const std::string& sep);
/// {"lstm": {runner: average}, "lstm-backward": …} as json.dumps() prints it.
[[nodiscard]] std::string moduleOssJson(const ModuleDocument& document);
/// "Caffe2Observer {…}" for each loop.
[[nodiscard]] std::string modulePepJson(const ModuleDocument& document);

}  // namespace kinetoscope::bench::results
