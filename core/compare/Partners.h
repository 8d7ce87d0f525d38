// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "core/compare/KernelMatch.h"

namespace kinetoscope::compare {

/// The counterpart of a kernel in the other run.
struct Partner {
    std::uint32_t row = kNoRow;  ///< of KernelMatches
    trace::SliceId slice =
        trace::kNoSlice;  ///< first launch of its pair on the other side; kNoSlice: none
};

/// Answers for single slices, in constant time.
class Partners {
public:
    Partners(const ComparedRun& base, const ComparedRun& candidate, const KernelMatches& matches);

    /// Nothing for slices that are not kernels of the run.
    [[nodiscard]] std::optional<Partner> ofBase(trace::SliceId slice) const;
    [[nodiscard]] std::optional<Partner> ofCandidate(trace::SliceId slice) const;

private:
    using Map = std::unordered_map<trace::SliceId, Partner>;
    Both<Map> m_partners;
};

}  // namespace kinetoscope::compare
