// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <vector>

#include "core/flight/CallGrid.h"
#include "widgets/job/SwatchLegend.h"

namespace kinetoscope::job::dumps {

/// A cell of the matrix of calls. Completed calls are inconspicuous; waiting and missing ranks
/// stand out, by shape as well as by colour.
void paintFate(QPainter& painter, const QRect& box, flight::Fate fate);
/// The corner of a cell whose call does not fit those of the other ranks.
void paintDifference(QPainter& painter, const QRect& box);

/// The meaning of the cells.
[[nodiscard]] std::vector<SwatchLegend::Item> fateItems();

}  // namespace kinetoscope::job::dumps
