// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QTreeView;

namespace kinetoscope::calls {

class CallTreeModel;

/// Every row that the filter leaves, open or not, callers before what they call and in the order
/// shown: level (0: uppermost), name, nanoseconds, percent of the whole, calls. See
/// text::csvLine().
[[nodiscard]] QString treeAsCsv(const CallTreeModel& model);

/// The rows of a CallTreeModel that are open, as they are on screen.
[[nodiscard]] QString treeAsMarkdown(const QTreeView& view);

}  // namespace kinetoscope::calls
