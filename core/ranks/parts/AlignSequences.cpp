// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/parts/AlignSequences.h"

#include <algorithm>

namespace kinetoscope::ranks::parts {

namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr std::int64_t kMaxEdits = 2'000;  // memory and time grow with its square

// The greedy algorithm of Myers (1986): the furthest point that each diagonal reaches with d edits.
class Differ {
public:
    Differ(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b,
           std::int64_t from, std::int64_t endA, std::int64_t endB)
        : m_a(a), m_b(b), m_from(from), m_sizeA(endA - from), m_sizeB(endB - from) {}

    // Appends the common rows; nothing where there are too many edits.
    void appendTo(Pairs& pairs) {
        const std::int64_t most = std::min(m_sizeA + m_sizeB, kMaxEdits);
        std::vector<std::int64_t> furthest(static_cast<std::size_t>(2 * most + 3), 0);
        const auto at = [&](std::int64_t diagonal) -> std::int64_t& {
            return furthest[static_cast<std::size_t>(diagonal + most + 1)];
        };
        for (std::int64_t edits = 0; edits <= most; ++edits) {
            for (std::int64_t k = -edits; k <= edits; k += 2) {
                const bool down = k == -edits || (k != edits && at(k - 1) < at(k + 1));
                std::int64_t x = down ? at(k + 1) : at(k - 1) + 1;
                while (x < m_sizeA && x - k < m_sizeB && x - k >= 0 && equal(x, x - k)) {
                    ++x;
                }
                at(k) = x;
                if (x >= m_sizeA && x - k >= m_sizeB) {
                    m_steps.push_back(furthest);
                    traceBack(most, edits, pairs);
                    return;
                }
            }
            m_steps.push_back(furthest);
        }
    }

private:
    [[nodiscard]] bool equal(std::int64_t x, std::int64_t y) const {
        return m_a[static_cast<std::size_t>(m_from + x)] ==
               m_b[static_cast<std::size_t>(m_from + y)];
    }

    void traceBack(std::int64_t most, std::int64_t edits, Pairs& pairs) const {
        Pairs found;
        std::int64_t x = m_sizeA;
        std::int64_t y = m_sizeB;
        for (std::int64_t d = edits; d >= 0; --d) {
            const std::int64_t k = x - y;
            std::int64_t beforeX = 0;
            std::int64_t beforeY = 0;
            if (d > 0) {
                const std::vector<std::int64_t>& furthest =
                    m_steps[static_cast<std::size_t>(d - 1)];
                const auto at = [&](std::int64_t diagonal) {
                    return furthest[static_cast<std::size_t>(diagonal + most + 1)];
                };
                const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
                const std::int64_t before = down ? k + 1 : k - 1;
                beforeX = at(before);
                beforeY = beforeX - before;
            }
            while (x > beforeX && y > beforeY) {
                --x;
                --y;
                found.emplace_back(static_cast<std::uint32_t>(m_from + x),
                                   static_cast<std::uint32_t>(m_from + y));
            }
            x = beforeX;
            y = beforeY;
        }
        pairs.insert(pairs.end(), found.rbegin(), found.rend());
    }

    const std::vector<std::uint64_t>& m_a;
    const std::vector<std::uint64_t>& m_b;
    std::int64_t m_from;
    std::int64_t m_sizeA;
    std::int64_t m_sizeB;
    std::vector<std::vector<std::int64_t>> m_steps;
};

}  // namespace

Pairs alignSequences(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    Pairs pairs;
    auto from = static_cast<std::int64_t>(std::ranges::mismatch(a, b).in1 - a.begin());
    auto endA = static_cast<std::int64_t>(a.size());
    auto endB = static_cast<std::int64_t>(b.size());
    while (endA > from && endB > from &&
           a[static_cast<std::size_t>(endA - 1)] == b[static_cast<std::size_t>(endB - 1)]) {
        --endA;
        --endB;
    }
    for (std::int64_t row = 0; row < from; ++row) {
        pairs.emplace_back(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(row));
    }
    if (endA > from && endB > from) {
        Differ(a, b, from, endA, endB).appendTo(pairs);
    }
    for (std::size_t i = 0; static_cast<std::size_t>(endA) + i < a.size(); ++i) {
        pairs.emplace_back(static_cast<std::uint32_t>(endA) + static_cast<std::uint32_t>(i),
                           static_cast<std::uint32_t>(endB) + static_cast<std::uint32_t>(i));
    }
    return pairs;
}

}  // namespace kinetoscope::ranks::parts
