// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/InnermostEnclosing.h"

#include <algorithm>

#include "core/base/SortRuns.h"

namespace kinetoscope {

namespace {

/// An encloser or a query with its times beside it: both are sorted and then walked once.
struct Timed {
    std::uint64_t key;
    TimeNs start;
    TimeNs end;
    std::uint32_t row;  ///< the encloser's slice or the asker
};

// The longer of two that begin together encloses the other one.
bool isBefore(const Timed& a, const Timed& b) {
    if (a.key != b.key) {
        return a.key < b.key;
    }
    if (a.start != b.start) {
        return a.start < b.start;
    }
    return a.end != b.end ? a.end > b.end : a.row < b.row;
}

Timed timed(const Trace& trace, std::uint64_t key, SliceId slice, std::uint32_t row) {
    return {key, trace.start(slice), trace.end(slice), row};
}

/// Slices of one key that began already, outermost first. One that ends no later than another that
/// began after it can never be the innermost again, so only decreasing ends are kept.
class OpenSlices {
public:
    void clear() { m_open.clear(); }
    void open(const Timed& slice) {
        while (!m_open.empty() && m_open.back().end <= slice.end) {
            m_open.pop_back();
        }
        m_open.push_back({slice.end, slice.row});
    }
    [[nodiscard]] SliceId innermost(TimeNs end) const {
        const auto after = std::ranges::partition_point(
            m_open, [end](const Open& slice) { return slice.end >= end; });
        return after == m_open.begin() ? kNoSlice : (after - 1)->slice;
    }

private:
    struct Open {
        TimeNs end;
        SliceId slice;
    };
    std::vector<Open> m_open;
};

}  // namespace

void findInnermostEnclosing(const Trace& trace, const std::vector<Encloser>& enclosers,
                            const std::vector<EncloserQuery>& queries,
                            std::vector<SliceId>& answers) {
    std::vector<Timed> outer;
    outer.reserve(enclosers.size());
    for (const Encloser& row : enclosers) {
        outer.push_back(timed(trace, row.key, row.slice, row.slice));
    }
    std::vector<Timed> inner;
    inner.reserve(queries.size());
    for (const EncloserQuery& query : queries) {
        inner.push_back(timed(trace, query.key, query.inner, query.asker));
    }
    sortRuns(std::span(outer), isBefore);
    sortRuns(std::span(inner), isBefore);
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
