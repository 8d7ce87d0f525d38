// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "core/analysis/KernelNames.h"
#include "core/base/Threads.h"
#include "core/path/MakeGraph.h"
#include "core/path/RankNodes.h"
#include "core/ranks/Clocks.h"
#include "core/ranks/MatchCollectives.h"
#include "core/ranks/ReadRank.h"

namespace kinetoscope::path {

namespace {

using ranks::RankRecord;

/// The operation of each of the record's collectives, in their order.
std::vector<trace::GpuOpId> collectiveOperations(const Tables& tables, const RankRecord& record) {
    const analysis::KernelNames names(tables.trace);
    std::vector<trace::GpuOpId> operations;
    if (const query::GpuRow* row = tables.timeline.find(record.gpu)) {
        for (const query::OperationTime& time : row->operations) {
            if (analysis::isCommunication(tables.trace, names, time.operation)) {
                operations.push_back(time.operation);
            }
        }
    }
    return operations;
}

class JobMaker {
public:
    JobMaker(const std::vector<RankTrace>& ranks, const std::stop_token& stop)
        : m_ranks(ranks), m_stop(stop) {}

    Result<Graph> make() {
        for (const RankTrace& rank : m_ranks) {
            auto record = ranks::readRank(*rank.trace, m_stop);
            if (!record) {
                return tl::unexpected(record.error());
            }
            record->rank = rank.rank;
            m_records.push_back(std::move(*record));
        }
        m_matching = ranks::matchCollectives(m_records);
        const auto clocks = ranks::alignClocks(m_records, m_matching);
        for (std::uint32_t i = 0; i < m_ranks.size(); ++i) {
            throwIfStopped(m_stop);
            const TimeNs middle = m_records[i].gpuSpan.start;
            const TimeNs shift = ranks::onJobClock(m_records, clocks, i, middle) - middle;
            m_graph.ranks.push_back({m_ranks[i].trace, m_ranks[i].rank, shift});
            m_tables.push_back(std::make_unique<const Tables>(*m_ranks[i].trace));
            m_nodes.push_back(std::make_unique<RankNodes>(*m_tables[i], i, shift));
            m_operations.push_back(collectiveOperations(*m_tables[i], m_records[i]));
        }
        if (auto added = addNodes(); !added) {
            return tl::unexpected(added.error());
        }
        join();
        m_maker.finish(m_graph, m_stop);
        keepLastEnding();
        return std::move(m_graph);
    }

private:
    [[nodiscard]] TimeNs arrivalOf(const ranks::Member& member) const {
        return m_records[member.record].collectives[member.call].span.start +
               m_graph.ranks[member.record].shift;
    }
    [[nodiscard]] TimeNs lastArrival(const ranks::Collective& collective) const {
        TimeNs last = kNotMatched;
        for (const ranks::Member& member : collective.members) {
            last = std::max(last, arrivalOf(member));
        }
        return last;
    }
    [[nodiscard]] trace::GpuOpId operationOf(const ranks::Member& member) const {
        return m_operations[member.record][member.call];
    }

    Result<void> addNodes() {
        std::vector<LastArrivals> arrivals;
        arrivals.reserve(m_ranks.size());
        for (const RankTrace& rank : m_ranks) {
            arrivals.emplace_back(rank.trace->gpuOperations().size(), kNotMatched);
        }
        for (const ranks::Collective& collective : m_matching.collectives) {
            for (const ranks::Member& member : collective.members) {
                arrivals[member.record][operationOf(member)] = lastArrival(collective);
            }
        }
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            if (auto added = m_nodes[i]->add(arrivals[i], m_maker, m_graph, m_stop); !added) {
                return added;
            }
        }
        return {};
    }

    void join() {
        for (const ranks::Collective& collective : m_matching.collectives) {
            const NodeId joined = m_maker.add({.start = lastArrival(collective),
                                               .duration = 0,
                                               .rank = collective.members.front().record,
                                               .kind = NodeKind::Join});
            for (const ranks::Member& member : collective.members) {
                const OperationNodes& operations = m_nodes[member.record]->operations();
                m_maker.connect(operations.arrivalOf(operationOf(member)), joined,
                                EdgeKind::Collective);
                m_maker.connect(joined, operations.of(operationOf(member)), EdgeKind::Collective);
            }
        }
    }

    // Each step once: of the rank on which it ended last.
    void keepLastEnding() {
        std::ranges::stable_sort(m_graph.steps, [](const GraphStep& a, const GraphStep& b) {
            return a.number != b.number ? a.number < b.number : a.span.end > b.span.end;
        });
        const auto rest = std::ranges::unique(m_graph.steps, {}, &GraphStep::number);
        m_graph.steps.erase(rest.begin(), rest.end());
        std::ranges::sort(m_graph.steps, {}, [](const GraphStep& step) { return step.span.start; });
    }

    const std::vector<RankTrace>& m_ranks;
    const std::stop_token& m_stop;
    std::vector<RankRecord> m_records;
    ranks::Matching m_matching;
    std::vector<std::unique_ptr<const Tables>> m_tables;
    std::vector<std::unique_ptr<RankNodes>> m_nodes;
    std::vector<std::vector<trace::GpuOpId>> m_operations;  ///< by record, then collective
    Graph m_graph;
    GraphMaker m_maker;
};

}  // namespace

Result<Graph> makeJobGraph(const std::vector<RankTrace>& ranks, const std::stop_token& stop) {
    return guarded([&] { return JobMaker(ranks, stop).make(); });
}

}  // namespace kinetoscope::path
