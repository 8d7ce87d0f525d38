// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/ranks/Cause.h"
#include "core/ranks/Waiting.h"

namespace kinetoscope::ranks {

/// The steps of a job by number, with the causes of each. Excesses below twenty microseconds and a
/// five-hundredth of the step are not causes.
[[nodiscard]] std::vector<JobStep> findCauses(const std::vector<RankRecord>& records,
                                              const Matching& matching,
                                              const std::vector<CollectiveWait>& waits);

/// Removes causes that are small beside another one of the step, or beside the step if they delayed
/// nobody: a rank that waits for a late one does its own work in another order meanwhile. Causes
/// that recur and delayed others in another step stay.
void dropEchoes(std::vector<JobStep>& steps);

/// The same causes for people: excesses of a rank in at least half of the steps, in three or more,
/// are one. Those for which others waited come first, the longest before.
[[nodiscard]] std::vector<Cause> mergeCauses(const std::vector<JobStep>& steps);

}  // namespace kinetoscope::ranks
