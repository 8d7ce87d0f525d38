// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QComboBox;

namespace kinetoscope::panels {

class BlockMap;
class MemoryTables;

/// Grouping of the rows in the table of live memory.
[[nodiscard]] QComboBox* makeGroupChoice(MemoryTables& tables);
/// What the bands are coloured by.
[[nodiscard]] QComboBox* makeColorChoice(BlockMap& map);

}  // namespace kinetoscope::panels
