// SPDX-License-Identifier: Apache-2.0
#include "core/query/SlicesInView.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kinetoscope::query {

namespace {

// A column of so many whole blocks may begin and end between blocks: less than a quarter of its
// slices are then drawn one column beside their place, and no slice needs to be looked at.
constexpr std::uint32_t kBlocksToCut = 4;
constexpr auto kBlockSlices = static_cast<std::uint32_t>(LaneBlock::kSlices);

constexpr NameId kUnnamed = std::numeric_limits<NameId>::max();

/// Longest slice, number and sum of durations of some neighbours on a lane.
struct Fold {
    trace::SliceId longest = trace::kNoSlice;
    TimeNs longestNs = -1;
    std::size_t longestBlock = kNoBlock;  ///< the block that knows about `longest`, if one does
    TimeNs busy = 0;
    std::uint32_t count = 0;

    static constexpr std::size_t kNoBlock = std::numeric_limits<std::size_t>::max();

    void add(trace::SliceId slice, TimeNs duration) {
        if (duration > longestNs) {
            longest = slice;
            longestNs = duration;
            longestBlock = kNoBlock;
        }
        busy += duration;
        ++count;
    }
    void addBlock(std::size_t index, const LaneBlock& block, TimeNs longestOfBlock, TimeNs sum) {
        if (longestOfBlock > longestNs) {
            longest = block.longest;
            longestNs = longestOfBlock;
            longestBlock = index;
        }
        busy += sum;
        count += kBlockSlices;
    }
};

class ViewFolder {
public:
    ViewFolder(const trace::Trace& trace, const Lane& lane, TimeSpan view, std::int32_t columns)
        : m_trace(trace),
          m_lane(lane),
          m_view(view),
          m_columns(columns),
          m_size(static_cast<std::uint32_t>(lane.slices.size())),
          m_nsPerColumn(static_cast<double>(view.duration()) / columns) {}

    std::vector<ViewItem> run() {
        m_items.reserve(
            std::min<std::size_t>(m_lane.slices.size(), static_cast<std::size_t>(m_columns)));
        std::uint32_t at = firstNotBefore(m_trace, m_lane, m_view.start);
        while (at < m_size && startAt(at) < m_view.end) {
            if (isWide(at)) {
                addWide(at++);
            } else {
                at = addNarrow(at);
            }
        }
        nameOthers();
        return std::move(m_items);
    }

private:
    [[nodiscard]] TimeNs startAt(std::uint32_t at) const {
        const std::uint32_t since = m_lane.times[at].start;
        return since != LaneTime::kFar ? m_lane.blocks[at / kBlockSlices].start + since
                                       : m_trace.start(m_lane.slices[at]);
    }
    [[nodiscard]] TimeNs durationAt(std::uint32_t at) const {
        const std::uint32_t duration = m_lane.times[at].duration;
        return duration != LaneTime::kFar ? duration : m_trace.duration(m_lane.slices[at]);
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
        Fold single;
        single.add(m_lane.slices[at], span.duration());
        const std::int32_t first = std::max(round(span.start), m_nextFree);
        const std::int32_t last = round(span.end);
        if (first < last) {
            m_items.push_back({first, last, m_lane.slices[at], 1, 1.0F, {}, {}});
            nameLast(single);
            m_nextFree = last;
        } else {
            merge(single);
        }
    }

    /// All slices that begin in the column of this one up to a wide one. Returns the next position.
    std::uint32_t addNarrow(std::uint32_t at) {
        const auto column =
            std::max(m_cutColumn,
                     static_cast<std::int32_t>(std::clamp(std::floor(columnOf(startAt(at))), 0.0,
                                                          static_cast<double>(m_columns - 1))));
        const TimeNs nextColumn =
            m_view.start + static_cast<TimeNs>(std::ceil((column + 1) * m_nsPerColumn));
        const TimeNs limit = std::min(nextColumn, m_view.end);
        Fold all;
        std::uint32_t blocks = 0;
        do {
            if (at % kBlockSlices == 0) {
                const std::uint32_t before = at;
                at = takeBlocks(at, limit, all);
                blocks += (at - before) / kBlockSlices;
                if (at == m_size || blocks >= kBlocksToCut) {
                    break;
                }
            }
            if (all.count > 0 && (startAt(at) >= limit || isWide(at))) {
                break;
            }
            all.add(m_lane.slices[at], durationAt(at));
            ++at;
        } while (at < m_size);
        m_cutColumn = blocks >= kBlocksToCut && column + 1 < m_columns ? column + 1 : 0;
        addFold(column, all);
        return at;
    }

    /// Takes whole blocks that begin and end before `limit` and hold nothing wide.
    std::uint32_t takeBlocks(std::uint32_t at, TimeNs limit, Fold& all) const {
        std::size_t block = at / kBlockSlices;
        // The last block has no successor that marks its end.
        while (block + 1 < m_lane.blocks.size() && m_lane.blocks[block + 1].start < limit) {
            const LaneBlock& one = m_lane.blocks[block];
            const TimeNs longest =
                one.longestNs != LaneTime::kFar ? one.longestNs : m_trace.duration(one.longest);
            if (static_cast<double>(longest) >= m_nsPerColumn) {
                break;
            }
            all.addBlock(block, one, longest, m_lane.blocks[block + 1].busyBefore - one.busyBefore);
            ++block;
        }
        return static_cast<std::uint32_t>(block) * kBlockSlices;
    }

    void addFold(std::int32_t column, const Fold& all) {
        if (column < m_nextFree) {
            merge(all);
            return;
        }
        const double busy = static_cast<double>(all.busy) / m_nsPerColumn;
        m_items.push_back({column,
                           column + 1,
                           all.longest,
                           all.count,
                           static_cast<float>(std::min(1.0, busy)),
                           {},
                           {}});
        nameLast(all);
        m_nextFree = column + 1;
    }

    /// Remembers whether a block knows the name of the last item's slice.
    void nameLast(const Fold& fold) {
        ViewItem& item = m_items.back();
        item.name = kUnnamed;
        if (fold.longestBlock != Fold::kNoBlock) {
            item.name = m_lane.blocks[fold.longestBlock].longestName;
            item.category = m_lane.blocks[fold.longestBlock].longestCategory;
        }
    }

    /// In a pass of its own, where the processor can overlap many of these reads.
    void nameOthers() {
        for (ViewItem& item : m_items) {
            if (item.name == kUnnamed) {
                item.name = m_trace.nameId(item.slice);
                item.category = m_trace.categoryId(item.slice);
            }
        }
    }

    /// Adds slices to the last item, because it already has their columns.
    void merge(const Fold& added) {
        if (m_items.empty()) {
            m_items.push_back({0, 1, added.longest, 0, 0.0F, {}, {}});
            nameLast(added);
            m_nextFree = 1;
        }
        ViewItem& item = m_items.back();
        if (added.longestNs > m_trace.duration(item.slice)) {
            item.slice = added.longest;
            nameLast(added);
        }
        item.count += added.count;
        const double columns = item.last - item.first;
        const double busy = item.busy + static_cast<double>(added.busy) / m_nsPerColumn / columns;
        item.busy = static_cast<float>(std::min(1.0, busy));
    }

    const trace::Trace& m_trace;
    const Lane& m_lane;
    TimeSpan m_view;
    std::int32_t m_columns;
    std::uint32_t m_size;
    double m_nsPerColumn;
    std::int32_t m_nextFree = 0;
    std::int32_t m_cutColumn = 0;  ///< where slices go that begin a little before it
    std::vector<ViewItem> m_items;
};

std::optional<trace::SliceId> firstOverlapping(const trace::Trace& trace, const Lane& lane,
                                               TimeSpan span) {
    const std::uint32_t at = firstNotBefore(trace, lane, span.start);
    if (at < lane.slices.size() && span.overlaps(trace.span(lane.slices[at]))) {
        return lane.slices[at];
    }
    return std::nullopt;
}

}  // namespace

std::vector<ViewItem> slicesInView(const trace::Trace& trace, const Lane& lane, TimeSpan view,
                                   std::int32_t columns) {
    if (view.empty() || columns <= 0) {
        return {};
    }
    return ViewFolder(trace, lane, view, columns).run();
}

std::uint32_t firstNotBefore(const trace::Trace& trace, const Lane& lane, TimeNs time) {
    // The blocks are few and dense: find the last one that begins before, then look inside it.
    const auto block = std::ranges::lower_bound(lane.blocks, time, {}, &LaneBlock::start);
    const auto index = static_cast<std::size_t>(block - lane.blocks.begin());
    const std::size_t begin = (index == 0 ? 0 : index - 1) * LaneBlock::kSlices;
    const std::size_t end = std::min(index * LaneBlock::kSlices, lane.slices.size());
    const auto found = std::partition_point(
        lane.slices.begin() + static_cast<std::ptrdiff_t>(begin),
        lane.slices.begin() + static_cast<std::ptrdiff_t>(end), [&](trace::SliceId slice) {
            return trace.end(slice) <= time && trace.start(slice) < time;
        });
    return static_cast<std::uint32_t>(found - lane.slices.begin());
}

std::optional<trace::SliceId> neighbour(LaneIndex& index, trace::SliceId slice,
                                        Direction direction) {
    const LanePlace place = index.placeOf(slice);
    const auto slices = index.lane(place.track, place.lane).slices;
    if (direction == Direction::Next) {
        return place.position + 1 < slices.size() ? std::optional(slices[place.position + 1])
                                                  : std::nullopt;
    }
    return place.position > 0 ? std::optional(slices[place.position - 1]) : std::nullopt;
}

std::optional<trace::SliceId> enclosing(LaneIndex& index, trace::SliceId slice) {
    const trace::Trace& trace = index.trace();
    const TimeSpan span = trace.span(slice);
    const LanePlace place = index.placeOf(slice);
    const auto onLanes = [&](trace::TrackId track, std::size_t lanes) {
        std::optional<trace::SliceId> found;
        while (!found && lanes-- > 0) {
            found = firstOverlapping(trace, index.lane(track, lanes), {span.start, span.start + 1});
            if (found && (trace.end(*found) < span.end || *found == slice ||
                          trace.trackOf(*found) != trace.trackOf(slice))) {
                found.reset();
            }
        }
        return found;
    };
    const auto above = onLanes(place.track, place.lane);
    const auto notes = index.annotationsOf(index.processOf(place.track));
    return above || !notes || *notes == place.track ? above
                                                    : onLanes(*notes, index.laneCount(*notes));
}

std::optional<trace::SliceId> firstInside(LaneIndex& index, trace::SliceId slice) {
    const trace::Trace& trace = index.trace();
    const TimeSpan span = trace.span(slice);
    const LanePlace place = index.placeOf(slice);
    const auto onLanes = [&](trace::TrackId track, std::size_t lane) {
        std::optional<trace::SliceId> found;
        for (; !found && lane < index.laneCount(track); ++lane) {
            const Lane slices = index.lane(track, lane);
            std::size_t at = firstNotBefore(trace, slices, span.start);
            if (at < slices.slices.size() && trace.start(slices.slices[at]) < span.start) {
                ++at;
            }
            if (at < slices.slices.size() && trace.start(slices.slices[at]) < span.end &&
                trace.end(slices.slices[at]) <= span.end &&
                trace.trackOf(slices.slices[at]) == trace.trackOf(slice)) {
                found = slices.slices[at];
            }
        }
        return found;
    };
    const auto below = onLanes(place.track, place.lane + 1);
    const bool onStream = place.track == trace.trackOf(slice);
    return below || onStream ? below : onLanes(trace.trackOf(slice), 0);
}

std::optional<trace::SliceId> innermostAt(LaneIndex& index, trace::TrackId track, TimeNs time) {
    for (std::size_t lane = index.laneCount(track); lane-- > 0;) {
        if (const auto slice =
                firstOverlapping(index.trace(), index.lane(track, lane), {time, time + 1})) {
            return slice;
        }
    }
    return std::nullopt;
}

}  // namespace kinetoscope::query
