// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "core/path/Graph.h"
#include "core/path/Handovers.h"
#include "core/path/Waits.h"

namespace kinetoscope::path {

/// A time of a thread at which one node ends and the next begins.
using ThreadPoint = std::pair<trace::TrackId, TimeNs>;

/// Where steps begin and end.
struct StepPoints {
    std::vector<ThreadPoint> starts;
    std::vector<ThreadPoint> ends;  ///< a call that goes on there has a node up to it
};

/// The threads that launch, wait or have one of the points, each cut into calls and the pieces
/// between them. What a call still takes after the end of a step is a piece.
class ThreadNodes {
public:
    /// Times become those of the graph by `shift`. `waits` are by call.
    ThreadNodes(const Tables& tables, std::span<const CallWait> waits,
                const std::vector<Handover>& handovers, const StepPoints& points, GraphMaker& maker,
                std::uint32_t rank, TimeNs shift);

    /// Where the operation was launched; kNoNode if unknown.
    [[nodiscard]] NodeId launchOf(trace::GpuOpId operation) const;
    /// The rest of a call once it has waited.
    [[nodiscard]] NodeId waitOf(trace::SliceId call) const;
    /// The last node of the thread that ends no later than the time.
    [[nodiscard]] NodeId endingAt(const ThreadPoint& point) const;

private:
    struct Item;
    struct Chain;
    using Ends = std::vector<std::pair<TimeNs, NodeId>>;

    [[nodiscard]] std::vector<Item> calls(std::span<const CallWait> waits) const;
    [[nodiscard]] std::map<trace::TrackId, std::vector<Item>> collect(
        std::span<const CallWait> waits, const std::vector<Handover>& handovers,
        const StepPoints& points) const;
    [[nodiscard]] std::vector<TimeNs> firstStarts() const;
    void addChain(std::vector<Item>& items, TimeNs begin, trace::TrackId track);
    void addItem(const Item& item, Chain& chain);
    void addStepEnd(TimeNs time, Chain& chain);
    NodeId append(NodeKind kind, TimeSpan span, trace::SliceId slice, Chain& chain);

    const Tables& m_tables;
    GraphMaker& m_maker;
    std::uint32_t m_rank;
    TimeNs m_shift;
    std::vector<NodeId> m_launches;   ///< by slice; kNoNode if it is not such a call
    std::vector<NodeId> m_waits;      ///< the same
    std::vector<NodeId> m_handovers;  ///< by handover
    /// Ends of the nodes of each thread, ascending.
    std::map<trace::TrackId, Ends> m_ends;
};

}  // namespace kinetoscope::path
