// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "widgets/timeline/rows/TimelineRows.h"

namespace kinetoscope::timeline {

/// Where a row that is dragged would go.
struct RowDrop {
    std::string before;  ///< key of the row that will follow it; empty: it becomes the last
    int line = 0;        ///< between the two, in logical pixels of the screen
};

/// For a pointer at that height. A row stays in its group, a pinned one among the pinned ones.
/// nullopt when it would stay where it is.
[[nodiscard]] std::optional<RowDrop> dropAt(const TimelineRows& rows, const RowView& view,
                                            std::size_t row, int y);

/// Puts a row of `rows` before another of its kind, or after all that are on screen.
void moveRow(session::RowChoices& choices, const TimelineRows& rows, std::size_t row,
             const std::string& before);

/// The key that the row has to stand before to go one place up (or down); nullopt at the end.
[[nodiscard]] std::optional<std::string> placeBeside(const TimelineRows& rows, std::size_t row,
                                                     bool up);

}  // namespace kinetoscope::timeline
