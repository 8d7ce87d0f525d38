// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/base/Result.h"
#include "core/path/Launches.h"

namespace kinetoscope::path {

/// A call, and an operation that had to end before it returned.
struct CallWait {
    trace::SliceId call = trace::kNoSlice;
    trace::GpuOpId operation = kNoOperation;
    bool inferred = false;
};

/// An operation, and one of another stream that had to end before it began.
struct StreamWait {
    trace::GpuOpId waiting = kNoOperation;
    trace::GpuOpId operation = kNoOperation;
};

/// Waits on the GPU that the trace records, and those that follow from its calls.
struct Waits {
    std::vector<CallWait> calls;      ///< by call; one call may wait for several
    std::vector<StreamWait> streams;  ///< from synchronisation events
    /// Calls that made a stream wait for something unknown: starts by source, ascending.
    std::vector<std::vector<TimeNs>> unknown;
};

/// Calls that wait for a GPU, and streams that wait for another. Fails when the file has changed
/// since it was read.
[[nodiscard]] Result<Waits> findWaits(const Tables& tables, const Launches& launches,
                                      const std::stop_token& stop);

}  // namespace kinetoscope::path
