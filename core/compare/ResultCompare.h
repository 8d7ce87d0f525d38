// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/BenchResult.h"
#include "core/compare/Comparison.h"

namespace kinetoscope {

/// Two results of a bench. Kernels match by name and source, then by name, then by normalised name;
/// of each the configuration that an autotuning chose, else the fastest, stands for it. The pairs
/// are samples of the same ordinal, without throttled ones; `count` is of samples and the times are
/// of one launch. Where SM clocks were sampled and differ by more than the tolerance, a verdict
/// FASTER or SLOWER must also hold for clock cycles, else it is UNSURE.
[[nodiscard]] Comparison compareResults(const Baseline<const BenchDocument*>& base,
                                        const Candidate<const BenchDocument*>& candidate,
                                        const CompareOptions& options);

}  // namespace kinetoscope
