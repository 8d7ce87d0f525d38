// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/IdGroups.h"

#include <algorithm>

namespace kinetoscope {

namespace {

// A table of four bytes an id pays up to this many unused ids for each used one.
constexpr std::uint64_t kMostGaps = 8;
constexpr std::uint64_t kSmallTable = 4096;

}  // namespace

IdIndex::IdIndex(std::vector<std::int64_t> ids) {
    std::erase(ids, kNoId);
    if (ids.empty()) {
        return;
    }
    const auto [low, high] = std::ranges::minmax(ids);
    const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    if (range <= ids.size() * kMostGaps + kSmallTable) {
        m_first = low;
        m_dense.assign(range + 1, kNone);
        for (const std::int64_t id : ids) {
            std::uint32_t& number = m_dense[static_cast<std::size_t>(id - low)];
            if (number == kNone) {
                number = m_size++;
            }
        }
        return;
    }
    std::ranges::sort(ids);
    const auto repeats = std::ranges::unique(ids);
    ids.erase(repeats.begin(), repeats.end());
    m_sparse = std::move(ids);
    m_size = static_cast<std::uint32_t>(m_sparse.size());
}

std::uint32_t IdIndex::find(std::int64_t id) const {
    if (!m_dense.empty()) {
        // Unsigned, so that an id below the first one lies far beyond the table.
        const auto at = static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(m_first);
        return at < m_dense.size() ? m_dense[at] : kNone;
    }
    const auto found = std::ranges::lower_bound(m_sparse, id);
    return found == m_sparse.end() || *found != id
               ? kNone
               : static_cast<std::uint32_t>(found - m_sparse.begin());
}

IdGroups::IdGroups(std::uint32_t groups, const std::vector<Hit>& hits)
    : m_begin(groups + 1ULL), m_slices(hits.size()) {
    for (const Hit& hit : hits) {
        ++m_begin[hit.first + 1ULL];
    }
    for (std::size_t group = 1; group < m_begin.size(); ++group) {
        m_begin[group] += m_begin[group - 1];
    }
    std::vector<std::uint32_t> next(m_begin.begin(), m_begin.end() - 1);
    for (const Hit& hit : hits) {
        m_slices[next[hit.first]++] = hit.second;
    }
}

}  // namespace kinetoscope
