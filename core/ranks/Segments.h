// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

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

/// A member of a collective: what it took longer for its own work than the median member.
struct MemberExcess {
    Excess excess;
    std::optional<TimeNs> hostMoreNs;  ///< what its host took longer; nothing: not known
};

/// For each member of a collective (the median is the lower one of two). `segments` are those of
/// all records.
[[nodiscard]] std::vector<MemberExcess> excessOfMembers(
    const std::vector<RankRecord>& records, const std::vector<std::vector<Segment>>& segments,
    const std::vector<Member>& members);

}  // namespace kinetoscope::ranks
