// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/ranks/compare/JobComparison.h"
#include "core/text/OutputFormat.h"
#include "core/text/TextTable.h"

namespace kinetoscope::ranks::compare {

/// For a terminal, as JSON (schema kinetoscope.ranks-compare/1), CSV or Markdown.
[[nodiscard]] std::string comparisonOutput(const JobComparison& comparison,
                                           text::OutputFormat format, const text::TextStyle& style);

}  // namespace kinetoscope::ranks::compare
