// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

class QPainter;

namespace kinetoscope::timeline {

class TimelineRows;

/// The column of labels at the left of the timeline, `size` logical pixels, in the painter's font.
/// `scroll`: pixels of the rows above the top edge.
void paintRowLabels(QPainter& painter, const TimelineRows& rows, int scroll, QSize size);

}  // namespace kinetoscope::timeline
