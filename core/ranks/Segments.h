// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ranks/MatchCollectives.h"
#include "core/ranks/OwnWork.h"

namespace kinetoscope::ranks {

/// The segments of one rank: that before each of its collectives and, at the end, what follows the
/// last one.
///
/// A rank is ready for a collective when it starts. One that was queued behind another is ready for
/// it when all that was launched before it is done: the GPU works on while an earlier one waits.
[[nodiscard]] std::vector<Segment> divideWork(const RankRecord& record, const LaunchOrder& order);

/// How much longer a rank took for a segment than another.
struct Excess {
    WorkTime work;  ///< by what it was spent on
    /// Held up by the collective before, which is of another group: not the rank's own.
    TimeNs otherGroupNs = 0;

    [[nodiscard]] TimeNs own() const { return work.total(); }
    void add(const Excess& more, int sign = 1);
};

/// One rank's side of a segment.
struct SegmentOf {
    const RankRecord& record;
    const Segment& segment;
    bool otherGroup = false;  ///< the collective before is not of the group of this one
};

/// `a` minus `b`, waits for communication left out. Where one of them was held up by the collective
/// before, in the middle of what the other did without a break, that time is not its own either.
[[nodiscard]] Excess excessOver(const SegmentOf& a, const SegmentOf& b);

/// For each member of a collective, what it took longer than the median member (the lower one of
/// two). `segments` are those of all records.
[[nodiscard]] std::vector<Excess> excessOfMembers(const std::vector<RankRecord>& records,
                                                  const std::vector<std::vector<Segment>>& segments,
                                                  const std::vector<Member>& members);

}  // namespace kinetoscope::ranks
