// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "core/base/Time.h"

namespace kinetoscope::query {

/// Length of the union of spans that come in order of their start.
class UnionLength {
public:
    /// Starts must not decrease; empty spans count nothing.
    constexpr void add(TimeSpan span) {
        const TimeNs from = std::max(span.start, m_end);
        if (span.end > from) {
            m_total += span.end - from;
            m_end = span.end;
        }
    }
    [[nodiscard]] constexpr TimeNs total() const { return m_total; }

private:
    TimeNs m_end = std::numeric_limits<TimeNs>::min();
    TimeNs m_total = 0;
};

/// Disjoint spans of the union, by start; spans that touch become one, empty ones vanish.
/// `sorted` is in order of start.
[[nodiscard]] std::vector<TimeSpan> unionOf(std::span<const TimeSpan> sorted);

/// The same for spans in any order.
[[nodiscard]] std::vector<TimeSpan> unionOfUnsorted(std::vector<TimeSpan> spans);

/// Answers how much of any span a set of disjoint spans covers, in O(log n).
class CoveredTime {
public:
    /// `disjoint` as unionOf() returns it.
    explicit CoveredTime(std::vector<TimeSpan> disjoint);

    [[nodiscard]] TimeNs inside(TimeSpan window) const;
    [[nodiscard]] const std::vector<TimeSpan>& spans() const { return m_spans; }

private:
    /// Covered time before `time`.
    [[nodiscard]] TimeNs before(TimeNs time) const;

    std::vector<TimeSpan> m_spans;
    std::vector<TimeNs> m_sumBefore;  ///< length of all spans before the one of that index
};

}  // namespace kinetoscope::query
