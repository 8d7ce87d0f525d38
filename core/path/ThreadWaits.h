// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <vector>

#include "core/path/Handovers.h"
#include "core/path/Launches.h"

namespace kinetoscope::path {

/// Calls in which a thread waits for another one of its process that launches nothing, as those of
/// data loaders and communication: the thread that ended something last before the call returned.
/// Inferred; where no thread of the trace did, what the call waited for is not known.
[[nodiscard]] std::vector<Handover> findThreadWaits(const Tables& tables,
                                                    const std::stop_token& stop);

}  // namespace kinetoscope::path
