// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of the tables about memory; they keep alive what they show.
#pragma once

#include <vector>

#include "core/memory/CompareMemory.h"
#include "widgets/models/fields/FieldModel.h"
#include "widgets/panels/memory/ShownMemory.h"

namespace kinetoscope::panels {

/// Columns and rows of a table.
struct MemoryRows {
    std::vector<models::Field> fields;
    std::size_t rows = 0;
};

using PlaceSums = std::shared_ptr<const std::vector<memory::PlaceSum>>;

/// Live memory, in rows of `by`.
[[nodiscard]] MemoryRows aliveRows(const Memory& memory, const PlaceSums& sums, memory::GroupBy by);
/// Blocks that are still there; `since`: when they were allocated.
[[nodiscard]] MemoryRows blockRows(const Memory& memory, std::size_t device,
                                   const std::vector<std::size_t>& blocks, bool since);
[[nodiscard]] MemoryRows segmentRows(const Memory& memory, std::size_t device);
[[nodiscard]] MemoryRows outOfMemoryRows(const Memory& memory, std::size_t device);
/// What each place holds at the ends of two snapshots, and the totals before them.
[[nodiscard]] MemoryRows changeRows(
    const std::shared_ptr<const memory::MemoryComparison>& comparison);

}  // namespace kinetoscope::panels
