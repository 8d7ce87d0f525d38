// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace kinetoscope::bench::libtorch {

/// Writes one JSON object as a line of standard output, flushed.
void say(const nlohmann::json& line);

/// Each task reads its request, runs and reports the outcome. They return an exit code.
[[nodiscard]] int runOperatorTask(const nlohmann::json& request);
[[nodiscard]] int runModuleTask(const nlohmann::json& request);
[[nodiscard]] int runOverloadTask(const nlohmann::json& request);
/// The kernels that each implementation launches, of all operators of a request.
[[nodiscard]] int runKernelsTask(const nlohmann::json& request);
[[nodiscard]] int runRoofTask(const nlohmann::json& request);

/// {"event":"torch",…}: which PyTorch this is and what it runs on.
[[nodiscard]] nlohmann::json describeTorch(const std::string& device);

/// "cuda" where this PyTorch sees a GPU, else "cpu".
[[nodiscard]] std::string defaultDevice();

/// Why `device` cannot be used; empty when it can.
[[nodiscard]] std::string deviceProblem(const std::string& device);

}  // namespace kinetoscope::bench::libtorch
