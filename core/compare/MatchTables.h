// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/base/StringPool.h"
#include "core/compare/KernelMatches.h"

namespace kinetoscope::compare {

/// Properties of each launch that matching uses, as numbers that mean the same on both sides.
struct LaunchKeys {
    std::vector<NameId> name;        ///< of MatchTables::pool, as all others
    std::vector<NameId> normalised;  ///< by the rules
    std::vector<NameId> stripped;    ///< without any template arguments
    std::vector<NameId> op;          ///< operator; Triton's without their counters
    std::vector<NameId> shapes;      ///< of the operator's inputs; kEmptyName: not known
};

struct MatchTables {
    StringPool pool;
    Both<LaunchKeys> keys;
    /// Both runs know operators; else they do not help matching.
    bool hasOperators = false;
};

[[nodiscard]] MatchTables makeMatchTables(const ComparedRun& base, const ComparedRun& candidate,
                                          const BothShapes& shapes);

/// A launch without a row, as the assignment sees it.
struct FusionPart {
    std::uint32_t launch = 0;
    std::uint64_t step = 0;  ///< GPU and step in one
};

/// Assigns launches of the side with more of them to launches of the other one, many to one,
/// keeping both in their order within a step: to each of `fine` the index of one of `coarse`, or
/// kNoRow. Both come by step, then start.
[[nodiscard]] std::vector<std::uint32_t> assignParts(const StringPool& pool,
                                                     const LaunchKeys& fineKeys,
                                                     const std::vector<FusionPart>& fine,
                                                     const LaunchKeys& coarseKeys,
                                                     const std::vector<FusionPart>& coarse,
                                                     const std::stop_token& stop);

}  // namespace kinetoscope::compare
