// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "core/path/Graph.h"
#include "core/path/ThreadNodes.h"
#include "core/path/Waits.h"

namespace kinetoscope::path {

/// "Arrived last on the graph's clock": by operation; kNotMatched for what is not a matched
/// collective.
using LastArrivals = std::vector<TimeNs>;
inline constexpr TimeNs kNotMatched = std::numeric_limits<TimeNs>::min();

/// The GPU operations of one trace and what they wait for on their GPU.
class OperationNodes {
public:
    /// `lastArrivals` is empty or has all operations.
    OperationNodes(const Tables& tables, const Launches& launches, const LastArrivals& lastArrivals,
                   GraphMaker& maker, std::uint32_t rank, TimeNs shift);

    /// Streams, events and launches; waits without a recorded reason are for the operation that
    /// ended last before.
    void connect(const ThreadNodes& threads, const Waits& waits, Graph& graph);

    /// What others wait for.
    [[nodiscard]] NodeId of(trace::GpuOpId operation) const { return m_node[operation]; }
    /// What waits for others; the same but for matched collectives.
    [[nodiscard]] NodeId arrivalOf(trace::GpuOpId operation) const {
        return m_arrival.empty() ? m_node[operation] : m_arrival[operation];
    }

private:
    struct Before;
    struct Seen;

    void connectGpu(const query::GpuRow& row, const ThreadNodes& threads, const Waits& waits,
                    Seen& seen, Graph& graph);
    void infer(trace::GpuOpId operation, trace::GpuOpId ended, const Before& before,
               const Waits& waits, Graph& graph);
    [[nodiscard]] bool hasUnknownWait(trace::GpuOpId operation, trace::GpuOpId previous,
                                      const Waits& waits) const;

    const Tables& m_tables;
    const Launches& m_launches;
    GraphMaker& m_maker;
    std::vector<NodeId> m_node;
    std::vector<NodeId> m_arrival;
};

}  // namespace kinetoscope::path
