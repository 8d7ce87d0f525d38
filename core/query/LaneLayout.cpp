// SPDX-License-Identifier: Apache-2.0
#include "core/query/LaneLayout.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>

#include "core/query/LanePacker.h"
#include "core/query/SortRuns.h"

namespace kinetoscope {

namespace {

// GPU activities run beside each other; everything else contains what lies inside it.
bool isParent(Category category) {
    return !isGpuOperation(category) && category != Category::CudaSync &&
           category != Category::CudaEvent;
}

std::uint32_t nearOrFar(TimeNs time) {
    return static_cast<std::uint32_t>(std::min<TimeNs>(time, LaneTime::kFar));
}

}  // namespace

LaneIndex::LaneIndex(std::shared_ptr<const Trace> trace)
    : m_trace(std::move(trace)),
      m_trackBegin(m_trace->tracks().size() + 1),
      m_slices(m_trace->sliceCount()),
      m_times(m_trace->sliceCount()),
      m_tracks(m_trace->tracks().size()) {
    const auto tracks = m_trace->trackIds();
    for (const TrackId track : tracks) {
        ++m_trackBegin[track + 1];
    }
    for (std::size_t track = 1; track < m_trackBegin.size(); ++track) {
        m_trackBegin[track] += m_trackBegin[track - 1];
    }
    std::vector<std::uint32_t> next(m_trackBegin.begin(), m_trackBegin.end() - 1);
    for (SliceId slice = 0; slice < tracks.size(); ++slice) {
        m_slices[next[tracks[slice]]++] = slice;
    }
}

std::size_t LaneIndex::laneCount(TrackId track) {
    return ready(track).lanes.size();
}

Lane LaneIndex::lane(TrackId track, std::size_t lane) {
    return viewOf(ready(track), lane);
}

std::optional<SliceId> LaneIndex::anySlice(TrackId track) const {
    return sliceCount(track) == 0 ? std::nullopt : std::optional(m_slices[m_trackBegin[track]]);
}

LanePlace LaneIndex::placeOf(SliceId slice) {
    const TrackId track = m_trace->trackOf(slice);
    const TrackLanes& lanes = ready(track);
    const TimeNs start = m_trace->start(slice);
    for (std::size_t at = 0; at < lanes.lanes.size(); ++at) {
        const auto slices = viewOf(lanes, at).slices;
        auto found = std::ranges::lower_bound(
            slices, start, {}, [this](SliceId other) { return m_trace->start(other); });
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
    std::atomic<TrackId> next{0};
    const auto work = [this, &next] {
        for (TrackId track = next++; track < m_tracks.size(); track = next++) {
            ready(track);
        }
    };
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads; ++i) {
        others.emplace_back(work);
    }
    work();
}

const LaneIndex::TrackLanes& LaneIndex::ready(TrackId track) {
    TrackLanes& lanes = m_tracks[track];
    if (!lanes.ready) {
        layOut(track);
        makeBlocks(lanes);
        lanes.ready = true;
    }
    return lanes;
}

void LaneIndex::layOut(TrackId track) {
    const std::uint32_t begin = m_trackBegin[track];
    const std::span<SliceId> slices(m_slices.data() + begin, sliceCount(track));
    const Trace& trace = *m_trace;
    sortRuns(slices, [&trace](SliceId a, SliceId b) {
        const TimeNs startA = trace.start(a);
        const TimeNs startB = trace.start(b);
        if (startA != startB) {
            return startA < startB;
        }
        return trace.duration(a) != trace.duration(b) ? trace.duration(a) > trace.duration(b)
                                                      : a < b;
    });
    LanePacker packer;
    std::vector<std::uint32_t> laneOf(slices.size());
    std::vector<LaneRange>& lanes = m_tracks[track].lanes;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        laneOf[i] = packer.place(trace.span(slices[i]), isParent(trace.category(slices[i])));
        lanes.resize(packer.laneCount());
        ++lanes[laneOf[i]].end;
    }
    std::uint32_t at = begin;
    for (LaneRange& lane : lanes) {
        lane.begin = at;
        at += lane.end;
        lane.end = lane.begin;
    }
    const std::vector<SliceId> sorted(slices.begin(), slices.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        m_slices[lanes[laneOf[i]].end++] = sorted[i];
    }
}

void LaneIndex::makeBlocks(TrackLanes& lanes) {
    for (LaneRange& lane : lanes.lanes) {
        lane.blocksBegin = static_cast<std::uint32_t>(lanes.blocks.size());
        TimeNs busy = 0;
        for (std::uint32_t at = lane.begin; at < lane.end; at += LaneBlock::kSlices) {
            const std::uint32_t end =
                std::min(lane.end, at + static_cast<std::uint32_t>(LaneBlock::kSlices));
            lanes.blocks.push_back(makeBlock(at, end, busy));
        }
    }
    lanes.blocks.shrink_to_fit();
}

LaneBlock LaneIndex::makeBlock(std::uint32_t begin, std::uint32_t end, TimeNs& busy) {
    LaneBlock block{.start = m_trace->start(m_slices[begin]), .busyBefore = busy};
    TimeNs longest = -1;
    for (std::uint32_t at = begin; at < end; ++at) {
        const SliceId slice = m_slices[at];
        const TimeNs duration = m_trace->duration(slice);
        m_times[at] = {nearOrFar(m_trace->start(slice) - block.start), nearOrFar(duration)};
        busy += duration;
        if (duration > longest) {
            longest = duration;
            block.longest = slice;
        }
    }
    block.longestNs = nearOrFar(longest);
    block.longestName = m_trace->nameId(block.longest);
    block.longestCategory = m_trace->categoryId(block.longest);
    return block;
}

Lane LaneIndex::viewOf(const TrackLanes& lanes, std::size_t lane) const {
    const LaneRange& range = lanes.lanes[lane];
    const std::size_t size = range.end - range.begin;
    const std::size_t blocks = (size + LaneBlock::kSlices - 1) / LaneBlock::kSlices;
    return {{m_slices.data() + range.begin, size},
            {m_times.data() + range.begin, size},
            {lanes.blocks.data() + range.blocksBegin, blocks}};
}

}  // namespace kinetoscope
