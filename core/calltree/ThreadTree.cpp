// SPDX-License-Identifier: Apache-2.0
#include "core/calltree/ThreadTree.h"

#include <limits>

#include "core/base/SortRuns.h"
#include "core/base/Threads.h"

namespace kinetoscope::calltree {

using trace::SliceId;

bool isBefore(const Placed& a, const Placed& b) {
    if (a.start != b.start) {
        return a.start < b.start;
    }
    return a.end != b.end ? a.end > b.end : a.slice < b.slice;
}

void ThreadTree::addCpuTime(std::span<Placed> slices, const analysis::WindowScope& scope) {
    sort(slices);
    OpenFrames<NodeId> open;
    for (std::size_t at = 0; at < slices.size(); ++at) {
        stopSometimes(at);
        const Placed& placed = slices[at];
        open.close(placed, [] {});
        const NodeId parent = open.size() == 0 ? kRoot : open.at(open.size() - 1).more;
        const NodeId node = child(parent, placed.slice);
        const TimeSpan span{placed.start, placed.end};
        const TimeNs time = scope.takesAll ? span.duration() : scope.span.clip(span).duration();
        m_tree.add(node, time, 1, time, placed.slice);
        open.open(placed, node);
    }
}

void ThreadTree::addGpuTime(std::span<Placed> slices, std::span<Launch> launches) {
    sort(slices);
    std::ranges::stable_sort(launches, isBefore, &Launch::from);
    std::size_t next = 0;
    for (const Launch& launch : launches) {
        for (; next < slices.size() && !isBefore(launch.from, slices[next]); ++next) {
            stopSometimes(next);
            m_open.close(slices[next], [this] { end(); });
            m_open.open(slices[next], {});
        }
        const NodeId frame = frameAround(launch.from, launch.duration);
        const NodeId leaf = child(frame, launch.work);
        m_tree.add(leaf, launch.duration, 1, launch.duration, launch.work);
    }
    // Nothing is later than the latest time, so this ends all that is open.
    constexpr TimeNs kLast = std::numeric_limits<TimeNs>::max();
    m_open.close({kLast, kLast, trace::kNoSlice}, [this] { end(); });
}

void ThreadTree::sort(std::span<Placed> slices) const {
    throwIfStopped(m_stop);
    sortRuns(slices, isBefore);
}

void ThreadTree::stopSometimes(std::size_t at) const {
    if (at % kStopEvery == 0) {
        throwIfStopped(m_stop);
    }
}

NodeId ThreadTree::child(NodeId parent, SliceId slice) {
    return m_tree.child(parent, m_names.of(slice), m_trace.categoryId(slice));
}

NodeId ThreadTree::frameAround(const Placed& from, TimeNs time) {
    const std::size_t around = m_open.around(from);
    if (around == 0) {
        return kRoot;
    }
    std::size_t known = around;
    while (known > 0 && m_open.at(known - 1).more.node == kNoNode) {
        --known;
    }
    NodeId node = known == 0 ? kRoot : m_open.at(known - 1).more.node;
    for (; known < around; ++known) {
        node = child(node, m_open.at(known).placed.slice);
        m_open.at(known).more.node = node;
    }
    GpuFrame& frame = m_open.at(around - 1).more;
    frame.time = addTime(frame.time, time);
    return node;
}

void ThreadTree::end() {
    const auto& frame = m_open.at(m_open.size() - 1);
    const auto [node, time] = frame.more;
    if (node == kNoNode) {
        return;
    }
    m_tree.add(node, time, 1, time, frame.placed.slice);
    if (m_open.size() > 1) {
        GpuFrame& parent = m_open.at(m_open.size() - 2).more;
        parent.time = addTime(parent.time, time);
    }
}

}  // namespace kinetoscope::calltree
