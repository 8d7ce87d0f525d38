// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/ranks/Partial.h"
#include "core/ranks/RankRecord.h"

namespace kinetoscope::app {

/// A line on standard error for each file that is not used, or that could not be read to its end.
void warnOfRanks(const std::vector<ranks::RankRecord>& records,
                 const std::vector<ranks::LostFile>& lost);

}  // namespace kinetoscope::app
