// SPDX-License-Identifier: Apache-2.0
#include "core/path/ThreadNodes.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "core/base/SortRuns.h"

namespace kinetoscope::path {

using trace::SliceId;
using trace::TrackId;

namespace {

constexpr std::size_t kNoHandover = std::numeric_limits<std::size_t>::max();

}  // namespace

/// Something on a thread that cuts it.
struct ThreadNodes::Item {
    TimeSpan span;
    SliceId call = trace::kNoSlice;
    TimeNs ready = 0;  ///< when what it waited for had ended
    bool launches = false;
    bool waits = false;
    std::size_t handover = kNoHandover;
    bool isStepEnd = false;
};

/// The nodes of one thread so far.
struct ThreadNodes::Chain {
    TrackId track = 0;
    TimeNs end = 0;
    NodeId last = kNoNode;
    Ends& ends;
    std::vector<TimeNs> stepEnds;  ///< ascending
};

ThreadNodes::ThreadNodes(const Tables& tables, std::span<const CallWait> waits,
                         const std::vector<Handover>& handovers, const StepPoints& points,
                         GraphMaker& maker, std::uint32_t rank, TimeNs shift)
    : m_tables(tables), m_maker(maker), m_rank(rank), m_shift(shift) {
    m_launches.assign(tables.trace.sliceCount(), kNoNode);
    m_waits.assign(tables.trace.sliceCount(), kNoNode);
    m_handovers.assign(handovers.size(), kNoNode);
    const std::vector<TimeNs> begins = firstStarts();
    for (auto& [track, items] : collect(waits, handovers, points)) {
        addChain(items, begins[track], track);
    }
    for (std::size_t i = 0; i < handovers.size(); ++i) {
        m_maker.connect(endingAt({handovers[i].other, handovers[i].otherTime}), m_handovers[i],
                        EdgeKind::Flow, handovers[i].inferred);
    }
}

NodeId ThreadNodes::launchOf(trace::GpuOpId operation) const {
    const SliceId call = m_tables.links.apiCall(operation);
    return call == trace::kNoSlice ? kNoNode : m_launches[call];
}

NodeId ThreadNodes::waitOf(SliceId call) const {
    return m_waits[call];
}

NodeId ThreadNodes::endingAt(const ThreadPoint& point) const {
    const auto track = m_ends.find(point.first);
    if (track == m_ends.end()) {
        return kNoNode;
    }
    const auto after = std::ranges::upper_bound(track->second, point.second, {},
                                                [](const auto& end) { return end.first; });
    return after == track->second.begin() ? kNoNode : std::prev(after)->second;
}

// Each call once, whatever it launches and waits for.
std::vector<ThreadNodes::Item> ThreadNodes::calls(std::span<const CallWait> waits) const {
    const trace::Trace& trace = m_tables.trace;
    std::vector<Item> items;
    const auto add = [&](SliceId call) -> Item& {
        const bool isSame = !items.empty() && items.back().call == call;
        return isSame ? items.back() : items.emplace_back(Item{trace.span(call), call});
    };
    for (trace::GpuOpId id = 0; id < trace.gpuOperations().size(); ++id) {
        if (const SliceId call = m_tables.links.apiCall(id); call != trace::kNoSlice) {
            add(call).launches = true;
        }
    }
    for (const CallWait& wait : waits) {
        Item& item = add(wait.call);
        const TimeSpan operation = trace.span(m_tables.sliceOf(wait.operation));
        item.ready = item.waits ? std::max(item.ready, operation.end) : operation.end;
        item.waits = true;
    }
    sortRuns(std::span(items), [](const Item& a, const Item& b) { return a.call < b.call; });
    std::size_t kept = 0;
    for (std::size_t at = 1; at < items.size(); ++at) {
        Item& before = items[kept];
        const Item& item = items[at];
        if (before.call != item.call) {
            items[++kept] = item;
            continue;
        }
        if (item.waits) {
            before.ready = before.waits ? std::max(before.ready, item.ready) : item.ready;
        }
        before.launches = before.launches || item.launches;
        before.waits = before.waits || item.waits;
    }
    items.resize(std::min(items.size(), kept + 1));
    return items;
}

std::map<TrackId, std::vector<ThreadNodes::Item>> ThreadNodes::collect(
    std::span<const CallWait> waits, const std::vector<Handover>& handovers,
    const StepPoints& points) const {
    std::map<TrackId, std::vector<Item>> items;
    std::vector<Item>* ofTrack = nullptr;
    TrackId last = 0;
    for (const Item& item : calls(waits)) {
        const TrackId track = m_tables.trace.trackOf(item.call);
        if (ofTrack == nullptr || track != last) {
            ofTrack = &items[track];
            last = track;
        }
        ofTrack->push_back(item);
    }
    for (std::size_t i = 0; i < handovers.size(); ++i) {
        const Handover& handover = handovers[i];
        items[handover.track].push_back({.span = {handover.from, handover.to},
                                         .ready = handover.otherTime,
                                         .waits = true,
                                         .handover = i});
        items[handover.other].push_back({.span = {handover.otherTime, handover.otherTime}});
    }
    for (const auto& [track, time] : points.starts) {
        items[track].push_back({.span = {time, time}});
    }
    for (const auto& [track, time] : points.ends) {
        items[track].push_back({.span = {time, time}, .isStepEnd = true});
    }
    return items;
}

std::vector<TimeNs> ThreadNodes::firstStarts() const {
    const trace::Trace& trace = m_tables.trace;
    std::vector<TimeNs> starts(trace.tracks().size(), std::numeric_limits<TimeNs>::max());
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        TimeNs& start = starts[trace.trackOf(slice)];
        start = std::min(start, trace.start(slice));
    }
    return starts;
}

void ThreadNodes::addChain(std::vector<Item>& items, TimeNs begin, TrackId track) {
    const auto placeOf = [](const Item& item) {
        return std::tuple(item.span.start, item.span.end, item.call, item.handover);
    };
    sortRuns(std::span(items),
             [&](const Item& a, const Item& b) { return placeOf(a) < placeOf(b); });
    Chain chain{.track = track,
                .end = std::min(begin, items.front().span.start),
                .ends = m_ends[track],
                .stepEnds = {}};
    for (const Item& item : items) {
        if (item.isStepEnd) {
            chain.stepEnds.push_back(item.span.start);
        }
    }
    for (const Item& item : items) {
        if (item.span.start > chain.end) {
            append(NodeKind::Cpu, {chain.end, item.span.start}, trace::kNoSlice, chain);
        }
        if (item.isStepEnd) {
            addStepEnd(item.span.start, chain);
        } else {
            addItem(item, chain);
        }
    }
}

void ThreadNodes::addItem(const Item& item, Chain& chain) {
    const TimeSpan span = item.span;
    if (item.launches) {
        // Of a call that waits, its other work cannot be told apart from waiting.
        const TimeNs until = item.waits ? span.start : span.end;
        m_launches[item.call] = append(NodeKind::Call, {span.start, until}, item.call, chain);
    }
    if (!item.waits) {
        return;
    }
    const NodeId node = append(
        NodeKind::Wait, {std::clamp(item.ready, span.start, span.end), span.end}, item.call, chain);
    if (item.handover == kNoHandover) {
        m_waits[item.call] = node;
    } else {
        m_handovers[item.handover] = node;
    }
}

// A call that still waits for what ends after the step has no node yet: why it takes until then is
// not known.
void ThreadNodes::addStepEnd(TimeNs time, Chain& chain) {
    const NodeId before = endingAt({chain.track, time});
    if (time >= chain.end || (before != kNoNode && m_maker.node(before).end() == time + m_shift)) {
        return;
    }
    const NodeId node = m_maker.add({.start = time + m_shift,
                                     .duration = 0,
                                     .track = chain.track,
                                     .rank = m_rank,
                                     .kind = NodeKind::Cpu});
    m_maker.connect(before, node, EdgeKind::Thread);
    const auto after = std::ranges::upper_bound(chain.ends, time, {}, &Ends::value_type::first);
    chain.ends.emplace(after, time, node);
}

NodeId ThreadNodes::append(NodeKind kind, TimeSpan span, SliceId slice, Chain& chain) {
    const auto stepEnd = std::ranges::upper_bound(chain.stepEnds, span.start);
    if (stepEnd != chain.stepEnds.end()) {
        span.end = std::min(span.end, *stepEnd);
    }
    const NodeId node = m_maker.add({.start = span.start + m_shift,
                                     .duration = span.duration(),
                                     .slice = slice,
                                     .track = chain.track,
                                     .rank = m_rank,
                                     .kind = kind});
    m_maker.connect(chain.last, node, EdgeKind::Thread);
    // What began inside of the last call and ended with it is beside the chain.
    if (chain.last == kNoNode || span.end >= chain.end) {
        chain.last = node;
        chain.end = span.end;
        chain.ends.emplace_back(span.end, node);
    }
    return node;
}

}  // namespace kinetoscope::path
