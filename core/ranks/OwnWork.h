// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "core/query/GpuTimeline.h"
#include "core/query/LaunchLinks.h"
#include "core/ranks/RankRecord.h"

namespace kinetoscope::ranks {

/// Everything that one GPU did but communication, which `isCommunication` tells apart.
[[nodiscard]] OwnWork measureOwnWork(
    const trace::Trace& trace, const query::GpuRow& row, const query::LaunchLinks& links,
    const std::function<bool(trace::GpuOpId operation)>& isCommunication);

/// Time by what it was spent on. With the waits for communication the parts sum to the span that
/// was asked for.
struct WorkTime {
    TimeNs computeNs = 0;
    TimeNs copyNs = 0;    ///< beside no kernel
    TimeNs hostNs = 0;    ///< gaps that the host's late launch made
    TimeNs deviceNs = 0;  ///< other gaps

    [[nodiscard]] TimeNs total() const { return computeNs + copyNs + hostNs + deviceNs; }
    void add(const WorkTime& more, int sign = 1);
};

[[nodiscard]] WorkTime workIn(const OwnWork& work, TimeSpan span);

}  // namespace kinetoscope::ranks
