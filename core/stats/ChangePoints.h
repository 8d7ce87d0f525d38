// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

#include "core/stats/Verdict.h"

namespace kinetoscope::stats {

/// One figure over time: of each entry the times of its runs, all above 0, oldest first. An entry
/// may have none.
using TimeSeries = std::vector<std::vector<double>>;

/// A place in a series where what comes after is faster or slower than what was before.
struct ChangePoint {
    std::size_t entry = 0;  ///< the first of the new level
    Decision decision;      ///< FASTER or SLOWER, and by how much
};

/// Of each series its change points, in order. decideIndependent() gives its verdict on the runs
/// before and after a place, as many on either side, at most 30, corrected for all places of all
/// series that are tried; among the places of a series that are FASTER or SLOWER that one counts
/// from whose sides' medians the runs deviate least. Both sides of it are then tried the same way.
[[nodiscard]] std::vector<std::vector<ChangePoint>> changePoints(std::span<const TimeSeries> series,
                                                                 const VerdictRule& rule,
                                                                 const std::stop_token& stop = {});

}  // namespace kinetoscope::stats
