// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::query {

/// Numbers the distinct ids of a set from the lowest, in constant time where they lie close
/// together.
class IdIndex {
public:
    static constexpr std::uint32_t kNone = 0xffffffff;

    /// Ids may repeat; kNoId is left out.
    explicit IdIndex(std::vector<std::int64_t> ids);

    /// Number of the id, below size(), or kNone.
    [[nodiscard]] std::uint32_t find(std::int64_t id) const;
    [[nodiscard]] std::uint32_t size() const { return m_size; }

private:
    /// Which of 64 successive ids there are, and how many there are below them.
    struct Word {
        std::uint64_t isThere = 0;
        std::uint32_t below = 0;
    };

    std::int64_t m_first = 0;
    std::uint32_t m_size = 0;
    std::vector<Word> m_dense;           ///< from m_first on; empty when ids lie far apart
    std::vector<std::int64_t> m_sparse;  ///< sorted ids
};

/// The slices that carry each id of an index, at first in file order.
class IdGroups {
public:
    /// One slice and the number of its id.
    using Hit = std::pair<std::uint32_t, trace::SliceId>;

    IdGroups(std::uint32_t groups, const std::vector<Hit>& hits);

    [[nodiscard]] std::span<const trace::SliceId> of(std::uint32_t number) const {
        return std::span(m_slices).subspan(m_begin[number], m_begin[number + 1] - m_begin[number]);
    }
    /// The same to be reordered.
    [[nodiscard]] std::span<trace::SliceId> of(std::uint32_t number) {
        return std::span(m_slices).subspan(m_begin[number], m_begin[number + 1] - m_begin[number]);
    }

    /// Where such slices stand among those of all groups.
    [[nodiscard]] std::uint32_t placeOf(std::span<const trace::SliceId> slices) const {
        return static_cast<std::uint32_t>(slices.data() - m_slices.data());
    }
    /// Slices of all groups.
    [[nodiscard]] std::size_t size() const { return m_slices.size(); }

private:
    std::vector<std::uint32_t> m_begin;
    std::vector<trace::SliceId> m_slices;
};

}  // namespace kinetoscope::query
