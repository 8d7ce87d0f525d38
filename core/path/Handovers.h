// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::path {

/// A thread that had nothing to do until another one had come to a point.
struct Handover {
    trace::TrackId track = 0;
    TimeNs from = 0;  ///< when it began to wait
    TimeNs to = 0;    ///< when it went on
    trace::TrackId other = 0;
    TimeNs otherTime = 0;  ///< of the other thread's point
    bool inferred = false;
};

/// Where work went from thread to thread: forward to backward flows name the thread of autograd
/// that took it; that the other one waited for its end is inferred from its doing nothing
/// meanwhile.
[[nodiscard]] std::vector<Handover> findHandovers(const trace::Trace& trace,
                                                  const std::stop_token& stop);

}  // namespace kinetoscope::path
