// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/bench/results/ResultHeader.h"
#include "core/bench/workers/BenchConsole.h"

namespace kinetoscope::bench::workers {

/// Puts a result's text into the user's store and its id into the header, replacing an earlier
/// result of that id. If that fails the console warns: the result itself is not lost.
void saveQuietly(results::ResultHeader& header, const std::string& text, BenchConsole& console);

/// The same, and prints the id.
void saveResult(results::ResultHeader& header, const std::string& text, BenchConsole& console);

}  // namespace kinetoscope::bench::workers
