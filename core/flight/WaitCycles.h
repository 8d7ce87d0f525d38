// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/flight/FlightJob.h"

namespace kinetoscope::flight {

/// Sets `inCycle` of those whose absent ranks wait, over one or several others, for these ranks
/// themselves. `waitingIn`: by dump, those in which its rank waits.
void findWaitCycles(const std::vector<std::vector<std::size_t>>& waitingIn,
                    std::vector<Stuck>& stuck);

}  // namespace kinetoscope::flight
