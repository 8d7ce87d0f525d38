// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "core/base/Time.h"

namespace kinetoscope::convert {

/// Spreads slices that come in the order of their starts over lanes, on each of which they nest.
class Lanes {
public:
    /// Calls onEnd(time, lane) for slices that end until then, on each lane the innermost first.
    template <class OnEnd>
    void endUntil(TimeNs until, OnEnd&& onEnd) {
        while (!m_ends.empty() && m_ends.top().first <= until) {
            const auto [time, lane] = m_ends.top();
            m_ends.pop();
            m_open[lane].pop_back();
            update(lane);
            onEnd(time, lane);
        }
    }
    /// The first lane on which a slice that ends then crosses no other; it may be a new one. What
    /// ends until the slice's start must have been ended.
    [[nodiscard]] std::size_t begin(TimeNs end);

private:
    static constexpr TimeNs kForever = std::numeric_limits<TimeNs>::max();
    using End = std::pair<TimeNs, std::size_t>;  // time, lane

    [[nodiscard]] std::size_t leaves() const { return m_until.size() / 2; }
    void update(std::size_t lane);
    void addLeaves();

    std::vector<std::vector<TimeNs>> m_open;  // by lane: ends of started slices, innermost last
    // A binary tree, whose leaves are the lanes, also those to come: the latest end of a slice that
    // may start below a node.
    std::vector<TimeNs> m_until{kForever, kForever};
    std::priority_queue<End, std::vector<End>, std::greater<>> m_ends;
};

}  // namespace kinetoscope::convert
