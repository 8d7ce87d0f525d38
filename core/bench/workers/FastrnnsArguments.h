// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/bench/workers/ModulesRequest.h"

namespace kinetoscope::bench::workers {

/// The first line that fastrnns prints: its own arguments in its order, as Python prints them.
[[nodiscard]] std::string argumentsLine(const ModulesRun& run);

}  // namespace kinetoscope::bench::workers
