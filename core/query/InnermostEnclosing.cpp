// SPDX-License-Identifier: Apache-2.0
#include "core/query/InnermostEnclosing.h"

#include <algorithm>

#include "core/base/SortRuns.h"

namespace kinetoscope::query {

namespace {

/// By key, then by start; the longer of two that begin together encloses the other one. Stable.
template <class Row>
void sortByTime(const trace::Trace& trace, std::span<Row> rows, trace::SliceId Row::*slice) {
    sortRuns(rows, [&](const Row& a, const Row& b) {
        if (a.key != b.key) {
            return a.key < b.key;
        }
        const TimeNs aStart = trace.start(a.*slice);
        const TimeNs bStart = trace.start(b.*slice);
        return aStart != bStart ? aStart < bStart : trace.end(a.*slice) > trace.end(b.*slice);
    });
}

/// Slices of one key that began already, outermost first. One that ends no later than another that
/// began after it can never be the innermost again, so only decreasing ends are kept.
class OpenSlices {
public:
    void clear() { m_open.clear(); }
    void open(trace::SliceId slice, TimeNs end) {
        while (!m_open.empty() && m_open.back().end <= end) {
            m_open.pop_back();
        }
        m_open.push_back({end, slice});
    }
    [[nodiscard]] trace::SliceId innermost(TimeNs end) const {
        const auto after = std::ranges::partition_point(
            m_open, [end](const Open& slice) { return slice.end >= end; });
        return after == m_open.begin() ? trace::kNoSlice : (after - 1)->slice;
    }

private:
    struct Open {
        TimeNs end;
        trace::SliceId slice;
    };
    std::vector<Open> m_open;
};

}  // namespace

void findInnermostEnclosing(const trace::Trace& trace, std::span<Encloser> enclosers,
                            std::span<EncloserQuery> queries,
                            std::vector<trace::SliceId>& answers) {
    sortByTime(trace, enclosers, &Encloser::slice);
    sortByTime(trace, queries, &EncloserQuery::inner);
    OpenSlices open;
    auto next = enclosers.begin();
    for (auto query = queries.begin(); query != queries.end(); ++query) {
        if (query == queries.begin() || query->key != (query - 1)->key) {
            open.clear();
            next = std::ranges::lower_bound(next, enclosers.end(), query->key, {}, &Encloser::key);
        }
        const TimeSpan inner = trace.span(query->inner);
        for (; next != enclosers.end() && next->key == query->key &&
               trace.start(next->slice) <= inner.start;
             ++next) {
            open.open(next->slice, trace.end(next->slice));
        }
        if (const trace::SliceId found = open.innermost(inner.end); found != trace::kNoSlice) {
            answers[query->asker] = found;
        }
    }
}

}  // namespace kinetoscope::query
