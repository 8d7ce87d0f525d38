// SPDX-License-Identifier: Apache-2.0
#include "core/query/BusyColumns.h"

#include <algorithm>
#include <cmath>

namespace kinetoscope::query {

BusyColumns::BusyColumns(std::vector<TimeSpan> spans, std::vector<float> levels)
    : m_spans(std::move(spans)), m_levels(std::move(levels)) {
    m_busyBefore.reserve(m_spans.size());
    double busy = 0.0;
    for (std::size_t i = 0; i < m_spans.size(); ++i) {
        m_busyBefore.push_back(busy);
        busy += level(i) * static_cast<double>(m_spans[i].duration());
    }
}

double BusyColumns::busyUntil(TimeNs time, std::size_t from, std::size_t& found) const {
    const auto after =
        std::partition_point(m_spans.begin() + static_cast<std::ptrdiff_t>(from), m_spans.end(),
                             [time](const TimeSpan& span) { return span.start < time; });
    found = static_cast<std::size_t>(after - m_spans.begin());
    if (found == 0) {
        return 0.0;
    }
    const TimeSpan& last = m_spans[found - 1];
    return m_busyBefore[found - 1] +
           level(found - 1) * static_cast<double>(std::min(last.end, time) - last.start);
}

double BusyColumns::busyIn(TimeSpan span) const {
    if (span.empty()) {
        return 0.0;
    }
    std::size_t found = 0;
    const double before = busyUntil(span.start, 0, found);
    return busyUntil(span.end, found, found) - before;
}

std::vector<float> BusyColumns::fractions(TimeSpan view, std::int32_t columns) const {
    if (view.empty() || columns <= 0) {
        return {};
    }
    std::vector<float> result(static_cast<std::size_t>(columns));
    const double nsPerColumn = static_cast<double>(view.duration()) / columns;
    std::size_t found = 0;
    TimeNs edge = view.start;
    double before = busyUntil(edge, 0, found);
    for (std::int32_t column = 0; column < columns; ++column) {
        const TimeNs next = view.start + std::llround(nsPerColumn * (column + 1));
        const double until = busyUntil(next, found, found);
        if (next > edge) {
            result[static_cast<std::size_t>(column)] =
                static_cast<float>((until - before) / static_cast<double>(next - edge));
        } else if (column > 0) {
            // More columns than nanoseconds: this one shows the same nanosecond as the last.
            result[static_cast<std::size_t>(column)] = result[static_cast<std::size_t>(column) - 1];
        }
        edge = next;
        before = until;
    }
    return result;
}

}  // namespace kinetoscope::query
