// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/ranks/Segments.h"

namespace kinetoscope::ranks {

/// What a rank took up to a call beyond that to the one at the same place of its median step.
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

}  // namespace kinetoscope::ranks
