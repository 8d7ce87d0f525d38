// SPDX-License-Identifier: Apache-2.0
// PacketTrace: what was collected becomes rows.
#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "core/base/Threads.h"
#include "core/base/Wrapping.h"
#include "core/import/event/EventDecoder.h"
#include "core/import/perfetto/PacketTrace.h"

namespace kinetoscope::import::perfetto {

namespace {

constexpr std::int64_t kMaxGpus = 64;

}  // namespace

// Times count from the first snapshot of the clocks, where that is near, else from the first event;
// from zero where some would be too far from either.
void PacketTrace::placeInTime() {
    // Kineto's times count from a moment up to some months before.
    constexpr TimeNs kNear = TimeNs{200} * 86'400 * 1'000'000'000;
    TimeNs first = std::numeric_limits<TimeNs>::max();
    TimeNs last = std::numeric_limits<TimeNs>::min();
    const auto reach = [&](TimeNs time) {
        first = std::min(first, time);
        last = std::max(last, time);
    };
    for (const TrackEdges& track : m_edges) {
        for (const Edge& edge : track.edges) {
            reach(edge.time);
        }
    }
    for (const Complete& slice : m_complete) {
        reach(slice.edge.time);
    }
    for (const Moment& moment : m_instants) {
        reach(moment.time);
    }
    for (const Moment& moment : m_samples) {
        reach(moment.time);
    }
    if (first > last) {
        first = last = 0;
    }
    const auto boot = m_clocks.firstBoot();
    const TimeNs apart = boot ? wrappingDifference(first, *boot) : kNear;
    m_base = -kNear < apart && apart < kNear ? *boot : first;
    if (wrappingDifference(last, m_base) > event::kFarthestTime) {
        m_base = 0;
    }
}

void PacketTrace::placeOperations() {
    std::int64_t gpus = 0;
    const auto place = [&](const Edge& edge, std::uint64_t uuid) {
        if (edge.operation == 0) {
            return;
        }
        const GpuPlace found = gpuPlaceOf(m_places[edge.operation - 1], m_tracks.find(uuid), uuid);
        trace::GpuOperation& operation = m_operations[edge.operation - 1];
        operation.gpu = static_cast<std::int32_t>(found.gpu);
        operation.stream = found.stream;
        gpus = std::max(gpus, found.gpu + 1);
    };
    for (const TrackEdges& track : m_edges) {
        for (const Edge& edge : track.edges) {
            place(edge, track.uuid);
        }
    }
    for (const Complete& slice : m_complete) {
        place(slice.edge, slice.uuid);
        if (slice.gpu) {
            gpus = std::max(gpus, slice.gpu->gpu + 1);
        }
    }
    m_tracks.setGpus(std::min(gpus, kMaxGpus));
}

// Names and numbers that count within a process or a thread.
void PacketTrace::partProcesses() {
    std::map<std::uint64_t, std::int64_t> counters;
    for (const Moment& moment : m_samples) {
        counters.emplace(moment.uuid, moment.writer);
    }
    m_tracks.nameApart(counters);
    std::map<std::int64_t, std::pair<bool, bool>> found;  // calls, and GPU operations
    const auto note = [&](const Edge& edge, std::uint64_t uuid) {
        const bool isCall = trace::isApiCall(trace::categoryKind(edge.category));
        if (!edge.ownCorrelation || (edge.operation == 0 && !isCall)) {
            return;
        }
        if (const auto pid = m_tracks.toldPid(uuid)) {
            (isCall ? found[*pid].first : found[*pid].second) = true;
        }
    };
    for (const TrackEdges& track : m_edges) {
        for (const Edge& edge : track.edges) {
            note(edge, track.uuid);
        }
    }
    for (const Complete& slice : m_complete) {
        note(slice.edge, slice.uuid);
    }
    std::vector<std::int64_t> launching;
    for (const auto& [pid, kinds] : found) {
        if (kinds.first && kinds.second) {
            launching.push_back(pid);
        }
    }
    m_tracks.setLaunching(std::move(launching));
}

void PacketTrace::addAll() {
    placeInTime();
    placeOperations();
    partProcesses();
    const auto trackOf = [&](const Edge& edge, trace::TrackId own) {
        if (edge.operation == 0) {
            return own;
        }
        const trace::GpuOperation& operation = m_operations[edge.operation - 1];
        return gpuTrack({operation.gpu, operation.stream});
    };
    std::unordered_map<std::uint64_t, trace::TrackId> known;
    const auto ownTrack = [&](std::uint64_t uuid, std::int64_t writer) {
        const auto entry = known.find(uuid);
        return entry != known.end()
                   ? entry->second
                   : known.emplace(uuid, m_tracks.addTo(m_builder, uuid, writer)).first->second;
    };
    TimeNs last = m_base;
    for (const TrackEdges& track : m_edges) {
        for (const Edge& edge : track.edges) {
            last = std::max(last, edge.time);
        }
    }
    for (TrackEdges& track : m_edges) {
        throwIfStopped(m_input.options.stop);
        const Pairs pairs = pairEdges(track.edges);
        track.edges = {};
        const trace::TrackId own = m_tracks.addTo(m_builder, track.uuid, track.writer);
        for (const Pair& pair : pairs.pairs) {
            addSlice(pair.begin, track.uuid, (pair.open ? last : pair.end) - pair.begin.time,
                     trackOf(pair.begin, own));
            if (pair.open) {
                m_issues.add(trace::Issue::UnfinishedBegin, pair.begin.offset,
                             [] { return std::string("a slice starts and has no end"); });
            }
        }
        for (std::uint64_t i = 0; i < pairs.unmatched; ++i) {
            skip(trace::Issue::UnmatchedEnd, pairs.firstUnmatched,
                 "a slice ends that has not started");
        }
    }
    for (const Complete& slice : m_complete) {
        const trace::TrackId track = slice.gpu
                                         ? gpuTrack(*slice.gpu)
                                         : trackOf(slice.edge, ownTrack(slice.uuid, slice.writer));
        // A malicious duration is clamped to the range of times.
        const TimeNs most = event::kFarthestTime - std::max<TimeNs>(slice.edge.time - m_base, 0);
        addSlice(slice.edge, slice.uuid,
                 std::clamp<TimeNs>(slice.duration, 0, std::max<TimeNs>(most, 0)), track);
    }
    for (const Moment& moment : m_instants) {
        const trace::TrackId track = ownTrack(moment.uuid, moment.writer);
        m_rows.push_back(
            {moment.offset, moment.time - m_base, 0, moment.uuid, moment.state, track});
        m_flows.place(moment.offset, moment.time - m_base, track, false);
        m_builder.addInstant(
            {moment.time - m_base, moment.name, track, moment.category, 't', moment.offset});
    }
    addSamples();
    m_flowPoints = m_flows.addTo(m_builder);
}

}  // namespace kinetoscope::import::perfetto
