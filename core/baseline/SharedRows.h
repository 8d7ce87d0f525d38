// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/baseline/Entry.h"

namespace kinetoscope::baseline {

/// Makes "all" of entries of one bench comparable, oldest first: where their rows differ, because
/// one could not be measured or was added, it becomes the sum of the rows that every entry has.
/// Where they have none in common, only entries with the rows of the latest one keep theirs.
/// Returns what it is of then; else nothing.
[[nodiscard]] std::string sumSharedRows(std::vector<Entry>& entries);

}  // namespace kinetoscope::baseline
