// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/query/LaneLayout.h"
#include "core/query/TrackMarks.h"
#include "widgets/models/details/DetailText.h"

namespace kinetoscope::models {

/// An instant: when and where, what ran meanwhile, and all its arguments. `instant` is a row of
/// Trace::instants().
[[nodiscard]] std::vector<DetailLine> instantLines(query::LaneIndex& lanes, std::uint32_t instant);

/// A sample of a counter: its value, when the counter was highest and lowest, the other series at
/// that time, what ran meanwhile, and all arguments of the event. `sample` is a row of
/// Trace::counters().
[[nodiscard]] std::vector<DetailLine> sampleLines(query::LaneIndex& lanes,
                                                  const query::TrackMarks& marks,
                                                  std::uint32_t sample);

/// Averages of the GPU's counters while an operation ran, if enough samples fall into its time;
/// else adds nothing.
void addCounterMeans(Lines& lines, const trace::Trace& trace, const query::TrackMarks& marks,
                     const trace::GpuOperation& operation);

}  // namespace kinetoscope::models
