// SPDX-License-Identifier: Apache-2.0
#include "core/query/IdGroups.h"

#include <algorithm>
#include <bit>

namespace kinetoscope::query {

namespace {

// Profilers count all calls of the driver, of which one in seven to 22 launches. Where one in this
// many is used, the table takes twice the room of the sorted ids.
constexpr std::uint64_t kMaxGaps = 64;
constexpr std::uint64_t kSmallTable = 4096;
constexpr std::uint64_t kWordIds = 64;

}  // namespace

IdIndex::IdIndex(std::vector<std::int64_t> ids) {
    std::erase(ids, trace::kNoId);
    if (ids.empty()) {
        return;
    }
    const auto [low, high] = std::ranges::minmax(ids);
    const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    if (range <= ids.size() * kMaxGaps + kSmallTable) {
        m_first = low;
        m_dense.resize(range / kWordIds + 1);
        for (const std::int64_t id : ids) {
            const auto at = static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(low);
            m_dense[at / kWordIds].isThere |= std::uint64_t{1} << at % kWordIds;
        }
        for (Word& word : m_dense) {
            word.below = m_size;
            m_size += static_cast<std::uint32_t>(std::popcount(word.isThere));
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
        if (at / kWordIds >= m_dense.size()) {
            return kNone;
        }
        const Word& word = m_dense[at / kWordIds];
        const std::uint64_t bit = std::uint64_t{1} << at % kWordIds;
        const auto lower = static_cast<std::uint32_t>(std::popcount(word.isThere & (bit - 1)));
        return (word.isThere & bit) != 0 ? word.below + lower : kNone;
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

}  // namespace kinetoscope::query
