// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/ranks/Segments.h"
#include "core/ranks/Waiting.h"

namespace kinetoscope::ranks {

class Peers;

enum class CauseKind : std::uint8_t { Host, Compute, Copy, Other };

/// "host", "compute", "copy", "other".
[[nodiscard]] const char* causeKindName(CauseKind kind);

/// The largest part of the rank's own excess.
[[nodiscard]] CauseKind kindOf(const Excess& excess);

/// Why a rank was late in a step.
struct Cause {
    std::size_t record = 0;
    std::int64_t step = -1;  ///< the first one of several
    std::int64_t lastStep = -1;
    std::size_t steps = 1;             ///< in how many it is seen
    CauseKind kind = CauseKind::Host;  ///< what its excess is most of
    Excess excess;                     ///< beyond the median rank, over all segments of the step
    TimeNs blameNs = 0;                ///< exposed waiting of the others for this rank
    std::size_t waiting = 0;           ///< how many ranks waited for it
    bool clear = false;                ///< most of it kept others waiting at one time
    /// Nobody else runs what it does: beyond its own median step then.
    bool besideOwnSteps = false;
    std::string detail;      ///< what the time went to, for people
    bool standsOut = false;  ///< a part of it is not there in the rank's median step

    /// Whether anybody waited for it.
    [[nodiscard]] bool isFelt() const { return blameNs > 0 && waiting > 0; }
    [[nodiscard]] TimeNs ns() const {
        return kind == CauseKind::Other ? excess.otherGroupNs : excess.own();
    }
};

/// The time that a step cost the ranks of the job.
struct JobStep {
    std::int64_t number = -1;
    std::vector<TimeNs> lengthNs;  ///< by record; -1: it has no such step
    TimeNs blameNs = 0;            ///< exposed waiting of all ranks
    std::vector<Cause> causes;     ///< most blame first
};

/// One rank's work in one step.
struct StepWork {
    TimeSpan span;                      ///< its segments, first to last; empty: none
    std::vector<std::size_t> segments;  ///< rows, see divideWork()
};

/// Details of a cause's time, relative to a rank that took as long as most: the kernels that took
/// longer or were more, or what the host did in the longest gap.
[[nodiscard]] std::string describeCause(const Cause& cause, const RankRecord& record,
                                        const StepWork& work, const RankRecord& usual,
                                        const StepWork& usualWork);

inline constexpr TimeNs kMinCauseNs = 20'000;  ///< less is the noise of clocks and of kernels

/// A rank's excess over its peers, and the part of it that kept others waiting at one time. The
/// rest may be the noise of many small differences.
struct Late {
    Excess excess;
    Excess clear;

    void add(const Late& more, int sign = 1) {
        excess.add(more.excess, sign);
        clear.add(more.clear, sign);
    }
    [[nodiscard]] Excess faint() const {
        Excess rest = excess;
        rest.add(clear, -1);
        return rest;
    }
};

/// What belongs to one rank in one step.
struct Share {
    Late late;
    Late carried;           ///< the part of it that began in the step before
    TimeNs hostMoreNs = 0;  ///< what its host took longer; the gaps where that is not known
    Excess hidden;          ///< beyond its own median step, behind what was later still
    TimeNs blameNs = 0;
    std::set<std::uint32_t> waiting;
    StepWork work;
    bool isStall = false;    ///< its host stalled, and that was clear
    bool standsOut = false;  ///< a part took longer than in the rank's own median step
};

using StepsByNumber = std::map<std::int64_t, JobStep>;

/// What of a job's steps is whose, before causes are named.
struct JobShares {
    StepsByNumber steps;                                  ///< lengths and blame, no causes yet
    std::vector<std::map<std::int64_t, Share>> byRecord;  ///< then by step
};

[[nodiscard]] JobShares measureShares(const std::vector<RankRecord>& records, const Peers& peers,
                                      const Matching& matching,
                                      const std::vector<CollectiveWait>& waits);

}  // namespace kinetoscope::ranks
