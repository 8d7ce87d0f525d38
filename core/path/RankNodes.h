// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/Result.h"
#include "core/path/OperationNodes.h"

namespace kinetoscope::path {

/// The nodes and edges of one trace, while a graph is made.
class RankNodes {
public:
    /// `tables` outlive it.
    RankNodes(const Tables& tables, std::uint32_t rank, TimeNs shift)
        : m_tables(tables), m_rank(rank), m_shift(shift) {}

    /// Adds everything but what joins ranks.
    [[nodiscard]] Result<void> add(const LastArrivals& lastArrivals, GraphMaker& maker,
                                   Graph& graph, const std::stop_token& stop);
    /// After add().
    [[nodiscard]] const OperationNodes& operations() const { return *m_operations; }

private:
    [[nodiscard]] StepPoints stepPoints() const;
    [[nodiscard]] Result<void> addSteps(const ThreadNodes& threads, std::size_t nodes,
                                        Graph& graph) const;

    const Tables& m_tables;
    std::optional<Launches> m_launches;
    std::uint32_t m_rank;
    TimeNs m_shift;
    std::optional<OperationNodes> m_operations;
};

}  // namespace kinetoscope::path
