// SPDX-License-Identifier: Apache-2.0
#include "core/path/Handovers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "core/base/SortRuns.h"
#include "core/base/Threads.h"
#include "core/query/Intervals.h"
#include "core/query/LaunchIds.h"

namespace kinetoscope::path {

namespace {

using trace::FlowPoint;
using trace::TrackId;

/// From a forward operator to its backward on another thread.
struct Flow {
    TrackId from;
    TrackId to;
    TimeNs sent;
    TimeNs taken;
};

std::vector<Flow> findFlows(const trace::Trace& trace) {
    using Key = std::tuple<std::uint16_t, std::int64_t, TimeNs>;
    std::vector<std::pair<Key, TrackId>> starts;
    const auto keyOf = [&](const FlowPoint& point) {
        return Key(query::sourceOfTrack(trace, point.track), point.id, point.time);
    };
    const auto isBackward = [](const FlowPoint& point) {
        return trace::categoryKind(point.category) == trace::Category::FwdBwd;
    };
    for (const FlowPoint& point : trace.flows()) {
        if (isBackward(point) && point.phase == 's') {
            starts.emplace_back(keyOf(point), point.track);
        }
    }
    std::ranges::sort(starts);
    std::vector<Flow> flows;
    for (const FlowPoint& point : trace.flows()) {
        if (!isBackward(point) || point.phase != 'f') {
            continue;
        }
        const auto after = std::ranges::upper_bound(starts, keyOf(point), {},
                                                    [](const auto& start) { return start.first; });
        if (after == starts.begin()) {
            continue;
        }
        const auto& [key, track] = *std::prev(after);
        const auto& [source, id, time] = key;
        if (source == query::sourceOfTrack(trace, point.track) && id == point.id &&
            track != point.track) {
            flows.push_back({track, point.track, time, point.time});
        }
    }
    std::ranges::sort(flows, {}, [](const Flow& flow) {
        return std::tuple(flow.to, flow.taken, flow.sent, flow.from);
    });
    return flows;
}

/// When a thread did something.
struct ThreadTimes {
    bool sends = false;
    bool takes = false;
    std::vector<TimeSpan> busy;      ///< of one that takes: disjoint, by start
    std::vector<TimeNs> boundaries;  ///< of one that sends: starts and ends of its slices
};

std::map<TrackId, ThreadTimes> timesOf(const trace::Trace& trace, const std::vector<Flow>& flows) {
    std::map<TrackId, ThreadTimes> times;
    for (const Flow& flow : flows) {
        times[flow.from].sends = true;
        times[flow.to].takes = true;
    }
    if (times.empty()) {
        return times;
    }
    std::vector<ThreadTimes*> ofTrack(trace.tracks().size());
    for (auto& [track, time] : times) {
        ofTrack[track] = &time;
    }
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        ThreadTimes* of = ofTrack[trace.trackOf(slice)];
        if (of != nullptr && of->takes) {
            of->busy.push_back(trace.span(slice));
        }
        if (of != nullptr && of->sends) {
            of->boundaries.push_back(trace.start(slice));
            of->boundaries.push_back(trace.end(slice));
        }
    }
    for (auto& [track, time] : times) {
        time.busy = query::unionOfUnsorted(std::move(time.busy));
        sortRuns(std::span(time.boundaries), std::less<>());
    }
    return times;
}

class HandoverFinder {
public:
    explicit HandoverFinder(std::map<TrackId, ThreadTimes> times) : m_times(std::move(times)) {}

    // Flows of one receiving thread in their order; a burst of work has many.
    void add(const Flow& flow) {
        if (m_last && m_last->to == flow.to && flow.taken < m_until) {
            return;
        }
        const ThreadTimes& source = m_times.at(flow.from);
        const ThreadTimes& target = m_times.at(flow.to);
        const auto after = std::ranges::upper_bound(target.busy, flow.taken, {}, &TimeSpan::start);
        if (after == target.busy.begin()) {
            return;
        }
        const auto work = std::prev(after);
        const auto next = std::ranges::upper_bound(source.boundaries, work->start);
        if (next == source.boundaries.begin()) {
            return;
        }
        const TimeNs sent = *std::prev(next);
        const TimeNs idleFrom = work == target.busy.begin() ? sent : std::prev(work)->end;
        if (work != target.busy.begin() && sent <= idleFrom) {
            return;  // it had work all the time
        }
        m_last = flow;
        m_until = work->end;
        m_handovers.push_back({flow.to, idleFrom, work->start, flow.from, sent, false});
        if (next != source.boundaries.end()) {
            addReturn(flow, sent, *next, target);
        }
    }
    [[nodiscard]] std::vector<Handover> take() { return std::move(m_handovers); }

private:
    // The sender has recorded nothing between the times: did it wait for the receiver's end?
    void addReturn(const Flow& flow, TimeNs sent, TimeNs resumed, const ThreadTimes& target) {
        const auto after = std::ranges::lower_bound(target.busy, resumed, {}, &TimeSpan::start);
        if (after == target.busy.begin()) {
            return;
        }
        const TimeNs ended = std::prev(after)->end;
        if (ended <= resumed && ended > sent) {
            m_handovers.push_back({flow.from, sent, resumed, flow.to, ended, true});
            m_until = ended;
        }
    }

    std::map<TrackId, ThreadTimes> m_times;
    std::optional<Flow> m_last;
    TimeNs m_until = 0;  ///< end of the burst of that flow
    std::vector<Handover> m_handovers;
};

}  // namespace

std::vector<Handover> findHandovers(const trace::Trace& trace, const std::stop_token& stop) {
    const std::vector<Flow> flows = findFlows(trace);
    throwIfStopped(stop);
    HandoverFinder finder(timesOf(trace, flows));
    throwIfStopped(stop);
    for (const Flow& flow : flows) {
        finder.add(flow);
    }
    return finder.take();
}

}  // namespace kinetoscope::path
