// SPDX-License-Identifier: GPL-3.0-or-later
// Notes on times, in logical pixels: a flag on the ruler, a shade over the rows.
#pragma once

#include <QRectF>
#include <QString>
#include <vector>

#include "core/sidecar/Sidecar.h"
#include "widgets/timeline/TimeCoordinates.h"

class QPainter;

namespace kinetoscope::timeline {

void paintFlags(QPainter& painter, const QRectF& area, const TimeCoordinates& at,
                const std::vector<sidecar::Note>& notes);
void paintNotes(QPainter& painter, const QRectF& area, const TimeCoordinates& at,
                const std::vector<sidecar::Note>& notes);

/// The note whose flag is at that x; null: none.
[[nodiscard]] const sidecar::Note* flagAt(const TimeCoordinates& at,
                                          const std::vector<sidecar::Note>& notes, double x);
/// The note whose flag is at that x, else the shortest whose time is; null: none.
[[nodiscard]] const sidecar::Note* noteAt(const TimeCoordinates& at,
                                          const std::vector<sidecar::Note>& notes, double x);

/// The text, when since `origin` and how long, for a tool tip.
[[nodiscard]] QString noteText(const sidecar::Note& note, TimeNs origin);

}  // namespace kinetoscope::timeline
