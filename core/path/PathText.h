// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/path/Paths.h"
#include "core/text/OutputFormat.h"
#include "core/text/TextTable.h"

namespace kinetoscope::path {

/// The paths in that format; `style` is that of text. JSON has the schema kinetoscope.path/1.
[[nodiscard]] std::string pathOutput(const Graph& graph, const std::vector<StepPath>& paths,
                                     text::OutputFormat format, const text::TextStyle& style);

}  // namespace kinetoscope::path
