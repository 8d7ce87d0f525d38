// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/packed/WorkRuns.h"

#include <algorithm>

namespace kinetoscope::ranks::packed {

TimeNs& WorkTime::of(WorkKind kind) {
    static constexpr std::array kParts{&WorkTime::computeNs, &WorkTime::copyNs, &WorkTime::hostNs,
                                       &WorkTime::deviceNs, &WorkTime::waitNs};
    return this->*kParts[static_cast<std::size_t>(kind)];
}

void WorkTime::add(const WorkTime& more, int sign) {
    computeNs += sign * more.computeNs;
    copyNs += sign * more.copyNs;
    hostNs += sign * more.hostNs;
    deviceNs += sign * more.deviceNs;
    waitNs += sign * more.waitNs;
}

void WorkRuns::append(TimeNs begin, WorkKind kind, TimeNs ns) {
    if (m_size == 0) {
        m_begin = begin;
        m_end = begin;
    }
    if (m_size % kBlock == 0) {
        m_blocks.push_back({m_end, m_bytes.size(), m_sum});
    }
    putVarint(m_bytes,
              static_cast<std::uint64_t>(ns) << kKindBits | static_cast<std::uint64_t>(kind));
    m_sum.of(kind) += ns;
    m_end += ns;
    ++m_size;
}

std::size_t WorkRuns::blockAt(TimeNs time) const {
    const auto next = std::ranges::upper_bound(m_blocks, time, {}, &Block::start);
    return next == m_blocks.begin() ? 0 : static_cast<std::size_t>(next - m_blocks.begin()) - 1;
}

WorkTime WorkRuns::before(TimeNs time) const {
    if (m_size == 0) {
        return {};
    }
    const std::size_t row = blockAt(time);
    const Block& block = m_blocks[row];
    const char* at = m_bytes.data() + block.offset;
    WorkTime sum = block.before;
    TimeNs start = block.start;
    for (std::size_t run = row * kBlock; run < m_size && start < time; ++run) {
        const std::uint64_t value = nextVarint(at);
        const TimeNs ns = std::min(static_cast<TimeNs>(value >> kKindBits), time - start);
        sum.of(static_cast<WorkKind>(value & kKindMask)) += ns;
        start += ns;
    }
    return sum;
}

std::vector<TimeSpan> WorkRuns::spans(WorkKind kind, TimeSpan window) const {
    std::vector<TimeSpan> found;
    if (m_size == 0 || window.empty()) {
        return found;
    }
    const std::size_t row = blockAt(window.start);
    const char* at = m_bytes.data() + m_blocks[row].offset;
    TimeNs start = m_blocks[row].start;
    for (std::size_t run = row * kBlock; run < m_size && start < window.end; ++run) {
        const std::uint64_t value = nextVarint(at);
        const TimeNs end = start + static_cast<TimeNs>(value >> kKindBits);
        if (static_cast<WorkKind>(value & kKindMask) == kind && end > window.start) {
            found.push_back({start, end});
        }
        start = end;
    }
    return found;
}

std::size_t WorkRuns::mostIn(TimeSpan window) const {
    if (m_size == 0 || extent().clip(window).empty()) {
        return 0;
    }
    return std::min(m_size, (blockAt(window.end) - blockAt(window.start) + 1) * kBlock);
}

WorkTime WorkRuns::inside(TimeSpan span) const {
    if (span.duration() <= 0) {
        return {};
    }
    const TimeSpan known = extent().clip(span);
    WorkTime time;
    if (!known.empty()) {
        time = before(known.end);
        time.add(before(known.start), -1);
    }
    time.deviceNs += span.duration() - known.duration();
    return time;
}

}  // namespace kinetoscope::ranks::packed
