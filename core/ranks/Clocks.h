// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/ranks/MatchCollectives.h"

namespace kinetoscope::ranks {

/// The clock of one rank beside that of the job's first rank.
struct RankClock {
    TimeNs offsetNs = 0;    ///< its time minus the first rank's
    TimeNs residualNs = 0;  ///< median distance of what it ends together with others afterwards
    bool aligned = true;    ///< false: it never meets those that are aligned
};

/// By record. The members of a collective end together, so the offset of a clock is the median over
/// its collectives of the rank's end minus the median of all members' ends. Ranks of one host share
/// a clock. Groups that never meet directly are joined through ranks of others; ranks that meet
/// nobody keep their own time.
[[nodiscard]] std::vector<RankClock> alignClocks(const std::vector<RankRecord>& records,
                                                 const Matching& matching);

/// A rank's time on the job's clock: nanoseconds since the first record's base.
[[nodiscard]] TimeNs onJobClock(const std::vector<RankRecord>& records,
                                const std::vector<RankClock>& clocks, std::size_t record,
                                TimeNs time);

}  // namespace kinetoscope::ranks
