// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/query/LaneLayout.h"
#include "core/query/RowNames.h"
#include "core/query/RowOrder.h"

namespace kinetoscope::query {

/// Which slices of a list are wanted; what is not set takes all.
struct SliceFilter {
    std::optional<trace::CategoryId> category = {};
    std::optional<std::uint32_t> process = {};
    std::optional<trace::TrackId> track = {};  ///< the row that it is drawn on, see `rows`
    std::optional<TimeSpan> begins = {};       ///< those that begin in it
    std::optional<TimeSpan> overlaps = {};     ///< those that run in it
    std::optional<TimeSpan> lasts = {};        ///< those whose duration lies in it
    const LaneIndex* rows = nullptr;           ///< what `track` is of; null: tracks of the trace
};

/// In the order of the list. Ends early, with less, when asked to stop.
[[nodiscard]] std::vector<trace::SliceId> filterSlices(const trace::Trace& trace,
                                                       std::span<const trace::SliceId> slices,
                                                       const SliceFilter& filter,
                                                       const std::stop_token& stop = {});

/// Slices of a list by what they can be filtered by, each kind that occurs.
struct SliceCounts {
    std::vector<std::pair<trace::CategoryId, std::uint64_t>> categories;  ///< by id
    std::vector<std::pair<trace::TrackId, std::uint64_t>> tracks;  ///< by id; rows of the index
};
[[nodiscard]] SliceCounts countSlices(const LaneIndex& rows,
                                      std::span<const trace::SliceId> slices);

/// Where a slice stands in a list by start, and then by number; nullopt: it is not in there.
[[nodiscard]] std::optional<std::size_t> placeOfSlice(const trace::Trace& trace,
                                                      std::span<const trace::SliceId> byStart,
                                                      trace::SliceId slice);

enum class SliceKey : std::uint8_t { Name, Category, Row, Start, Duration };

/// Stable in both directions; texts as sortRows() has them. n log n, a second for ten millions.
void sortSlices(const LaneIndex& rows, const RowNames& names, std::vector<trace::SliceId>& slices,
                SliceKey key, SortOrder order);

}  // namespace kinetoscope::query
