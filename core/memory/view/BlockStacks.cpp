// SPDX-License-Identifier: Apache-2.0
#include "core/memory/view/BlockStacks.h"

#include <algorithm>
#include <utility>

#include "core/base/Threads.h"

namespace kinetoscope::memory::view {

namespace {

constexpr std::uint32_t kGroup = 256;

// The time at which a column begins; the last one ends where one more would begin.
TimeNs columnStart(const Area& area, int column) {
    const double share = static_cast<double>(column) / static_cast<double>(area.columns);
    return area.time.start + static_cast<TimeNs>(share * static_cast<double>(area.time.duration()));
}

}  // namespace

BlockStacks::BlockStacks(std::shared_ptr<const Device> device)
    : m_device(std::move(device)),
      m_moments(static_cast<Moment>(m_device->allocated.size())),
      m_height(std::max<std::int64_t>({1, m_device->allocatedBefore, m_device->reservedBefore})) {
    const std::vector<Block>& blocks = m_device->blocks;
    m_begin.reserve(blocks.size());
    m_end.reserve(blocks.size());
    m_bytes.reserve(blocks.size());
    m_untold = m_device->allocatedBefore;
    for (const Block& block : blocks) {
        m_begin.push_back(block.from == kBefore ? 0 : block.from + 1);
        m_end.push_back(block.to == kNever ? m_moments + 1 : block.to + 1);
        m_bytes.push_back(block.bytes);
        m_untold = addBytes(m_untold, block.from == kBefore ? -block.bytes : 0);
    }
    m_untold = std::max<std::int64_t>(m_untold, 0);
    for (std::size_t i = 0; i < m_end.size(); i += kGroup) {
        const auto last = m_end.begin() + static_cast<std::ptrdiff_t>(
                                              std::min<std::size_t>(i + kGroup, m_end.size()));
        m_lastEnd.push_back(
            *std::max_element(m_end.begin() + static_cast<std::ptrdiff_t>(i), last));
    }
    for (Moment first = 0; first <= m_moments; first += kGroup) {
        Moment peak = first;
        for (Moment at = first; at < first + kGroup && at <= m_moments; ++at) {
            peak = allocatedAt(at) > allocatedAt(peak) ? at : peak;
        }
        m_peaks.push_back(peak);
        m_height = std::max(m_height, allocatedAt(peak));
    }
    for (const Usage& usage : m_device->reserved) {
        m_height = std::max(m_height, usage.bytes);
    }
    TimeNs first = std::numeric_limits<TimeNs>::max();
    TimeNs last = std::numeric_limits<TimeNs>::min();
    for (const auto* const usages : {&m_device->allocated, &m_device->reserved}) {
        if (!usages->empty()) {
            first = std::min(first, usages->front().time);
            last = std::max(last, usages->back().time);
        }
    }
    if (first <= last) {
        m_extent = {first, last + 1};
    }
}

Moment BlockStacks::momentAt(TimeNs time) const {
    return static_cast<Moment>(
        std::ranges::upper_bound(m_device->allocated, time, {}, &Usage::time) -
        m_device->allocated.begin());
}

TimeNs BlockStacks::timeOf(Moment moment) const {
    return moment == 0 ? m_extent.start : m_device->allocated[moment - 1].time;
}

std::int64_t BlockStacks::allocatedAt(Moment moment) const {
    return moment == 0 ? m_device->allocatedBefore : m_device->allocated[moment - 1].bytes;
}

Moment BlockStacks::largest(Moment first, Moment last) const {
    Moment best = first;
    const auto look = [&](Moment at) { best = allocatedAt(at) > allocatedAt(best) ? at : best; };
    Moment at = first;
    while (at <= last) {
        if (at % kGroup == 0 && last - at >= kGroup) {
            look(m_peaks[at / kGroup]);
            at += kGroup;
        } else {
            look(at);
            ++at;
        }
    }
    return best;
}

std::int64_t BlockStacks::mostReserved(TimeSpan time) const {
    const std::vector<Usage>& reserved = m_device->reserved;
    auto at = std::ranges::upper_bound(reserved, time.start, {}, &Usage::time);
    std::int64_t most = at == reserved.begin() ? m_device->reservedBefore : std::prev(at)->bytes;
    for (; at != reserved.end() && at->time < time.end; ++at) {
        most = std::max(most, at->bytes);
    }
    return most;
}

std::int64_t BlockStacks::offsetAt(std::uint32_t block, Moment moment) const {
    std::int64_t offset = m_untold;
    for (const std::uint32_t below : aliveAt(moment)) {
        if (below >= block) {
            break;
        }
        offset = addBytes(offset, m_bytes[below]);
    }
    return offset;
}

// Blocks from `from` on that are alive at the moment.
void BlockStacks::addNewcomers(std::uint32_t from, Moment moment,
                               std::vector<std::uint32_t>& alive) const {
    const auto last =
        static_cast<std::uint32_t>(std::ranges::upper_bound(m_begin, moment) - m_begin.begin());
    for (std::uint32_t at = from; at < last;) {
        if (at % kGroup == 0 && m_lastEnd[at / kGroup] <= moment) {
            at += kGroup;
            continue;
        }
        if (m_end[at] > moment) {
            alive.push_back(at);
        }
        ++at;
    }
}

std::vector<std::uint32_t> BlockStacks::aliveAt(Moment moment) const {
    std::vector<std::uint32_t> alive;
    addNewcomers(0, moment, alive);
    return alive;
}

/// Draws the columns one after the other.
class BlockStacks::Columns {
public:
    Columns(const BlockStacks& stacks, BlockPicture& picture)
        : m_stacks(stacks), m_picture(picture) {
        const Area& area = picture.area;
        const double height = static_cast<double>(area.top - area.bottom) / area.rows;
        for (int row = 0; row < area.rows; ++row) {
            m_middles.push_back(area.bottom + static_cast<std::int64_t>((row + 0.5) * height));
        }
        picture.cells.assign(
            static_cast<std::size_t>(area.columns) * static_cast<std::size_t>(area.rows), kNothing);
    }

    void draw(int column, Moment moment) {
        const auto rows = m_middles.size();
        std::uint32_t* const cells =
            m_picture.cells.data() + static_cast<std::size_t>(column) * rows;
        if (column > 0 && moment == m_moment) {
            std::copy_n(cells - rows, rows, cells);
            return;
        }
        follow(moment);
        fill(cells);
    }

private:
    void follow(Moment moment) {
        std::erase_if(m_alive,
                      [&](std::uint32_t block) { return m_stacks.m_end[block] <= moment; });
        m_stacks.addNewcomers(m_seen, moment, m_alive);
        m_seen = static_cast<std::uint32_t>(std::ranges::upper_bound(m_stacks.m_begin, moment) -
                                            m_stacks.m_begin.begin());
        m_moment = moment;
    }

    void fill(std::uint32_t* cells) const {
        std::size_t row = 0;
        std::int64_t end = m_stacks.m_untold;
        const auto fillTo = [&](std::uint32_t block) {
            for (; row < m_middles.size() && m_middles[row] < end; ++row) {
                cells[row] = block;
            }
        };
        fillTo(kUntold);
        for (const std::uint32_t block : m_alive) {
            end = addBytes(end, m_stacks.m_bytes[block]);
            if (row == m_middles.size()) {
                return;
            }
            fillTo(block);
        }
    }

    const BlockStacks& m_stacks;
    BlockPicture& m_picture;
    std::vector<std::int64_t> m_middles;  // of the rows
    std::vector<std::uint32_t> m_alive;
    std::uint32_t m_seen = 0;  // blocks that had started
    Moment m_moment = 0;
};

BlockPicture BlockStacks::draw(const Area& area, const std::stop_token& stop) const {
    BlockPicture picture;
    picture.area = area;
    if (area.columns <= 0 || area.rows <= 0 || area.top <= area.bottom || area.time.empty()) {
        return picture;
    }
    Columns columns(*this, picture);
    Moment first = momentAt(area.time.start - 1);  // what the first column begins with
    for (int column = 0; column < area.columns; ++column) {
        throwIfStopped(stop);
        const TimeSpan time{columnStart(area, column), columnStart(area, column + 1)};
        const Moment next = std::max(first, momentAt(time.end - 1));
        const Moment shown = largest(first, next);
        picture.moments.push_back(shown);
        picture.allocated.push_back(allocatedAt(shown));
        picture.reserved.push_back(mostReserved(time));
        columns.draw(column, shown);
        first = next;
    }
    return picture;
}

}  // namespace kinetoscope::memory::view
