// SPDX-License-Identifier: Apache-2.0
#include "core/query/LaneLayout.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>

#include "core/base/SortRuns.h"
#include "core/base/Threads.h"
#include "core/query/LanePacker.h"

namespace kinetoscope::query {

namespace {

// GPU activities run beside each other; everything else contains what lies inside it.
bool isParent(trace::Category category) {
    return !trace::isGpuOperation(category) && category != trace::Category::CudaSync &&
           category != trace::Category::CudaEvent;
}

std::uint32_t nearOrFar(TimeNs time) {
    return static_cast<std::uint32_t>(std::min<TimeNs>(time, LaneTime::kFar));
}

}  // namespace

// Sorting and packing stay in one piece of memory.
struct LaneIndex::Placed {
    TimeNs start;
    TimeNs duration;
    trace::SliceId slice;
    std::uint32_t lane : 31;
    std::uint32_t parent : 1;
};

struct LaneIndex::Filling {
    std::uint32_t next = 0;      ///< place in m_slices
    std::uint32_t position = 0;  ///< on the lane
    TimeNs busy = 0;             ///< sum of the durations so far
    TimeNs longest = 0;          ///< of the slices of this block
};

LaneIndex::LaneIndex(std::shared_ptr<const trace::Trace> trace)
    : m_trace(std::move(trace)),
      m_trackBegin(m_trace->tracks().size() + 1),
      // Not cleared: their pages are first touched by the threads that fill them.
      m_slices(std::make_unique_for_overwrite<trace::SliceId[]>(m_trace->sliceCount())),
      m_times(std::make_unique_for_overwrite<LaneTime[]>(m_trace->sliceCount())),
      m_tracks(m_trace->tracks().size()) {
    const auto tracks = m_trace->trackIds();
    for (const trace::TrackId track : tracks) {
        ++m_trackBegin[track + 1];
    }
    for (std::size_t track = 1; track < m_trackBegin.size(); ++track) {
        m_trackBegin[track] += m_trackBegin[track - 1];
    }
    std::vector<std::uint32_t> next(m_trackBegin.begin(), m_trackBegin.end() - 1);
    for (trace::SliceId slice = 0; slice < tracks.size(); ++slice) {
        m_slices[next[tracks[slice]]++] = slice;
    }
}

std::size_t LaneIndex::laneCount(trace::TrackId track) {
    return ready(track).lanes.size();
}

Lane LaneIndex::lane(trace::TrackId track, std::size_t lane) {
    return viewOf(ready(track), lane);
}

std::optional<trace::SliceId> LaneIndex::anySlice(trace::TrackId track) const {
    return sliceCount(track) == 0 ? std::nullopt : std::optional(m_slices[m_trackBegin[track]]);
}

LanePlace LaneIndex::placeOf(trace::SliceId slice) {
    const trace::TrackId track = m_trace->trackOf(slice);
    const TrackLanes& lanes = ready(track);
    const TimeNs start = m_trace->start(slice);
    for (std::size_t at = 0; at < lanes.lanes.size(); ++at) {
        const auto slices = viewOf(lanes, at).slices;
        auto found = std::ranges::lower_bound(
            slices, start, {}, [this](trace::SliceId other) { return m_trace->start(other); });
        for (; found != slices.end() && m_trace->start(*found) == start; ++found) {
            if (*found == slice) {
                return {track, static_cast<std::uint32_t>(at),
                        static_cast<std::uint32_t>(found - slices.begin())};
            }
        }
    }
    return {track, 0, 0};
}

void LaneIndex::layOutAll(unsigned threads) {
    std::vector<trace::TrackId> order(m_tracks.size());
    std::iota(order.begin(), order.end(), trace::TrackId{0});
    std::ranges::stable_sort(order, std::greater{},
                             [this](trace::TrackId track) { return sliceCount(track); });
    std::atomic<std::size_t> next{0};
    const auto work = [this, &order, &next] {
        for (std::size_t at = next++; at < order.size(); at = next++) {
            ready(order[at]);
        }
    };
    runOnThreads(threads, work);
}

const LaneIndex::TrackLanes& LaneIndex::ready(trace::TrackId track) {
    TrackLanes& lanes = m_tracks[track];
    if (!lanes.ready) {
        layOut(track);
        lanes.ready = true;
    }
    return lanes;
}

std::vector<LaneIndex::Placed> LaneIndex::sortedSlices(trace::TrackId track) const {
    const trace::Trace& trace = *m_trace;
    std::vector<Placed> slices;
    slices.reserve(sliceCount(track));
    for (std::uint32_t at = m_trackBegin[track]; at < m_trackBegin[track + 1]; ++at) {
        const trace::SliceId slice = m_slices[at];
        slices.push_back({trace.start(slice), trace.duration(slice), slice, 0,
                          isParent(trace.category(slice)) ? 1U : 0U});
    }
    sortRuns(std::span(slices), [](const Placed& a, const Placed& b) {
        if (a.start != b.start) {
            return a.start < b.start;
        }
        return a.duration != b.duration ? a.duration > b.duration : a.slice < b.slice;
    });
    return slices;
}

void LaneIndex::layOut(trace::TrackId track) {
    std::vector<Placed> slices = sortedSlices(track);
    LanePacker packer;
    TrackLanes& lanes = m_tracks[track];
    for (Placed& placed : slices) {
        const std::uint32_t lane =
            packer.place({placed.start, placed.start + placed.duration}, placed.parent != 0);
        placed.lane = lane & 0x7fffffffU;
        lanes.lanes.resize(packer.laneCount());
        ++lanes.lanes[lane].end;
    }
    store(slices, m_trackBegin[track], lanes);
}

void LaneIndex::store(const std::vector<Placed>& slices, std::uint32_t begin, TrackLanes& lanes) {
    std::vector<Filling> filling(lanes.lanes.size());
    std::size_t blocks = 0;
    for (std::size_t at = 0; at < filling.size(); ++at) {
        LaneRange& lane = lanes.lanes[at];
        const std::uint32_t size = lane.end;
        lane = {begin, begin + size, static_cast<std::uint32_t>(blocks)};
        filling[at].next = begin;
        begin += size;
        blocks += (size + LaneBlock::kSlices - 1) / LaneBlock::kSlices;
    }
    lanes.blocks.resize(blocks);
    for (const Placed& placed : slices) {
        append(placed, filling[placed.lane],
               lanes.blocks.data() + lanes.lanes[placed.lane].blocksBegin);
    }
    describeBlocks(lanes.blocks);
}

void LaneIndex::append(const Placed& placed, Filling& lane, LaneBlock* blocks) {
    LaneBlock& block = blocks[lane.position / LaneBlock::kSlices];
    if (lane.position % LaneBlock::kSlices == 0) {
        block.start = placed.start;
        block.busyBefore = lane.busy;
        lane.longest = -1;
    }
    if (placed.duration > lane.longest) {
        lane.longest = placed.duration;
        block.longest = placed.slice;
    }
    m_slices[lane.next] = placed.slice;
    m_times[lane.next] = {nearOrFar(placed.start - block.start), nearOrFar(placed.duration)};
    lane.busy += placed.duration;
    ++lane.next;
    ++lane.position;
}

void LaneIndex::describeBlocks(std::vector<LaneBlock>& blocks) const {
    for (LaneBlock& block : blocks) {
        block.longestNs = nearOrFar(m_trace->duration(block.longest));
        block.longestName = m_trace->nameId(block.longest);
        block.longestCategory = m_trace->categoryId(block.longest);
    }
}

Lane LaneIndex::viewOf(const TrackLanes& lanes, std::size_t lane) const {
    const LaneRange& range = lanes.lanes[lane];
    const std::size_t size = range.end - range.begin;
    const std::size_t blocks = (size + LaneBlock::kSlices - 1) / LaneBlock::kSlices;
    return {{m_slices.get() + range.begin, size},
            {m_times.get() + range.begin, size},
            {lanes.blocks.data() + range.blocksBegin, blocks}};
}

}  // namespace kinetoscope::query
