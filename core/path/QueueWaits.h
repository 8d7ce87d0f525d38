// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/path/Waits.h"

namespace kinetoscope::path {

/// Adds calls that launched while a GPU had hundreds of launches before them and took far longer
/// than they usually do: its queue was full, and they waited for the operation that ended last
/// while they ran. Inferred, since nothing records how long the queue is. Those that are there wait
/// for another reason. By call, before and after.
void addQueueWaits(const Tables& tables, std::vector<CallWait>& waits);

}  // namespace kinetoscope::path
