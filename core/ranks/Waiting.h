// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ranks/Clocks.h"

namespace kinetoscope::ranks {

/// Who waited for whom in a collective. By member, as in Collective::members.
struct CollectiveWait {
    std::size_t last = 0;           ///< the member that arrived last, the lowest rank of equals
    TimeNs tookNs = 0;              ///< from its arrival to the end
    std::vector<TimeNs> waitedNs;   ///< last arrival minus own arrival
    std::vector<TimeNs> exposedNs;  ///< the part of it in which the member computed nothing
    TimeSpan span;                  ///< first arrival to the end, on the job's clock
    std::int64_t step = -1;         ///< in which the last member arrived

    [[nodiscard]] TimeNs exposedSum() const;
};

/// For each collective of the matching.
[[nodiscard]] std::vector<CollectiveWait> measureWaiting(const std::vector<RankRecord>& records,
                                                         const Matching& matching,
                                                         const std::vector<RankClock>& clocks);

/// Bytes a second of the links, as nccl-tests has it: algorithm bandwidth times 2 (n - 1) / n for
/// all-reduce, (n - 1) / n for all-gather, reduce-scatter and all-to-all, 1 else; in GB/s. 0 where
/// the amount is not known or nothing was taken.
[[nodiscard]] double busBandwidth(const Collective& collective, TimeNs tookNs);

}  // namespace kinetoscope::ranks
