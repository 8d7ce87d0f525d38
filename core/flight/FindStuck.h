// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/flight/FlightJob.h"

namespace kinetoscope::flight {

/// The first incomplete collective of each group, and each rank's first incomplete message. Needs
/// dumps, groups and mismatches.
[[nodiscard]] std::vector<Stuck> findStuck(const FlightJob& job);

/// Calls of one number that differ, by group and number.
[[nodiscard]] std::vector<Mismatch> findMismatches(const FlightJob& job);

}  // namespace kinetoscope::flight
