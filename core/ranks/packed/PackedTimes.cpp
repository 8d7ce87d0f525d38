// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/packed/PackedTimes.h"

#include <algorithm>

namespace kinetoscope::ranks::packed {

void PackedTimes::append(TimeNs time) {
    if (m_size % kBlock == 0) {
        m_blocks.push_back({time, m_bytes.size()});
    } else {
        putVarint(m_bytes, static_cast<std::uint64_t>(time - m_last));
    }
    m_last = time;
    ++m_size;
}

TimeNs PackedTimes::at(std::size_t row) const {
    const Block& block = m_blocks[row / kBlock];
    const char* at = m_bytes.data() + block.offset;
    TimeNs time = block.first;
    for (std::size_t i = row % kBlock; i > 0; --i) {
        time += static_cast<TimeNs>(nextVarint(at));
    }
    return time;
}

std::size_t PackedTimes::countUpTo(TimeNs time) const {
    const auto next = std::ranges::upper_bound(m_blocks, time, {}, &Block::first);
    if (next == m_blocks.begin()) {
        return 0;
    }
    const auto block = static_cast<std::size_t>(next - m_blocks.begin()) - 1;
    const std::size_t end = std::min(m_size, (block + 1) * kBlock);
    const char* at = m_bytes.data() + m_blocks[block].offset;
    TimeNs own = m_blocks[block].first;
    std::size_t row = block * kBlock + 1;
    for (; row < end; ++row) {
        own += static_cast<TimeNs>(nextVarint(at));
        if (own > time) {
            break;
        }
    }
    return row;
}

}  // namespace kinetoscope::ranks::packed
