// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/flight/FlightJob.h"

namespace kinetoscope::flight {

/// The dumps of a job: reads them on up to `threads` threads (0: all processors). What cannot be
/// read is in `unread`; fails when nothing can be, and when two are of one rank.
[[nodiscard]] Result<FlightJob> loadFlight(const std::vector<std::string>& files, unsigned threads,
                                           const std::stop_token& stop);

/// The analysis alone, of dumps by rank.
[[nodiscard]] FlightJob analyseFlight(std::vector<Dump> dumps);

/// Files that are dumps: `paths` if each of them starts like one, and those in folders. Empty if
/// any file is something else, or a folder has none.
[[nodiscard]] std::vector<std::string> dumpFiles(const std::vector<std::string>& paths);

/// The same of what may be a job of traces: empty also if a folder contains traces or partials,
/// whatever else is in it.
[[nodiscard]] std::vector<std::string> dumpsOfJob(const std::vector<std::string>& paths);

}  // namespace kinetoscope::flight
