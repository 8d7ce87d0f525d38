// SPDX-License-Identifier: Apache-2.0
#include "core/path/ThreadNodes.h"

#include <algorithm>
#include <limits>

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
};

/// The nodes of one thread so far.
struct ThreadNodes::Chain {
    TrackId track = 0;
    TimeNs end = 0;
    NodeId last = kNoNode;
};

ThreadNodes::ThreadNodes(const Tables& tables, std::span<const CallWait> waits,
                         const std::vector<Handover>& handovers,
                         const std::vector<ThreadPoint>& points, GraphMaker& maker,
                         std::uint32_t rank, TimeNs shift)
    : m_tables(tables), m_maker(maker), m_rank(rank), m_shift(shift) {
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
    const auto found = m_launches.find(m_tables.links.apiCall(operation));
    return found == m_launches.end() ? kNoNode : found->second;
}

NodeId ThreadNodes::waitOf(SliceId call) const {
    const auto found = m_waits.find(call);
    return found == m_waits.end() ? kNoNode : found->second;
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

std::map<TrackId, std::vector<ThreadNodes::Item>> ThreadNodes::collect(
    std::span<const CallWait> waits, const std::vector<Handover>& handovers,
    const std::vector<ThreadPoint>& points) const {
    const trace::Trace& trace = m_tables.trace;
    std::unordered_map<SliceId, Item> calls;
    const auto itemOf = [&](SliceId call) -> Item& {
        Item& item = calls[call];
        item.call = call;
        item.span = trace.span(call);
        return item;
    };
    for (trace::GpuOpId id = 0; id < trace.gpuOperations().size(); ++id) {
        if (const SliceId call = m_tables.links.apiCall(id); call != trace::kNoSlice) {
            itemOf(call).launches = true;
        }
    }
    for (const CallWait& wait : waits) {
        Item& item = itemOf(wait.call);
        const TimeSpan operation = trace.span(m_tables.sliceOf(wait.operation));
        item.ready = item.waits ? std::max(item.ready, operation.end) : operation.end;
        item.waits = true;
    }
    std::map<TrackId, std::vector<Item>> items;
    for (const auto& [call, item] : calls) {
        items[trace.trackOf(call)].push_back(item);
    }
    for (std::size_t i = 0; i < handovers.size(); ++i) {
        const Handover& handover = handovers[i];
        items[handover.track].push_back({.span = {handover.from, handover.to},
                                         .ready = handover.otherTime,
                                         .waits = true,
                                         .handover = i});
        items[handover.other].push_back({.span = {handover.otherTime, handover.otherTime}});
    }
    for (const auto& [track, time] : points) {
        items[track].push_back({.span = {time, time}});
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
    std::ranges::sort(items, {}, [](const Item& item) {
        return std::tuple(item.span.start, item.span.end, item.call, item.handover);
    });
    Chain chain{.track = track, .end = std::min(begin, items.front().span.start)};
    for (const Item& item : items) {
        if (item.span.start > chain.end) {
            append(NodeKind::Cpu, {chain.end, item.span.start}, trace::kNoSlice, chain);
        }
        addItem(item, chain);
    }
}

void ThreadNodes::addItem(const Item& item, Chain& chain) {
    const TimeSpan span = item.span;
    if (item.launches) {
        // Of a call that waits, what it does beside that cannot be told apart from waiting.
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

NodeId ThreadNodes::append(NodeKind kind, TimeSpan span, SliceId slice, Chain& chain) {
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
        m_ends[chain.track].emplace_back(span.end, node);
    }
    return node;
}

}  // namespace kinetoscope::path
