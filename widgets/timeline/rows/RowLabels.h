// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "widgets/timeline/rows/TimelineRows.h"

class QPainter;

namespace kinetoscope::timeline {

/// A label that stays on screen while the rows that it names scroll away from under it.
struct StickyLabel {
    std::size_t row = 0;  ///< the heading
    int top = 0;          ///< on screen, in logical pixels
};

/// That of the first group on screen; nullopt while its heading itself is on screen.
[[nodiscard]] std::optional<StickyLabel> stickyLabel(const TimelineRows& rows, const RowView& view);

/// The row whose label is at that height of the screen.
[[nodiscard]] std::optional<std::size_t> labelAt(const TimelineRows& rows, const RowView& view,
                                                 int y);

/// The column of labels at the left of the timeline, `width` logical pixels wide, in the painter's
/// font.
void paintRowLabels(QPainter& painter, const TimelineRows& rows, const RowView& view, int width);

}  // namespace kinetoscope::timeline
