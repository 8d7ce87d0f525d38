// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kinetoscope::app {

/// Writes the captures as one trace in Kineto's format, prints what came of it on standard error,
/// and gives an ExitCode.
[[nodiscard]] int convertCaptures(const std::vector<std::string>& captures,
                                  const std::string& output);

}  // namespace kinetoscope::app
