// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

namespace kinetoscope::job {

/// Where rows of different heights lie, from the top of the first one.
class RowHeights {
public:
    void assign(const std::vector<int>& heights) {
        m_tops.assign(1, 0);
        for (const int height : heights) {
            m_tops.push_back(m_tops.back() + height);
        }
    }
    [[nodiscard]] std::size_t count() const { return m_tops.size() - 1; }
    [[nodiscard]] int height() const { return m_tops.back(); }
    [[nodiscard]] int top(std::size_t row) const { return m_tops[row]; }
    [[nodiscard]] int height(std::size_t row) const { return m_tops[row + 1] - m_tops[row]; }
    /// The row at that height; nullopt above the first and below the last.
    [[nodiscard]] std::optional<std::size_t> at(int y) const {
        if (y < 0 || y >= height()) {
            return std::nullopt;
        }
        return static_cast<std::size_t>(std::ranges::upper_bound(m_tops, y) - m_tops.begin()) - 1;
    }
    /// The first row that reaches below that height; count() behind the last.
    [[nodiscard]] std::size_t firstBelow(int y) const {
        return y < 0 ? 0 : at(y).value_or(count());
    }

private:
    std::vector<int> m_tops{0};
};

}  // namespace kinetoscope::job
