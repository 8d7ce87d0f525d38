// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace kinetoscope::bench::libtorch {

/// Sets TorchScript's fuser ("te", "old", "none", "default"), executor ("profiling", "simple",
/// "legacy", "default", empty) and its pointwise sizes as fastrnns does. Gives a line for each
/// switch that this PyTorch does not have. `request` has "fuser", "executor" and "pointwise".
[[nodiscard]] std::vector<std::string> setSwitches(const nlohmann::json& request);

}  // namespace kinetoscope::bench::libtorch
