// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ranks/RankRecord.h"

namespace kinetoscope::ranks {

/// One rank's part in a collective.
struct Member {
    std::uint32_t record = 0;  ///< row of the job's records
    std::uint32_t call = 0;    ///< row of RankRecord::collectives
};

/// What several ranks did together.
struct Collective {
    std::string group;
    std::string kind;
    std::uint64_t bytes = 0;
    std::vector<Member> members;  ///< by record; two and more
};

struct Matching {
    std::vector<Collective> collectives;  ///< by the start on their first member
    std::uint64_t matched = 0;            ///< calls that found a partner
    std::uint64_t unmatched = 0;          ///< calls that found none
};

/// Finds which calls of the ranks belong together. Within a group, those of the same sequence
/// number; without numbers the ranks' sequences of (kind, elements, type, step) are aligned by
/// their longest common subsequence, so that what one rank lacks shifts nothing. Messages from rank
/// to rank by their order within group, sender and receiver. `records` are by rank.
[[nodiscard]] Matching matchCollectives(const std::vector<RankRecord>& records);

}  // namespace kinetoscope::ranks
