// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/InnermostEnclosing.h"

#include <algorithm>
#include <tuple>

namespace kinetoscope {

namespace {

/// Slices of one key that began already, outermost first. One that ends no later than another that
/// began after it can never be the innermost again, so only decreasing ends are kept.
class OpenSlices {
public:
    explicit OpenSlices(const Trace& trace) : m_trace(trace) {}

    void clear() { m_open.clear(); }
    void open(SliceId slice) {
        while (!m_open.empty() && m_trace.end(m_open.back()) <= m_trace.end(slice)) {
            m_open.pop_back();
        }
        m_open.push_back(slice);
    }
    [[nodiscard]] SliceId innermost(SliceId inner) const {
        const auto after = std::ranges::partition_point(
            m_open, [&](SliceId slice) { return m_trace.end(slice) >= m_trace.end(inner); });
        return after == m_open.begin() ? kNoSlice : *(after - 1);
    }

private:
    const Trace& m_trace;
    std::vector<SliceId> m_open;
};

}  // namespace

void findInnermostEnclosing(const Trace& trace, std::vector<Encloser> enclosers,
                            std::vector<EncloserQuery> queries, std::vector<SliceId>& answers) {
    std::ranges::sort(enclosers, {}, [&](const Encloser& row) {
        return std::tuple(row.key, trace.start(row.slice), -trace.duration(row.slice), row.slice);
    });
    std::ranges::sort(queries, {}, [&](const EncloserQuery& query) {
        return std::tuple(query.key, trace.start(query.inner));
    });
    OpenSlices open(trace);
    auto next = enclosers.begin();
    for (auto query = queries.begin(); query != queries.end(); ++query) {
        if (query == queries.begin() || query->key != (query - 1)->key) {
            open.clear();
            next = std::find_if(next, enclosers.end(),
                                [&](const Encloser& row) { return row.key >= query->key; });
        }
        for (; next != enclosers.end() && next->key == query->key &&
               trace.start(next->slice) <= trace.start(query->inner);
             ++next) {
            open.open(next->slice);
        }
        if (const SliceId found = open.innermost(query->inner); found != kNoSlice) {
            answers[query->asker] = found;
        }
    }
}

}  // namespace kinetoscope
