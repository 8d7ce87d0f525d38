// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace kinetoscope::ranks::parts {

/// Pairs of rows of a longest common subsequence of two sequences, ascending. Where they differ by
/// more than some thousand steps, only of what is equal at both ends.
[[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> alignSequences(
    const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b);

}  // namespace kinetoscope::ranks::parts
