// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/query/LaneLayout.h"

namespace kinetoscope::query {

enum class FlowKind : std::uint8_t {
    Launch,    ///< from an API call to a GPU operation it started
    Backward,  ///< from a forward operator to its backward
    Other,     ///< any other flow of the file
};

struct FlowArrow {
    trace::SliceId from = trace::kNoSlice;
    trace::SliceId to = trace::kNoSlice;
    FlowKind kind = FlowKind::Launch;

    friend bool operator==(const FlowArrow&, const FlowArrow&) = default;
};

/// The arrows that begin or end at a slice, by start of the other end. One pass over the
/// correlations and one over the flows: a few milliseconds for ten million slices.
[[nodiscard]] std::vector<FlowArrow> arrowsOf(LaneIndex& index, trace::SliceId slice);

}  // namespace kinetoscope::query
