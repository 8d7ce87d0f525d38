// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "core/query/LaunchFlow.h"
#include "widgets/timeline/TimeCoordinates.h"

class QPainter;

namespace kinetoscope::style {
class Theme;
}  // namespace kinetoscope::style

namespace kinetoscope::timeline {

/// An arrow between two slices, from the end of one box to the start of the other.
struct ArrowBoxes {
    QRectF from;
    QRectF to;
    query::FlowKind kind = query::FlowKind::Launch;
};

// What lies above the slices, in logical pixels. `area` is the time area; nothing is drawn
// outside of it.
/// The selected time over the heights of `area`, with its edges.
void paintRange(QPainter& painter, const QRectF& area, const TimeCoordinates& at, TimeSpan range);
/// A text on a rounded background of `area`'s height, centred on x but inside of `area`.
void paintBadge(QPainter& painter, double x, const QRectF& area, const QString& text,
                const QColor& background, const QColor& color);
void paintCursor(QPainter& painter, const QRectF& area, const TimeCoordinates& at, TimeNs time);
void paintHover(QPainter& painter, const QRectF& box);
void paintSelection(QPainter& painter, const QRectF& box);
/// A selected gap on one row.
void paintGap(QPainter& painter, const QRectF& box);
/// Arrows that look the same are drawn once.
void paintArrows(QPainter& painter, const std::vector<ArrowBoxes>& arrows);

}  // namespace kinetoscope::timeline
