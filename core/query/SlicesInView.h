// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/query/LaneLayout.h"

namespace kinetoscope::query {

/// The contents of the pixel columns [first, last): one slice, or a run of slices that are too
/// short for a column of their own.
struct ViewItem {
    std::int32_t first = 0;
    std::int32_t last = 0;
    trace::SliceId slice = trace::kNoSlice;  ///< the longest one
    std::uint32_t count = 1;                 ///< slices this item stands for
    float busy = 1.0F;               ///< fraction of the item's time that is covered, at most 1
    NameId name = kEmptyName;        ///< of `slice`, as painting asks for it in every column
    trace::CategoryId category = 0;  ///< of `slice`

    friend bool operator==(const ViewItem&, const ViewItem&) = default;
};

/// The render items of a lane by column, never two in one column. Each slice that overlaps
/// `view` counts in exactly one item. Where a column holds many blocks of slices it is cut between
/// blocks. Looks at every slice in view at most once, zoomed out at a sixteenth of them. Empty when
/// `view` or `columns` is.
[[nodiscard]] std::vector<ViewItem> slicesInView(const trace::Trace& trace, const Lane& lane,
                                                 TimeSpan view, std::int32_t columns);

/// Position of the first slice on the lane that ends after `time` (or begins there or later).
[[nodiscard]] std::uint32_t firstNotBefore(const trace::Trace& trace, const Lane& lane,
                                           TimeNs time);

enum class Direction { Next, Previous };

/// The neighbour on the slice's own lane, if there is one.
[[nodiscard]] std::optional<trace::SliceId> neighbour(LaneIndex& index, trace::SliceId slice,
                                                      Direction direction);

/// The slice of the same thread or stream that contains this one, on the nearest lane above it;
/// annotations of a GPU are above its streams.
[[nodiscard]] std::optional<trace::SliceId> enclosing(LaneIndex& index, trace::SliceId slice);

/// The first slice of the same thread or stream inside this one, on the nearest lane below it.
[[nodiscard]] std::optional<trace::SliceId> firstInside(LaneIndex& index, trace::SliceId slice);

/// The innermost slice of a track at `time`.
[[nodiscard]] std::optional<trace::SliceId> innermostAt(LaneIndex& index, trace::TrackId track,
                                                        TimeNs time);

}  // namespace kinetoscope::query
