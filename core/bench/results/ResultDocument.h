// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/bench/results/BenchResult.h"

namespace kinetoscope::bench::results {

/// A document "kinetoscope.result/2".
[[nodiscard]] std::string resultJson(const ResultDocument& document);

/// Reads what resultJson() of this and of older versions wrote. Fails in one line on anything else.
[[nodiscard]] Result<ResultDocument> parseResult(std::string_view json);
/// The same of this kind only.
[[nodiscard]] Result<ResultDocument> parseResult(std::string_view json, ResultKind kind);

}  // namespace kinetoscope::bench::results
