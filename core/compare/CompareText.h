// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/compare/Comparison.h"
#include "core/compare/SelfCheck.h"
#include "core/report/Figures.h"
#include "core/text/TextTable.h"

namespace kinetoscope::compare {

struct CompareTextOptions {
    std::size_t top = 20;  ///< rows of each table; 0: all
    bool fullNames = false;
};

/// For a terminal.
[[nodiscard]] std::string compareText(const Comparison& comparison,
                                      const CompareTextOptions& options,
                                      const text::TextStyle& style);

/// For a pull request: the answer first, long tables folded away.
[[nodiscard]] std::string compareMarkdown(const Comparison& comparison,
                                          const CompareTextOptions& options);

[[nodiscard]] std::string selfText(const std::vector<SelfCheck>& checks, double tolerance,
                                   const text::TextStyle& style);

/// A kernel's name for tables.
[[nodiscard]] std::string rowLabel(const std::string& name, bool full);
/// The label in at most `width` columns. Of a call, "aten.add.Tensor eager (…)", the start matters
/// most.
[[nodiscard]] std::string fitRowLabel(std::string_view label, std::size_t width);
/// The name in a width that a page can show, unless `full`.
[[nodiscard]] std::string shortRowLabel(const std::string& name, bool full);

/// The noun for a row: "kernel" or "kernels", of other benches "call" or "runner".
[[nodiscard]] std::string_view rowNoun(const std::optional<ResultKind>& results,
                                       std::size_t count = 1);
/// As the first word of a heading.
[[nodiscard]] std::string capitalised(std::string_view word);

/// "+12.3 %", "0 %", "new" when there was nothing before.
[[nodiscard]] std::string percentText(const Change& change);

/// "15.780 ms → 31.559 ms", in the unit that fits the larger one.
[[nodiscard]] std::string timesText(const Change& change);

/// "median of 4 steps and 4".
[[nodiscard]] std::string stepsText(const Both<std::uint64_t>& steps);

/// A share of the change in per cent, "12.3"; what rounds to nothing has no sign.
[[nodiscard]] std::string shareText(double share);

/// "24", or "24.5" per step.
[[nodiscard]] std::string countText(double count);

/// "24× aten::gelu (vectorized_elementwise_kernel<…>)" for each part.
[[nodiscard]] std::vector<std::string> partTexts(const std::vector<KernelPart>& parts, bool full);

/// "3 SLOWER, 1 FASTER, 30 SAME, 2 UNSURE".
[[nodiscard]] std::string verdictSummary(const Comparison& comparison);

/// The basis of the comparison's figures, in one line.
[[nodiscard]] std::string normalisationText(const Comparison& comparison);

}  // namespace kinetoscope::compare
