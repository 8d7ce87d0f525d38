// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "core/base/Time.h"
#include "core/trace/SliceColumns.h"

namespace kinetoscope::query {

/// A slice while its track is laid out.
struct PlacedSlice {
    TimeNs start;
    TimeNs duration;
    trace::SliceId slice;
    std::uint32_t lane : 31;
    std::uint32_t parent : 1;  ///< what lies inside belongs below it

    [[nodiscard]] TimeNs end() const { return start + duration; }
    /// The first time at which this no longer is in the way: a slice without length is, too.
    [[nodiscard]] TimeNs reach() const { return duration > 0 ? end() : start + 1; }
};

/// Gives each slice of a track its lane; they come by start, of equal starts the longer first. A
/// slice stands below the shortest parent that contains it, directly below unless something that
/// runs at the same time is there already. Of slices that overlap without nesting, the longest
/// stands highest, together with all inside of it, and the others use what room is left below, so
/// that a short one pushes nobody down. Returns the number of lanes: the largest number of slices
/// at one time where all are nested or none is a parent. n log n.
[[nodiscard]] std::uint32_t packLanes(std::span<PlacedSlice> slices);

}  // namespace kinetoscope::query
