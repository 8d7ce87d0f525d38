// SPDX-License-Identifier: Apache-2.0
#include "core/query/Intervals.h"

#include <algorithm>
#include <utility>

#include "core/base/SortRuns.h"

namespace kinetoscope::query {

std::vector<TimeSpan> unionOf(std::span<const TimeSpan> sorted) {
    std::vector<TimeSpan> result;
    for (const TimeSpan span : sorted) {
        if (span.empty()) {
            continue;
        }
        if (!result.empty() && span.start <= result.back().end) {
            result.back().end = std::max(result.back().end, span.end);
        } else {
            result.push_back(span);
        }
    }
    return result;
}

std::vector<TimeSpan> unionOfUnsorted(std::vector<TimeSpan> spans) {
    sortRuns(std::span(spans),
             [](const TimeSpan& a, const TimeSpan& b) { return a.start < b.start; });
    return unionOf(spans);
}

CoveredTime::CoveredTime(std::vector<TimeSpan> disjoint) : m_spans(std::move(disjoint)) {
    m_sumBefore.reserve(m_spans.size());
    TimeNs sum = 0;
    for (const TimeSpan span : m_spans) {
        m_sumBefore.push_back(sum);
        sum += span.duration();
    }
}

TimeNs CoveredTime::before(TimeNs time) const {
    const auto next = std::ranges::upper_bound(m_spans, time, {}, &TimeSpan::start);
    if (next == m_spans.begin()) {
        return 0;
    }
    const auto last = static_cast<std::size_t>(next - m_spans.begin()) - 1;
    return m_sumBefore[last] + std::min(time, m_spans[last].end) - m_spans[last].start;
}

TimeNs CoveredTime::inside(TimeSpan window) const {
    return window.empty() ? 0 : before(window.end) - before(window.start);
}

}  // namespace kinetoscope::query
