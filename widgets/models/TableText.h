// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "widgets/models/ColumnTableModel.h"

namespace kinetoscope::models {

/// The shown rows in the shown order, with the columns' keys as header: numbers without units or
/// separators; see csvLine() and csvText().
[[nodiscard]] QString tableAsCsv(const ColumnTableModel& model);

/// The shown rows as they are on screen.
[[nodiscard]] QString tableAsMarkdown(const ColumnTableModel& model);

}  // namespace kinetoscope::models
