// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/InnermostEnclosing.h"

#include <algorithm>
#include <tuple>

namespace kinetoscope {

namespace {

/// An encloser or query with its times at hand: sorting must not jump about in the columns.
struct Timed {
    std::uint64_t key = 0;
    TimeNs start = 0;
    TimeNs end = 0;
    std::uint32_t row = 0;  ///< the slice, or the query's asker
};

/// Slices of one key that began already, outermost first. One that ends no later than another that
/// began after it can never be the innermost again, so only decreasing ends are kept.
class OpenSlices {
public:
    void clear() { m_open.clear(); }
    void open(const Timed& slice) {
        while (!m_open.empty() && m_open.back().end <= slice.end) {
            m_open.pop_back();
        }
        m_open.push_back(slice);
    }
    [[nodiscard]] SliceId innermost(TimeNs end) const {
        const auto after = std::ranges::partition_point(
            m_open, [end](const Timed& slice) { return slice.end >= end; });
        return after == m_open.begin() ? kNoSlice : (after - 1)->row;
    }

private:
    std::vector<Timed> m_open;
};

// By key and start, the longest first; files mostly have them in that order already.
void sortByStart(std::vector<Timed>& rows) {
    const auto before = [](const Timed& a, const Timed& b) {
        return std::tie(a.key, a.start, b.end, a.row) < std::tie(b.key, b.start, a.end, b.row);
    };
    if (!std::ranges::is_sorted(rows, before)) {
        std::ranges::sort(rows, before);
    }
}

}  // namespace

void findInnermostEnclosing(const Trace& trace, const std::vector<Encloser>& enclosers,
                            const std::vector<EncloserQuery>& queries,
                            std::vector<SliceId>& answers) {
    std::vector<Timed> outer;
    outer.reserve(enclosers.size());
    for (const Encloser& row : enclosers) {
        outer.push_back({row.key, trace.start(row.slice), trace.end(row.slice), row.slice});
    }
    std::vector<Timed> inner;
    inner.reserve(queries.size());
    for (const EncloserQuery& row : queries) {
        inner.push_back({row.key, trace.start(row.inner), trace.end(row.inner), row.asker});
    }
    sortByStart(outer);
    sortByStart(inner);
    OpenSlices open;
    auto next = outer.begin();
    for (auto query = inner.begin(); query != inner.end(); ++query) {
        if (query == inner.begin() || query->key != (query - 1)->key) {
            open.clear();
            next = std::find_if(next, outer.end(),
                                [&](const Timed& row) { return row.key >= query->key; });
        }
        for (; next != outer.end() && next->key == query->key && next->start <= query->start;
             ++next) {
            open.open(*next);
        }
        if (const SliceId found = open.innermost(query->end); found != kNoSlice) {
            answers[query->row] = found;
        }
    }
}

}  // namespace kinetoscope
