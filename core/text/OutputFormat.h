// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kinetoscope::text {

/// What results are written as: for a terminal, for programs, for sheets, for a pull request.
enum class OutputFormat : std::uint8_t { Text, Json, Csv, Markdown };

}  // namespace kinetoscope::text
