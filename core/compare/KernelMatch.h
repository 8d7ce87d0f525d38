// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "core/compare/KernelMatches.h"

namespace kinetoscope::compare {

/// Matches the kernels of two runs as far as `most` goes. Every launch is in one row or in none.
///
/// Operator: launches whose name has no partner, and those of matched names whose operator and
/// shapes the other side's launches of that name do not have, are matched by operator and shapes.
/// What is left of one step is then assigned in order of time to launches of the other side whose
/// names or operators say that they do this operator's work: that is how fused kernels find what
/// they replaced.
[[nodiscard]] KernelMatches matchKernels(const ComparedRun& base, const ComparedRun& candidate,
                                         MatchKind most, const BothShapes& shapes = {},
                                         const std::stop_token& stop = {});

}  // namespace kinetoscope::compare
