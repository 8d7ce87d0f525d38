// SPDX-License-Identifier: Apache-2.0
#include "core/query/SlicesInView.h"

#include <algorithm>
#include <cmath>

namespace kinetoscope {

namespace {

/// Longest slice and sum of durations of some neighbours on a lane.
struct Fold {
    SliceId longest = kNoSlice;
    TimeNs longestNs = -1;
    TimeNs busy = 0;
};

class ViewFolder {
public:
    ViewFolder(const Trace& trace, const Lane& lane, TimeSpan view, std::int32_t columns)
        : m_trace(trace),
          m_lane(lane),
          m_view(view),
          m_columns(columns),
          m_size(static_cast<std::uint32_t>(lane.slices.size())),
          m_nsPerColumn(static_cast<double>(view.duration()) / columns) {}

    std::vector<ViewItem> run() {
        std::uint32_t at = firstNotBefore(m_trace, m_lane, m_view.start);
        while (at < m_size && startAt(at) < m_view.end) {
            if (isWide(at)) {
                addWide(at++);
            } else {
                at = addNarrow(at);
            }
        }
        return std::move(m_items);
    }

private:
    [[nodiscard]] TimeNs startAt(std::uint32_t at) const {
        return m_trace.start(m_lane.slices[at]);
    }
    [[nodiscard]] TimeNs durationAt(std::uint32_t at) const {
        return m_trace.duration(m_lane.slices[at]);
    }
    [[nodiscard]] bool isWide(std::uint32_t at) const {
        const TimeNs duration = durationAt(at);
        return duration > 0 && static_cast<double>(duration) >= m_nsPerColumn;
    }
    [[nodiscard]] double columnOf(TimeNs time) const {
        return static_cast<double>(time - m_view.start) / m_nsPerColumn;
    }

    void addWide(std::uint32_t at) {
        const TimeSpan span = m_trace.span(m_lane.slices[at]);
        const auto round = [this](TimeNs time) {
            return static_cast<std::int32_t>(
                std::clamp(std::round(columnOf(time)), 0.0, static_cast<double>(m_columns)));
        };
        const std::int32_t first = std::max(round(span.start), m_nextFree);
        const std::int32_t last = round(span.end);
        if (first < last) {
            m_items.push_back({first, last, m_lane.slices[at], 1, 1.0F});
            m_nextFree = last;
        } else {
            merge({m_lane.slices[at], span.duration(), span.duration()}, 1);
        }
    }

    /// All slices that begin in the column of this one, but a wide last one.
    std::uint32_t addNarrow(std::uint32_t at) {
        const auto column = static_cast<std::int32_t>(
            std::clamp(std::floor(columnOf(startAt(at))), 0.0, static_cast<double>(m_columns - 1)));
        const TimeNs nextColumn =
            m_view.start + static_cast<TimeNs>(std::ceil((column + 1) * m_nsPerColumn));
        std::uint32_t end = startsFrom(std::min(nextColumn, m_view.end), at + 1);
        if (end - at > 1 && isWide(end - 1)) {
            --end;
        }
        const Fold all = fold(at, end);
        if (column < m_nextFree) {
            merge(all, end - at);
        } else {
            const double busy = static_cast<double>(all.busy) / m_nsPerColumn;
            m_items.push_back({column, column + 1, all.longest, end - at,
                               static_cast<float>(std::min(1.0, busy))});
            m_nextFree = column + 1;
        }
        return end;
    }

    /// Adds slices to the last item, because it already has their columns.
    void merge(const Fold& added, std::uint32_t count) {
        if (m_items.empty()) {
            m_items.push_back({0, 1, added.longest, 0, 0.0F});
            m_nextFree = 1;
        }
        ViewItem& item = m_items.back();
        if (added.longestNs > m_trace.duration(item.slice)) {
            item.slice = added.longest;
        }
        item.count += count;
        const double columns = item.last - item.first;
        const double busy = item.busy + static_cast<double>(added.busy) / m_nsPerColumn / columns;
        item.busy = static_cast<float>(std::min(1.0, busy));
    }

    /// First position from `from` on whose slice begins at `time` or later.
    [[nodiscard]] std::uint32_t startsFrom(TimeNs time, std::uint32_t from) const {
        std::uint32_t step = 1;
        std::uint32_t low = from;
        std::uint32_t high = from;
        while (high < m_size && startAt(high) < time) {  // gallop, the next column is near
            low = high + 1;
            high += step;
            step *= 2;
        }
        high = std::min(high, m_size);
        while (low < high) {
            const std::uint32_t middle = low + (high - low) / 2;
            if (startAt(middle) < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    [[nodiscard]] Fold fold(std::uint32_t at, std::uint32_t end) const {
        Fold result;
        const auto take = [&](std::uint32_t to) {
            for (; at < to; ++at) {
                const TimeNs duration = durationAt(at);
                result.busy += duration;
                if (duration > result.longestNs) {
                    result.longestNs = duration;
                    result.longest = m_lane.slices[at];
                }
            }
        };
        constexpr auto kSlices = static_cast<std::uint32_t>(LaneBlock::kSlices);
        const std::uint32_t firstBlock = (at + kSlices - 1) / kSlices;
        const std::uint32_t lastBlock = end / kSlices;
        if (firstBlock < lastBlock) {
            take(firstBlock * kSlices);
            for (std::uint32_t block = firstBlock; block < lastBlock; ++block) {
                if (const LaneBlock& one = m_lane.blocks[block]; one.longest > result.longestNs) {
                    result.longestNs = one.longest;
                    result.longest = m_lane.slices[one.longestAt];
                }
            }
            result.busy += busyBefore(lastBlock) - m_lane.blocks[firstBlock].busyBefore;
            at = lastBlock * kSlices;
        }
        take(end);
        return result;
    }

    /// Of a block that begins where the last one ends, too.
    [[nodiscard]] TimeNs busyBefore(std::uint32_t block) const {
        return block < m_lane.blocks.size()
                   ? m_lane.blocks[block].busyBefore
                   : m_lane.blocks[block - 1].busyBefore + blockBusy(block - 1);
    }
    [[nodiscard]] TimeNs blockBusy(std::uint32_t block) const {
        TimeNs busy = 0;
        const auto begin = block * LaneBlock::kSlices;
        for (const SliceId slice : m_lane.slices.subspan(begin, LaneBlock::kSlices)) {
            busy += m_trace.duration(slice);
        }
        return busy;
    }

    const Trace& m_trace;
    const Lane& m_lane;
    TimeSpan m_view;
    std::int32_t m_columns;
    std::uint32_t m_size;
    double m_nsPerColumn;
    std::int32_t m_nextFree = 0;
    std::vector<ViewItem> m_items;
};

std::optional<SliceId> firstOverlapping(const Trace& trace, const Lane& lane, TimeSpan span) {
    const std::uint32_t at = firstNotBefore(trace, lane, span.start);
    if (at < lane.slices.size() && span.overlaps(trace.span(lane.slices[at]))) {
        return lane.slices[at];
    }
    return std::nullopt;
}

}  // namespace

std::vector<ViewItem> slicesInView(const Trace& trace, const Lane& lane, TimeSpan view,
                                   std::int32_t columns) {
    if (view.empty() || columns <= 0) {
        return {};
    }
    return ViewFolder(trace, lane, view, columns).run();
}

std::uint32_t firstNotBefore(const Trace& trace, const Lane& lane, TimeNs time) {
    // The blocks are few and dense: find the last one that begins before, then look inside it.
    const auto block = std::ranges::lower_bound(lane.blocks, time, {}, &LaneBlock::start);
    const auto index = static_cast<std::size_t>(block - lane.blocks.begin());
    const std::size_t begin = (index == 0 ? 0 : index - 1) * LaneBlock::kSlices;
    const std::size_t end = std::min(index * LaneBlock::kSlices, lane.slices.size());
    const auto found = std::partition_point(
        lane.slices.begin() + static_cast<std::ptrdiff_t>(begin),
        lane.slices.begin() + static_cast<std::ptrdiff_t>(end),
        [&](SliceId slice) { return trace.end(slice) <= time && trace.start(slice) < time; });
    return static_cast<std::uint32_t>(found - lane.slices.begin());
}

std::optional<SliceId> neighbour(LaneIndex& index, SliceId slice, Direction direction) {
    const LanePlace place = index.placeOf(slice);
    const auto slices = index.lane(place.track, place.lane).slices;
    if (direction == Direction::Next) {
        return place.position + 1 < slices.size() ? std::optional(slices[place.position + 1])
                                                  : std::nullopt;
    }
    return place.position > 0 ? std::optional(slices[place.position - 1]) : std::nullopt;
}

std::optional<SliceId> enclosing(LaneIndex& index, SliceId slice) {
    const Trace& trace = index.trace();
    const TimeSpan span = trace.span(slice);
    const LanePlace place = index.placeOf(slice);
    for (std::uint32_t lane = place.lane; lane-- > 0;) {
        const auto outer =
            firstOverlapping(trace, index.lane(place.track, lane), {span.start, span.start + 1});
        if (outer && trace.end(*outer) >= span.end) {
            return outer;
        }
    }
    return std::nullopt;
}

std::optional<SliceId> firstInside(LaneIndex& index, SliceId slice) {
    const Trace& trace = index.trace();
    const TimeSpan span = trace.span(slice);
    const LanePlace place = index.placeOf(slice);
    for (std::size_t lane = place.lane + 1; lane < index.laneCount(place.track); ++lane) {
        const auto inner = firstOverlapping(trace, index.lane(place.track, lane), span);
        if (inner && trace.start(*inner) >= span.start && trace.end(*inner) <= span.end) {
            return inner;
        }
    }
    return std::nullopt;
}

std::optional<SliceId> innermostAt(LaneIndex& index, TrackId track, TimeNs time) {
    for (std::size_t lane = index.laneCount(track); lane-- > 0;) {
        if (const auto slice =
                firstOverlapping(index.trace(), index.lane(track, lane), {time, time + 1})) {
            return slice;
        }
    }
    return std::nullopt;
}

}  // namespace kinetoscope
