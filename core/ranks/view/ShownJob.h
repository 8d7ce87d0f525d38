// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "core/ranks/view/BusyLevels.h"
#include "core/ranks/view/JobGrid.h"

namespace kinetoscope::ranks::view {

/// A kernel of communication on one rank.
struct CollectiveMark {
    static constexpr std::size_t kUnmatched = static_cast<std::size_t>(-1);
    TimeSpan span;                        ///< on the job's clock
    TimeNs lastArrival = 0;               ///< of its members; its own start without any
    std::size_t collective = kUnmatched;  ///< row of Matching::collectives
};

/// What is drawn of one rank.
struct RankPicture {
    BusyLevels busy;
    TimeNs shiftNs = 0;                 ///< job's clock minus the rank's own, where it begins
    std::vector<CollectiveMark> marks;  ///< by start
    std::vector<TimeNs> latestEnds;     ///< of each mark and all before it

    /// The first mark that ends behind `time`.
    [[nodiscard]] std::size_t firstMark(TimeNs time) const;
};

/// A job with all that pictures of it are made of. Immutable.
struct ShownJob {
    Job job;
    JobGrid grid;
    std::vector<RankPicture> ranks;  ///< by record
    TimeSpan extent;                 ///< of all ranks, on the job's clock

    /// The time of a step on one rank, else what its segments of the matrix's cell span; on the
    /// job's clock. Empty: the rank has none.
    [[nodiscard]] TimeSpan stepSpan(std::size_t record, std::size_t step) const;
    /// A span of the rank's own clock on the job's, and the other way round.
    [[nodiscard]] TimeSpan onJob(std::size_t record, TimeSpan own) const;
    [[nodiscard]] TimeSpan onRank(std::size_t record, TimeSpan shown) const;
};

/// Works it out on all cores. Throws Stopped; call inside of guarded().
[[nodiscard]] std::shared_ptr<const ShownJob> showJob(Job job, const std::stop_token& stop = {});

}  // namespace kinetoscope::ranks::view
