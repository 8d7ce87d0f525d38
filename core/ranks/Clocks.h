// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/ranks/MatchCollectives.h"

namespace kinetoscope::ranks {

/// A clock's value at a time.
struct ClockPiece {
    TimeNs at = 0;  ///< of the rank
    TimeNs offsetNs = 0;
};

/// The clock of one rank beside that of the job's first rank.
struct RankClock {
    TimeNs offsetNs = 0;    ///< its time minus the first rank's; of one that drifts the median
    TimeNs residualNs = 0;  ///< median distance of what it ends together with others afterwards
    bool aligned = true;    ///< false: nothing joins it with the first rank
    /// Of recordings beyond ten seconds: the offset by pieces of them, in between on straight
    /// lines.
    std::vector<ClockPiece> pieces;

    [[nodiscard]] TimeNs offsetAt(TimeNs time) const;
    /// Its speed relative to the first rank's clock, in parts per million; 0 without pieces.
    [[nodiscard]] double driftPpm() const;
};

/// By record. The members of a collective end together, so the offset of a clock is the median over
/// its collectives of the rank's end minus the median of all members' ends. Ranks of one host share
/// a clock. Clocks drift, by some millionths: of recordings beyond ten seconds the offsets are
/// found for every five seconds. Groups that never meet directly are joined through ranks of
/// others; what nothing joins with the first
/// rank has a time of its own, one for all that meet.
[[nodiscard]] std::vector<RankClock> alignClocks(const std::vector<RankRecord>& records,
                                                 const Matching& matching);

/// A rank's time on the job's clock: nanoseconds since the first record's base.
[[nodiscard]] TimeNs onJobClock(const std::vector<RankRecord>& records,
                                const std::vector<RankClock>& clocks, std::size_t record,
                                TimeNs time);

}  // namespace kinetoscope::ranks
