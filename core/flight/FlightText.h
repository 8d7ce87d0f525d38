// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/flight/FlightJob.h"
#include "core/text/TextTable.h"

namespace kinetoscope::flight {

/// The dumps for a terminal: what is stuck first, then where each rank is, with stacks.
[[nodiscard]] std::string flightText(const FlightJob& job, const text::TextStyle& style);
[[nodiscard]] std::string flightMarkdown(const FlightJob& job);
/// A row for each rank and group.
[[nodiscard]] std::string flightCsv(const FlightJob& job);
/// Schema kinetoscope.flight/1.
[[nodiscard]] std::string flightJson(const FlightJob& job);

}  // namespace kinetoscope::flight
