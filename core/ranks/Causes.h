// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/ranks/Segments.h"
#include "core/ranks/Waiting.h"

namespace kinetoscope::ranks {

enum class CauseKind : std::uint8_t { Host, Compute, Copy, Other };

/// "host", "compute", "copy", "other".
[[nodiscard]] const char* causeKindName(CauseKind kind);

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
    std::string detail;                ///< what the time went to, for people

    [[nodiscard]] TimeNs ns() const { return excess.total(); }
};

/// The time that a step cost the ranks of the job.
struct JobStep {
    std::int64_t number = -1;
    std::vector<TimeNs> lengthNs;  ///< by record; -1: it has no such step
    TimeNs blameNs = 0;            ///< exposed waiting of all ranks
    std::vector<Cause> causes;     ///< most blame first
};

/// The steps of a job by number, with the causes of each. What is below twenty microseconds and a
/// five-hundredth of the step is no cause.
[[nodiscard]] std::vector<JobStep> findCauses(const std::vector<RankRecord>& records,
                                              const Matching& matching,
                                              const std::vector<CollectiveWait>& waits);

/// The same causes for people: what recurs in at least half of three and more steps is one. Most
/// blame first.
[[nodiscard]] std::vector<Cause> mergeCauses(const std::vector<JobStep>& steps);

}  // namespace kinetoscope::ranks
