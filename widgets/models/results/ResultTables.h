// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of each kind of result. They refer to the document and its items: make them again when
// these are others.
#pragma once

#include "widgets/models/results/ResultModel.h"

namespace kinetoscope::models {

/// The kernels. `configs`: how many the cache holds of each; empty: those that were measured.
[[nodiscard]] ResultTable kernelTable(const bench::results::ResultDocument& document,
                                      std::vector<std::size_t> configs = {});
/// The operators with the quantiles of their speedups, three columns an implementation.
[[nodiscard]] ResultTable operatorTable(const bench::results::ResultDocument& document);
/// The calls of an operator: its inputs, the time of each implementation and how it compares. Null:
/// none.
[[nodiscard]] ResultTable callTable(const bench::results::ResultDocument& document,
                                    const bench::results::BenchItem* operation);
/// The runners, group after group: medians forward and backward with their intervals, and how they
/// compare with the first of their group.
[[nodiscard]] ResultTable moduleTable(const bench::results::ResultDocument& document);

/// What a document's implementations are measured against the baseline: all but the baseline.
[[nodiscard]] std::vector<std::string> candidatesOf(const bench::results::ResultDocument& document);
/// "XBLOCK 1024, 4 warps, 1 stage": a configuration's label without what is always the same.
[[nodiscard]] QString shortConfig(const std::string& label);

}  // namespace kinetoscope::models
