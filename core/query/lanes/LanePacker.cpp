// SPDX-License-Identifier: Apache-2.0
#include "core/query/lanes/LanePacker.h"

#include <algorithm>
#include <limits>

namespace kinetoscope::query {

namespace {

constexpr TimeNs kNever = std::numeric_limits<TimeNs>::min();
constexpr std::uint32_t kFirstCapacity = 8;
// So few lanes are looked at one by one: most tracks have no more, and keeping trees costs them
// more than asking does.
constexpr std::uint32_t kScanned = 16;

}  // namespace

LanePacker::LanePacker()
    : m_capacity(kFirstCapacity),
      m_end(2 * kFirstCapacity, kNever),
      m_parentEnd(2 * kFirstCapacity, kNever) {}

std::uint32_t LanePacker::place(TimeSpan span, bool parent) {
    while (m_open > 0 && m_end[m_capacity + m_open - 1] <= span.start) {
        --m_open;
    }
    std::uint32_t lane = m_open;
    // A span without length must begin before its parent's end, hence the + 1.
    const TimeNs reach = std::max(span.end, span.start + 1);
    if (m_open > 0 && m_parentEnd[m_capacity + m_open - 1] < reach) {
        lane = firstFree(static_cast<std::uint32_t>(lastContaining(reach) + 1), span.start);
    }
    if (lane == m_capacity) {
        grow();
    }
    set(lane, span.end, parent ? span.end : kNever);
    m_lanes = std::max(m_lanes, lane + 1);
    m_open = std::max(m_open, lane + 1);
    return lane;
}

void LanePacker::grow() {
    const std::uint32_t old = m_capacity;
    std::vector<TimeNs> ends(m_end.begin() + old, m_end.end());
    std::vector<TimeNs> parents(m_parentEnd.begin() + old, m_parentEnd.end());
    m_capacity *= 2;
    m_end.assign(2 * std::size_t{m_capacity}, kNever);
    m_parentEnd.assign(2 * std::size_t{m_capacity}, kNever);
    for (std::uint32_t lane = 0; lane < old; ++lane) {
        set(lane, ends[lane], parents[lane]);
    }
}

void LanePacker::set(std::uint32_t lane, TimeNs end, TimeNs parentEnd) {
    std::size_t node = m_capacity + lane;
    m_end[node] = end;
    m_parentEnd[node] = parentEnd;
    if (m_capacity <= kScanned) {
        return;
    }
    for (node /= 2; node > 0; node /= 2) {
        m_end[node] = std::min(m_end[2 * node], m_end[2 * node + 1]);
        m_parentEnd[node] = std::max(m_parentEnd[2 * node], m_parentEnd[2 * node + 1]);
    }
}

std::int64_t LanePacker::lastContaining(TimeNs end) const {
    if (m_capacity <= kScanned) {
        std::int64_t lane = m_open;
        while (--lane >= 0 && m_parentEnd[m_capacity + static_cast<std::size_t>(lane)] < end) {
        }
        return lane;
    }
    if (m_parentEnd[1] < end) {
        return -1;
    }
    std::size_t node = 1;
    while (node < m_capacity) {
        node = m_parentEnd[2 * node + 1] >= end ? 2 * node + 1 : 2 * node;
    }
    return static_cast<std::int64_t>(node - m_capacity);
}

std::uint32_t LanePacker::firstFree(std::uint32_t from, TimeNs start) const {
    if (from >= m_capacity) {
        return m_capacity;
    }
    if (m_capacity <= kScanned) {
        std::uint32_t lane = from;
        while (lane < m_capacity && m_end[m_capacity + lane] > start) {
            ++lane;
        }
        return lane;
    }
    std::size_t node = m_capacity + from;
    while (m_end[node] > start) {
        // Up while this is a right child, then over to the right sibling: the next range of lanes.
        while (node % 2 == 1) {
            node /= 2;
        }
        if (node == 0) {
            return m_capacity;
        }
        ++node;
    }
    while (node < m_capacity) {
        node = m_end[2 * node] <= start ? 2 * node : 2 * node + 1;
    }
    return static_cast<std::uint32_t>(node - m_capacity);
}

}  // namespace kinetoscope::query
