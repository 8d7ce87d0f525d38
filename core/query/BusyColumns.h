// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/Time.h"

namespace kinetoscope::query {

/// How much of any time is covered by a set of spans, in O(log spans) a question.
class BusyColumns {
public:
    BusyColumns() = default;
    /// `spans` disjoint, by start, none empty. `levels`: the part of each span that counts, 0 to 1;
    /// none: all of it.
    explicit BusyColumns(std::vector<TimeSpan> spans, std::vector<float> levels = {});

    [[nodiscard]] bool empty() const { return m_spans.empty(); }
    /// Nanoseconds of `span` that are covered.
    [[nodiscard]] double busyIn(TimeSpan span) const;
    /// Covered fraction, 0 to 1, of each of `columns` equal parts of `view`.
    [[nodiscard]] std::vector<float> fractions(TimeSpan view, std::int32_t columns) const;

private:
    [[nodiscard]] double level(std::size_t span) const {
        return m_levels.empty() ? 1.0 : static_cast<double>(m_levels[span]);
    }
    [[nodiscard]] double busyUntil(TimeNs time, std::size_t from, std::size_t& found) const;

    std::vector<TimeSpan> m_spans;
    std::vector<float> m_levels;
    std::vector<double> m_busyBefore;  ///< sum of the spans before each
};

}  // namespace kinetoscope::query
