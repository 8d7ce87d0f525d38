// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/results/BenchResult.h"
#include "core/bench/workers/BenchConsole.h"
#include "core/bench/workers/ModulesRequest.h"

namespace kinetoscope::bench::workers {

/// Measures each runner in a worker of its own, and saves the result. fastrnns' output comes as
/// notes. Fails if no worker can work at all.
[[nodiscard]] Result<results::ResultDocument> runModules(const ModulesRun& run,
                                                         BenchConsole& console);

/// The figures of the traces that were recorded, as `kscope report` has them, as notes.
void reportProfiles(const results::ResultDocument& document, BenchConsole& console);

}  // namespace kinetoscope::bench::workers
