// SPDX-License-Identifier: Apache-2.0
#include "core/query/LaneLayout.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>

#include "core/base/SortRuns.h"
#include "core/base/Threads.h"

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

struct LaneIndex::Filling {
    std::uint32_t next = 0;      ///< place in m_slices
    std::uint32_t position = 0;  ///< on the lane
    TimeNs busy = 0;             ///< sum of the durations so far
    TimeNs longest = 0;          ///< of the slices of this block
};

LaneIndex::LaneIndex(std::shared_ptr<const trace::Trace> trace)
    : m_trace(std::move(trace)),
      // Not cleared: their pages are first touched by the threads that fill them.
      m_slices(std::make_unique_for_overwrite<trace::SliceId[]>(m_trace->sliceCount())),
      m_times(std::make_unique_for_overwrite<LaneTime[]>(m_trace->sliceCount())) {
    findAnnotations();
    const std::size_t tracks = m_trace->tracks().size() + m_annotated.size();
    m_tracks.resize(tracks);
    m_trackBegin.resize(tracks + 1);
    const auto slices = static_cast<trace::SliceId>(m_trace->sliceCount());
    for (trace::SliceId slice = 0; slice < slices; ++slice) {
        ++m_trackBegin[trackOf(slice) + 1];
    }
    for (std::size_t track = 1; track < m_trackBegin.size(); ++track) {
        m_trackBegin[track] += m_trackBegin[track - 1];
    }
    std::vector<std::uint32_t> next(m_trackBegin.begin(), m_trackBegin.end() - 1);
    for (trace::SliceId slice = 0; slice < slices; ++slice) {
        m_slices[next[trackOf(slice)]++] = slice;
    }
}

void LaneIndex::findAnnotations() {
    constexpr auto kKind = static_cast<trace::CategoryId>(trace::Category::GpuUserAnnotation);
    const auto categories = m_trace->categoryIds();
    std::vector<bool> found(m_trace->processes().size());
    auto at = std::ranges::find(categories, kKind);
    for (; at != categories.end(); at = std::find(at + 1, categories.end(), kKind)) {
        const auto slice = static_cast<trace::SliceId>(at - categories.begin());
        found[m_trace->tracks()[m_trace->trackOf(slice)].process] = true;
    }
    for (std::uint32_t process = 0; process < found.size(); ++process) {
        if (found[process]) {
            m_annotations.resize(found.size());
            m_annotations[process] =
                static_cast<trace::TrackId>(m_trace->tracks().size() + m_annotated.size());
            m_annotated.push_back(process);
        }
    }
}

std::uint32_t LaneIndex::processOf(trace::TrackId track) const {
    const std::size_t own = m_trace->tracks().size();
    return track < own ? m_trace->tracks()[track].process : m_annotated[track - own];
}

std::optional<trace::TrackId> LaneIndex::annotationsOf(std::uint32_t process) const {
    return std::ranges::binary_search(m_annotated, process) ? std::optional(m_annotations[process])
                                                            : std::nullopt;
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
    const trace::TrackId track = trackOf(slice);
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
    TrackLanes& lanes = m_tracks[track];
    lanes.lanes.resize(packLanes(slices));
    for (const Placed& placed : slices) {
        ++lanes.lanes[placed.lane].end;
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
