// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/workers/OperatorWork.h"

namespace kinetoscope::bench::workers {

/// The document before anything ran: every operator and sample to run. Fails if there are none.
[[nodiscard]] Result<results::ResultDocument> planOperators(const OperatorsRun& run);

/// Runs the operators that are not done, each in a worker, and saves the result after each. A
/// worker that crashes costs the current sample. Fails if no worker can work at all.
[[nodiscard]] Result<results::ResultDocument> runOperators(const OperatorsRun& run,
                                                           BenchConsole& console);

}  // namespace kinetoscope::bench::workers
