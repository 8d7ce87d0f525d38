// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace kinetoscope {

/// Nanoseconds. Points are relative to the trace's own base (RunInfo::baseTimeNs), as in the file.
using TimeNs = std::int64_t;

/// a + b; stays at the first or last time instead of overflowing.
[[nodiscard]] constexpr TimeNs addTime(TimeNs a, TimeNs b) {
    TimeNs sum = 0;
    if (!__builtin_add_overflow(a, b, &sum)) {
        return sum;
    }
    return b < 0 ? std::numeric_limits<TimeNs>::min() : std::numeric_limits<TimeNs>::max();
}

/// Half-open interval [start, end).
struct TimeSpan {
    TimeNs start = 0;
    TimeNs end = 0;

    [[nodiscard]] constexpr TimeNs duration() const { return end - start; }
    [[nodiscard]] constexpr bool empty() const { return end <= start; }
    [[nodiscard]] constexpr bool contains(TimeNs time) const { return start <= time && time < end; }

    /// A span without length overlaps when its start lies inside.
    [[nodiscard]] constexpr bool overlaps(TimeSpan other) const {
        return other.start == other.end ? contains(other.start)
                                        : other.start < end && start < other.end;
    }

    /// The part of `other` inside this span; empty (start == end) when there is none.
    [[nodiscard]] constexpr TimeSpan clip(TimeSpan other) const {
        const TimeNs from = std::clamp(other.start, start, std::max(start, end));
        return {from, std::clamp(other.end, from, std::max(from, end))};
    }

    friend constexpr bool operator==(TimeSpan, TimeSpan) = default;
};

}  // namespace kinetoscope
