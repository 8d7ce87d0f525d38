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
    TimeNs gapsNs = 0;     ///< of it, that its GPU had nothing launched, whatever its host did
    TimeNs hostNs = -1;    ///< Segment::hostNs
    TimeNs computeNs = 0;  ///< all kernels that it launched
    std::optional<TimeNs> hostMoreNs;  ///< what its host took longer; nothing: not known
    TimeNs hostGapsNs = 0;             ///< all gaps for which its host was late
    TimeNs stallNs = -1;               ///< Segment::stallNs
    std::uint32_t stallAt = 0;
};

/// For each member of a collective (the median is the lower one of two). `segments` are those of
/// all records.
[[nodiscard]] std::vector<MemberExcess> excessOfMembers(
    const std::vector<RankRecord>& records, const std::vector<std::vector<Segment>>& segments,
    const std::vector<Member>& members);

/// A rank's time up to a call beyond that up to the call at the same place of its median step.
struct Beyond {
    TimeNs hostNs = 0;  ///< see Segment::hostNs
    TimeNs computeNs = 0;
    bool known = false;  ///< the place is in at least three of its steps
};

/// For each of the `compared` calls. `excesses` are theirs; `stepOf`: by record and call.
[[nodiscard]] std::vector<std::vector<Beyond>> beyondOwnSteps(
    const std::vector<RankRecord>& records, const std::vector<std::vector<std::int64_t>>& stepOf,
    const std::vector<std::vector<Member>>& compared,
    const std::vector<std::vector<MemberExcess>>& excesses);

/// The same of a member as far as the others did not take longer too; 0 where that is not known.
[[nodiscard]] Beyond beyondOthers(const std::vector<Beyond>& members, std::size_t member);

/// Segment::stallNs of a member less what the others stalled at the same launch; -1: not known.
[[nodiscard]] TimeNs stallBeyondOthers(const std::vector<MemberExcess>& members,
                                       std::size_t member);

}  // namespace kinetoscope::ranks
