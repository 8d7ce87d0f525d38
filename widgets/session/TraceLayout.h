// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/query/BusyColumns.h"
#include "core/query/LaneLayout.h"
#include "core/query/RowNames.h"
#include "core/query/TrackMarks.h"

namespace kinetoscope::session {

struct TraceGaps;

/// The figures of one GPU's strips.
struct GpuStrips {
    std::int32_t gpu = 0;
    std::shared_ptr<const query::BusyColumns> busy;    ///< kernels, copies and memsets
    std::shared_ptr<const query::BusyColumns> mmConv;  ///< matrix multiplications and convolutions
};

/// What pictures of a trace are drawn from. For large files that takes too long for the GUI thread,
/// so a worker does that, and everybody who draws shares it. Any thread may read lanes and names
/// once it is made; the rest is for the GUI thread.
struct TraceLayout {
    explicit TraceLayout(const std::shared_ptr<const trace::Trace>& trace)
        : lanes(trace), marks(*trace) {}

    query::LaneIndex lanes;                         ///< every track is laid out
    query::TrackMarks marks;                        ///< instants and counters
    query::RowNames names;                          ///< what the rows are called
    std::vector<GpuStrips> strips;                  ///< by GPU number
    std::shared_ptr<const TraceGaps> gaps;          ///< once IdleFinder has been asked for them
    std::shared_ptr<const query::BusyColumns> cpu;  ///< see query::cpuActivity()
};

/// Works it out on that many threads; 0: on all cores. Null for no trace.
[[nodiscard]] std::shared_ptr<TraceLayout> layOutTrace(
    const std::shared_ptr<const trace::Trace>& trace, unsigned threads = 0);

}  // namespace kinetoscope::session
