// SPDX-License-Identifier: Apache-2.0
#include "core/convert/Lanes.h"

#include <algorithm>

namespace kinetoscope::convert {

std::size_t Lanes::begin(TimeNs end) {
    if (m_until[1] < end) {
        addLeaves();
    }
    std::size_t node = 1;
    while (node < leaves()) {
        node = m_until[2 * node] >= end ? 2 * node : 2 * node + 1;
    }
    const std::size_t lane = node - leaves();
    if (lane == m_open.size()) {
        m_open.emplace_back();
    }
    m_open[lane].push_back(end);
    m_ends.emplace(end, lane);
    update(lane);
    return lane;
}

void Lanes::update(std::size_t lane) {
    std::size_t node = leaves() + lane;
    m_until[node] = m_open[lane].empty() ? kForever : m_open[lane].back();
    for (node /= 2; node > 0; node /= 2) {
        m_until[node] = std::max(m_until[2 * node], m_until[2 * node + 1]);
    }
}

void Lanes::addLeaves() {
    m_until.assign(2 * m_until.size(), kForever);
    for (std::size_t lane = 0; lane < m_open.size(); ++lane) {
        update(lane);
    }
}

}  // namespace kinetoscope::convert
