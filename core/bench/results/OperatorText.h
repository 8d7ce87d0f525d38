// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/bench/results/BenchResult.h"
#include "core/text/TextTable.h"

namespace kinetoscope::bench::results {

/// What would be run.
[[nodiscard]] std::string operatorPlanText(const ResultDocument& document,
                                           const text::TextStyle& style);

// The lines of operatorbench, as it prints them.

/// The line for an operator that it does not run, maybe without any text; nothing for one that it
/// runs.
[[nodiscard]] std::optional<std::string> compatSkipLine(std::string_view operatorName);
/// "aten.…:\nInductor Speedups : […]\n" and, with `nvfuser`, its line. Empty when nothing was
/// measured. Without Inductor its speedups are nan.
[[nodiscard]] std::string compatSpeedups(const BenchItem& result, bool nvfuser);

}  // namespace kinetoscope::bench::results
