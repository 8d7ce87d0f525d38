// SPDX-License-Identifier: Apache-2.0
#include "core/path/OperationNodes.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

#include "core/query/LaunchIds.h"

namespace kinetoscope::path {

using trace::GpuOpId;

/// The started operation that ended last, asked with rising times.
class LastEnded {
public:
    void begin(TimeNs end, GpuOpId operation) { m_running.emplace(end, operation); }
    /// kNoOperation when none has ended.
    GpuOpId at(TimeNs time) {
        while (!m_running.empty() && m_running.top().first <= time) {
            m_last = m_running.top().second;
            m_running.pop();
        }
        return m_last;
    }

private:
    using Entry = std::pair<TimeNs, GpuOpId>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> m_running;
    GpuOpId m_last = kNoOperation;
};

namespace {

// Short overlaps are an early start behind the one before; longer ones run side by side.
bool overlapsBriefly(TimeSpan before, TimeSpan after) {
    constexpr TimeNs kPart = 4;
    return (before.end - after.start) * kPart <= std::min(before.duration(), after.duration());
}

}  // namespace

/// The recorded dependencies of an operation.
struct OperationNodes::Before {
    GpuOpId previous = kNoOperation;  ///< of its stream, by start
    TimeNs latest = kNotMatched;      ///< when the last of all was over
    bool told = false;                ///< an event names its dependency
};

/// What holds for all GPUs while their operations are connected, one GPU after the other.
struct OperationNodes::Seen {
    Seen(std::size_t streams, const std::vector<StreamWait>& waits)
        : ofStream(streams), previousOf(streams, kNoOperation) {
        for (const StreamWait& wait : waits) {
            told[wait.waiting].push_back(wait.operation);
        }
    }

    std::vector<LastEnded> ofStream;                         ///< each is one of a single GPU
    std::vector<GpuOpId> previousOf;                         ///< by stream
    std::unordered_map<GpuOpId, std::vector<GpuOpId>> told;  ///< by waiting operation
};

OperationNodes::OperationNodes(const Tables& tables, const Launches& launches,
                               const LastArrivals& lastArrivals, GraphMaker& maker,
                               std::uint32_t rank, TimeNs shift)
    : m_tables(tables), m_launches(launches), m_maker(maker) {
    const trace::Trace& trace = tables.trace;
    const std::size_t count = trace.gpuOperations().size();
    m_node.assign(count, kNoNode);
    m_arrival.assign(lastArrivals.size(), kNoNode);
    for (const query::GpuRow& row : tables.timeline.gpus()) {
        for (const query::OperationTime& time : row.operations) {
            const GpuOpId id = time.operation;
            Node node{.start = time.span.start + shift,
                      .duration = time.span.duration(),
                      .slice = tables.sliceOf(id),
                      .track = trace.trackOf(tables.sliceOf(id)),
                      .rank = rank,
                      .kind = NodeKind::Operation,
                      .operation = id};
            const TimeNs last = lastArrivals.empty() ? kNotMatched : lastArrivals[id];
            if (last != kNotMatched) {
                const TimeNs end = node.end();
                node.kind = NodeKind::Arrival;
                node.duration = 0;
                m_arrival[id] = maker.add(node);
                node.kind = NodeKind::Operation;
                node.start = std::clamp(last, node.start, end);
                node.duration = end - node.start;
                m_node[id] = maker.add(node);
                maker.connect(m_arrival[id], m_node[id], EdgeKind::Collective);
                continue;
            }
            m_node[id] = maker.add(node);
            if (!m_arrival.empty()) {
                m_arrival[id] = m_node[id];
            }
        }
    }
}

void OperationNodes::connect(const ThreadNodes& threads, const Waits& waits, Graph& graph) {
    Seen seen(m_launches.streams(), waits.streams);
    for (const query::GpuRow& row : m_tables.timeline.gpus()) {
        connectGpu(row, threads, waits, seen, graph);
    }
    for (const CallWait& wait : waits.calls) {
        m_maker.connect(of(wait.operation), threads.waitOf(wait.call), EdgeKind::Sync,
                        wait.inferred);
        ++(wait.inferred ? graph.inferredWaits : graph.toldWaits);
    }
}

void OperationNodes::connectGpu(const query::GpuRow& row, const ThreadNodes& threads,
                                const Waits& waits, Seen& seen, Graph& graph) {
    LastEnded ofGpu;
    for (const query::OperationTime& time : row.operations) {
        const GpuOpId id = time.operation;
        const StreamId stream = m_launches.streamOf(id);
        Before before{.previous = seen.previousOf[stream]};
        const auto follow = [&](NodeId from, EdgeKind kind, TimeNs over, bool fromStart = false) {
            m_maker.connect(from, arrivalOf(id), kind, false, fromStart);
            before.latest = std::max(before.latest, over);
        };
        if (const NodeId launch = threads.launchOf(id); launch != kNoNode) {
            follow(launch, EdgeKind::Launch, m_tables.launched(id), true);
        }
        const GpuOpId ended = seen.ofStream[stream].at(time.span.start);
        if (ended != kNoOperation) {
            follow(of(ended), EdgeKind::Stream, m_tables.trace.end(m_tables.sliceOf(ended)));
        }
        if (before.previous != kNoOperation && before.previous != ended) {
            const TimeSpan previous = m_tables.trace.span(m_tables.sliceOf(before.previous));
            if (previous.end > time.span.start) {
                const bool brief = overlapsBriefly(previous, time.span);
                follow(brief ? of(before.previous) : arrivalOf(before.previous), EdgeKind::Stream,
                       brief ? time.span.start : previous.start, !brief);
            }
        }
        if (const auto events = seen.told.find(id); events != seen.told.end()) {
            for (const GpuOpId operation : events->second) {
                follow(of(operation), EdgeKind::Event,
                       m_tables.trace.end(m_tables.sliceOf(operation)));
                before.told = true;
                ++graph.toldWaits;
            }
        }
        infer(id, ofGpu.at(time.span.start), before, waits, graph);
        seen.previousOf[stream] = id;
        seen.ofStream[stream].begin(time.span.end, id);
        ofGpu.begin(time.span.end, id);
    }
}

// An operation that started later than all recorded edges explain, after a wait whose reason is
// unknown or inside a graph, waited for the operation that had ended last on its GPU.
void OperationNodes::infer(GpuOpId operation, GpuOpId ended, const Before& before,
                           const Waits& waits, Graph& graph) {
    const bool inGraph = m_tables.links.isGraphLaunch(operation);
    if (before.told || (!inGraph && !hasUnknownWait(operation, before.previous, waits))) {
        return;
    }
    const bool fits = ended != kNoOperation &&
                      m_launches.streamOf(ended) != m_launches.streamOf(operation) &&
                      m_tables.launched(ended) <= m_tables.launched(operation) &&
                      m_tables.trace.end(m_tables.sliceOf(ended)) > before.latest;
    if (fits) {
        m_maker.connect(of(ended), arrivalOf(operation), EdgeKind::Event, true);
    } else if (!inGraph) {
        ++graph.unknownWaits;
    }
}

bool OperationNodes::hasUnknownWait(GpuOpId operation, GpuOpId previous, const Waits& waits) const {
    const std::uint16_t source = query::sourceOf(m_tables.trace, m_tables.sliceOf(operation));
    if (source >= waits.unknown.size()) {
        return false;
    }
    const TimeNs from = previous == kNoOperation ? kNotMatched : m_tables.launched(previous);
    const std::vector<TimeNs>& times = waits.unknown[source];
    const auto after = std::ranges::lower_bound(times, from);
    return after != times.end() && *after < m_tables.launched(operation);
}

}  // namespace kinetoscope::path
