// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/compare/KernelMatch.h"
#include "core/stats/Verdict.h"

namespace kinetoscope::compare {

/// Rows of MatchedKernels::units that are one pair.
struct UnitPair {
    std::uint32_t base = 0;
    std::uint32_t candidate = 0;
};

/// Same GPU, same step, same ordinal; in steps where the counts differ the ordinal counts within
/// one grid, block and input shapes, and what has no partner there is left out. Steps pair by
/// their order. Runs of which only one has steps are paired as one step.
[[nodiscard]] std::vector<UnitPair> pairUnits(const MatchedKernels& kernels);

/// The times of the pairs; those of no length, which have no ratio, are left out.
[[nodiscard]] stats::PairedTimes pairedTimes(const MatchedKernels& kernels,
                                             const std::vector<UnitPair>& pairs);

}  // namespace kinetoscope::compare
