// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/query/lanes/NestedLanes.h"
#include "core/trace/Trace.h"

namespace kinetoscope::query {

/// Sixteen slices of a lane in short, so that a zoomed-out picture does not touch each of them.
struct LaneBlock {
    static constexpr std::size_t kSlices = 16;

    TimeNs start = 0;             ///< of the first slice
    TimeNs busyBefore = 0;        ///< sum of the durations of all slices before this block
    std::uint32_t longestNs = 0;  ///< duration of the longest slice, or LaneTime::kFar
    trace::SliceId longest = trace::kNoSlice;  ///< the first that long
    NameId longestName = kEmptyName;           ///< its name
    trace::CategoryId longestCategory = 0;
};

/// The time of a lane's slice, next to its neighbours: reading the trace's columns in the order of
/// a lane takes several times as long. kFar: out of range, ask the trace.
struct LaneTime {
    static constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t start;  ///< nanoseconds since the start of its block
    std::uint32_t duration;
};

/// Slices that never overlap each other, by start (so also by end). Views into a LaneIndex.
struct Lane {
    std::span<const trace::SliceId> slices;
    std::span<const LaneTime> times;  ///< of the slices
    std::span<const LaneBlock> blocks;
};

/// Where a slice is drawn.
struct LanePlace {
    trace::TrackId track = 0;  ///< of the LaneIndex
    std::uint32_t lane = 0;
    std::uint32_t position = 0;  ///< on the lane

    friend bool operator==(const LanePlace&, const LanePlace&) = default;
};

/// Puts every slice of a trace on a lane of its track and drops none. CPU slices lie below the
/// slice that contains them; slices that overlap without nesting, and GPU operations that run at
/// the same time, get lanes of their own. A track is laid out when somebody first asks for it, in
/// n log n. Not thread safe.
///
/// Annotations that the profiler copied to a GPU cover many operations of several streams: those of
/// a GPU have a track of their own, with a number behind those of the trace.
class LaneIndex {
public:
    explicit LaneIndex(std::shared_ptr<const trace::Trace> trace);

    [[nodiscard]] const trace::Trace& trace() const { return *m_trace; }
    /// Those of the trace, then one for each process that has annotations of a GPU.
    [[nodiscard]] std::size_t trackCount() const { return m_tracks.size(); }
    [[nodiscard]] std::uint32_t processOf(trace::TrackId track) const;
    /// The track for a process' annotations of a GPU, if it has any.
    [[nodiscard]] std::optional<trace::TrackId> annotationsOf(std::uint32_t process) const;
    /// Where a slice is laid out.
    [[nodiscard]] trace::TrackId trackOf(trace::SliceId slice) const {
        return m_annotated.empty() || m_trace->category(slice) != trace::Category::GpuUserAnnotation
                   ? m_trace->trackOf(slice)
                   : m_annotations[m_trace->tracks()[m_trace->trackOf(slice)].process];
    }
    /// 0 for a track without slices.
    [[nodiscard]] std::size_t laneCount(trace::TrackId track);
    [[nodiscard]] Lane lane(trace::TrackId track, std::size_t lane);
    [[nodiscard]] LanePlace placeOf(trace::SliceId slice);
    [[nodiscard]] std::size_t sliceCount(trace::TrackId track) const {
        return m_trackBegin[track + 1] - m_trackBegin[track];
    }
    /// In file order until the track is laid out; empty for a track without slices.
    [[nodiscard]] std::optional<trace::SliceId> anySlice(trace::TrackId track) const;
    /// Lays all tracks out on that many threads, the longest ones first.
    void layOutAll(unsigned threads);

private:
    struct LaneRange {
        std::uint32_t begin = 0;  ///< in m_slices
        std::uint32_t end = 0;
        std::uint32_t blocksBegin = 0;  ///< in TrackLanes::blocks
    };
    using Placed = PlacedSlice;
    struct Filling;  ///< a lane while its slices are stored
    struct TrackLanes {
        bool ready = false;
        std::vector<LaneRange> lanes;
        std::vector<LaneBlock> blocks;
    };

    void findAnnotations();
    const TrackLanes& ready(trace::TrackId track);
    void layOut(trace::TrackId track);
    [[nodiscard]] std::vector<Placed> sortedSlices(trace::TrackId track) const;
    /// Puts slices, times and blocks in the order of the lanes.
    void store(const std::vector<Placed>& slices, std::uint32_t begin, TrackLanes& lanes);
    void append(const Placed& placed, Filling& lane, LaneBlock* blocks);
    void describeBlocks(std::vector<LaneBlock>& blocks) const;
    [[nodiscard]] Lane viewOf(const TrackLanes& lanes, std::size_t lane) const;

    std::shared_ptr<const trace::Trace> m_trace;
    std::vector<std::uint32_t> m_annotated;      ///< processes that have annotations of a GPU
    std::vector<trace::TrackId> m_annotations;   ///< their tracks, by process; empty without any
    std::vector<std::uint32_t> m_trackBegin;     ///< in m_slices; one more than there are tracks
    std::unique_ptr<trace::SliceId[]> m_slices;  ///< by track, then by lane once that is laid out
    std::unique_ptr<LaneTime[]> m_times;         ///< of m_slices
    std::vector<TrackLanes> m_tracks;
};

}  // namespace kinetoscope::query
