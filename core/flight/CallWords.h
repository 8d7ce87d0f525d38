// SPDX-License-Identifier: Apache-2.0
// Stacks, and what is said of one call and of one answer where there is room for more than a line.
#pragma once

#include <string>
#include <vector>

#include "core/flight/CallGrid.h"
#include "core/flight/FlightTables.h"

namespace kinetoscope::flight {

/// A line for each frame, the innermost first; of many the first ones.
[[nodiscard]] std::vector<std::string> stackLines(const Dump& dump, const Entry& entry);
/// "rank 1 last in all_reduce number 210:".
[[nodiscard]] std::string stackTitle(const FlightJob& job, const Place& place);
/// The relevant ranks' place in the program, as far as there is a stack.
[[nodiscard]] std::vector<Place> placesWithStack(const FlightJob& job, const Stuck& stuck);

/// What became of the call on that rank: paragraphs, the stack as the last one.
[[nodiscard]] std::vector<std::string> describeCall(const FlightJob& job, const CallGrid& grid,
                                                    std::size_t row, std::size_t column);
/// The sentence of an answer, and where its ranks are.
[[nodiscard]] std::vector<std::string> describeStuck(const FlightJob& job, const Stuck& stuck);

}  // namespace kinetoscope::flight
