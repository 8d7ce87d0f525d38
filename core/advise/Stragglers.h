// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/advise/Finding.h"
#include "core/ranks/Job.h"

namespace kinetoscope::advise {

/// Adds who kept the other ranks waiting, in place of the rule that abstains on single traces, and
/// sorts again. The advice is of the trace of that rank.
void addStragglers(Advice& advice, const ranks::Job& job, std::int64_t rank);

}  // namespace kinetoscope::advise
