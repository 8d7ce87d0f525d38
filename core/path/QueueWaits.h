// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/path/Waits.h"

namespace kinetoscope::path {

/// Calls that launched while a GPU had hundreds of launches before them and took far longer than
/// they usually do: its queue was full, and they waited for the operation that ended last while
/// they ran. Inferred, since nothing records how long the queue is. Without calls of `known`, whose
/// reason is another.
[[nodiscard]] std::vector<CallWait> findQueueWaits(const Tables& tables,
                                                   const std::vector<CallWait>& known);

}  // namespace kinetoscope::path
