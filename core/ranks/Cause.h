// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
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
    /// Beyond the rank's own median step: a stall or extra kernels, or nobody else runs what it
    /// does.
    bool besideOwnSteps = false;
    std::string detail;  ///< what the time went to, for people

    /// Whether anybody waited for it.
    [[nodiscard]] bool isFelt() const { return blameNs > 0 && waiting > 0; }
    [[nodiscard]] TimeNs ns() const {
        return kind == CauseKind::Other ? excess.otherGroupNs : excess.own();
    }
};

/// A stall of the hosts of most ranks at one place of a step, for which none waits for another.
struct HostPause {
    TimeNs ns = 0;       ///< that of the median rank; 0: none
    std::string before;  ///< what came after it on the hosts
};

/// The time that a step cost the ranks of the job.
struct JobStep {
    std::int64_t number = -1;
    std::vector<TimeNs> lengthNs;  ///< by record; -1: it has no such step
    TimeNs blameNs = 0;            ///< exposed waiting of all ranks
    std::vector<Cause> causes;     ///< most blame first
    HostPause pause;

    /// That of the rank in the middle: of one whose GPU is behind its host they overlap.
    [[nodiscard]] TimeNs usualLength() const;
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

/// Kernels of which a rank ran more than usual.
[[nodiscard]] std::string describeMore(const KernelSum& more, std::string_view name);

inline constexpr TimeNs kMinCauseNs = 20'000;  ///< less is the noise of clocks and of kernels

/// What belongs to one rank in one step.
struct Share {
    Excess excess;                     ///< beyond the others, over all of its segments
    Excess carried;                    ///< the part of it that began in the step before
    std::optional<TimeNs> hostMoreNs;  ///< what its host took longer; nothing: not known
    /// What is not in the rank's median step, nor in that of the others: stalls of its host, and
    /// extra kernels.
    WorkTime outlier;
    std::string stalledBefore;  ///< what came after the longest one of those stalls
    KernelSum extra;            ///< most of those kernels
    TimeNs blameNs = 0;
    std::set<std::uint32_t> waiting;
    StepWork work;
};

using StepsByNumber = std::map<std::int64_t, JobStep>;

/// What of a job's steps is whose, before causes are named.
struct JobShares {
    StepsByNumber steps;                                  ///< lengths and blame, no causes yet
    std::vector<std::map<std::int64_t, Share>> byRecord;  ///< then by step
};

/// Sets the outliers of all shares, and the pauses of the steps.
void findOutliers(const std::vector<RankRecord>& records, const Peers& peers, JobShares& job);

[[nodiscard]] JobShares measureShares(const std::vector<RankRecord>& records, const Peers& peers,
                                      const Matching& matching,
                                      const std::vector<CollectiveWait>& waits);

}  // namespace kinetoscope::ranks
