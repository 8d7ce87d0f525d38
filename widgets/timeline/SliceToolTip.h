// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <span>

#include "core/analysis/IdleList.h"
#include "core/trace/Trace.h"
#include "widgets/timeline/LaneGeometry.h"

namespace kinetoscope::timeline {

/// Rich text about what is under the pointer. Times count from the first event of the trace.
[[nodiscard]] QString toolTipFor(const trace::Trace& trace, const query::ViewItem& item);
[[nodiscard]] QString toolTipFor(const trace::Trace& trace, const InstantMark& mark);
[[nodiscard]] QString toolTipFor(const trace::Trace& trace, const analysis::NamedGap& gap);
/// The values of a counter's series at a time; empty before the first of them.
[[nodiscard]] QString toolTipFor(const trace::Trace& trace, trace::TrackId counter,
                                 std::span<const query::CounterSeries> series, TimeNs time);

/// The operation of a slice; null if it is not one.
[[nodiscard]] const trace::GpuOperation* gpuOperationOf(const trace::Trace& trace,
                                                        trace::SliceId slice);

}  // namespace kinetoscope::timeline
