// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/compare/Comparison.h"
#include "core/compare/SelfCheck.h"

namespace kinetoscope::compare {

inline constexpr std::string_view kCompareSchema = "kinetoscope.compare/1";
inline constexpr std::string_view kSelfSchema = "kinetoscope.compare.self/1";

/// One comparison as a JSON object (valid UTF-8, no line end). Pairs are [baseline, candidate];
/// docs/compare.md lists the names.
[[nodiscard]] std::string compareJson(const Comparison& comparison);

/// All checks as one object.
[[nodiscard]] std::string selfJson(const std::vector<SelfCheck>& checks, double tolerance);

/// One row a kernel, those of one side included, with a header.
[[nodiscard]] std::string compareCsv(const std::vector<Comparison>& comparisons);

/// "step" or "run".
[[nodiscard]] std::string_view normalisationName(Normalisation per);

}  // namespace kinetoscope::compare
