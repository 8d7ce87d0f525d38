// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QComboBox;

namespace kinetoscope::panels {

class BlockMap;
class MemoryTables;

/// What a row of the table of what is alive stands for.
[[nodiscard]] QComboBox* makeGroupChoice(MemoryTables& tables);
/// What the bands are coloured by.
[[nodiscard]] QComboBox* makeColorChoice(BlockMap& map);

}  // namespace kinetoscope::panels
