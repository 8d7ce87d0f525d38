// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/compare/Comparison.h"
#include "core/compare/MeasuredResult.h"

namespace kinetoscope::compare {

/// Two results of one kind of bench. Items match by name and key, then by name, kernels then by
/// normalised name. The pairs are samples of the same ordinal; `count` is of runs and the times are
/// of one launch, call or loop. Where SM clocks were sampled and differ by more than the tolerance,
/// a verdict FASTER or SLOWER must also hold for clock cycles, else it is UNSURE.
[[nodiscard]] Comparison compareResults(const Baseline<const MeasuredResult*>& base,
                                        const Candidate<const MeasuredResult*>& candidate,
                                        const CompareOptions& options);

}  // namespace kinetoscope::compare
