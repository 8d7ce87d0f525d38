// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare/ComparedRun.h"
#include "core/compare/InputShapes.h"
#include "core/compare/Sides.h"

namespace kinetoscope::compare {

/// How kernels of two runs found each other; each kind tries the ones before it first.
enum class MatchKind : std::uint8_t {
    Exact,       ///< the same name
    Normalised,  ///< the same name but for what MatchRules leave out
    Operator,    ///< launched by the same operator on the same shapes, or fused from such launches
};

[[nodiscard]] std::string_view matchName(MatchKind kind);  ///< "exact" …

/// The unit that is timed: a launch or, where N kernels became M, the launches of one call.
struct MatchedUnit {
    double ns = 0.0;  ///< of many launches it may be more than a time can be
    std::uint32_t gpu = 0;
    std::uint32_t step = kNoStep;
    std::uint64_t stratum = 0;  ///< units of different strata are not pairs
    std::uint32_t launch = 0;   ///< the first one
    std::uint32_t launches = 1;
};

struct MatchedKernels {
    std::string name;
    MatchKind kind = MatchKind::Exact;
    /// Launches were assigned one by one: only units of one stratum are pairs, whatever the counts.
    bool isAssigned = false;
    Both<std::vector<MatchedUnit>> units;  ///< by GPU, then start
};

inline constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();

struct KernelMatches {
    std::vector<MatchedKernels> rows;
    Both<std::vector<std::uint32_t>> rowOf;   ///< by launch; kNoRow: only this side has it
    Both<std::vector<std::uint32_t>> unitOf;  ///< by launch, row of the units of its row
};

/// Input shapes of the operators of both runs; empty where they are not known.
using BothShapes = Both<InputShapes>;

}  // namespace kinetoscope::compare
