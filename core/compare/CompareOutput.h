// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/compare/CompareText.h"
#include "core/compare/Comparison.h"
#include "core/compare/SelfCheck.h"
#include "core/text/OutputFormat.h"

namespace kinetoscope::compare {

/// All comparisons of one command: as JSON an array where there are several.
[[nodiscard]] std::string compareOutput(const std::vector<Comparison>& comparisons,
                                        text::OutputFormat format,
                                        const CompareTextOptions& options,
                                        const text::TextStyle& style);

/// As JSON or for a terminal.
[[nodiscard]] std::string selfOutput(const std::vector<SelfCheck>& checks, double tolerance,
                                     text::OutputFormat format, const text::TextStyle& style);

}  // namespace kinetoscope::compare
