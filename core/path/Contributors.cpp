// SPDX-License-Identifier: Apache-2.0
#include "core/path/Contributors.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

namespace kinetoscope::path {

namespace {

using trace::SliceId;

/// Where on a thread a node comes from.
struct Origin {
    std::uint32_t rank = 0;
    trace::TrackId track = 0;
    TimeNs time = 0;  ///< of the trace
};

std::optional<Origin> originOf(const Graph& graph, NodeId id) {
    if (id == kNoNode) {
        return std::nullopt;
    }
    const Node& node = graph.nodes[id];
    const GraphRank& rank = graph.ranks[node.rank];
    if (node.kind < NodeKind::Operation) {
        return Origin{node.rank, node.track, node.start - rank.shift};
    }
    const SliceId call = node.kind == NodeKind::Join ? trace::kNoSlice : rank.calls[node.operation];
    return call == trace::kNoSlice ? std::nullopt
                                   : std::optional(Origin{node.rank, rank.trace->trackOf(call),
                                                          rank.trace->start(call)});
}

class Contributors {
public:
    Contributors(const Graph& graph, const PartNames& names, const std::vector<PathPiece>& path,
                 const std::stop_token& stop)
        : m_graph(graph), m_path(path), m_names(names) {
        std::vector<WantedCalls> wanted(graph.ranks.size());
        for (const PathPiece& piece : path) {
            if (const auto origin = originOf(graph, piece.node)) {
                const TimeNs end = piece.recorded.end - graph.ranks[origin->rank].shift;
                wanted[origin->rank].add(origin->track,
                                         {origin->time, std::max(origin->time + 1, end)});
            }
        }
        for (std::size_t rank = 0; rank < graph.ranks.size(); ++rank) {
            const trace::Trace& trace = *graph.ranks[rank].trace;
            m_operators.emplace_back(trace, wanted[rank], stop, CallsOf::Operators);
            m_modules.emplace_back(trace, wanted[rank], stop, CallsOf::Modules);
        }
    }

    ContributorRows rows() {
        for (std::uint32_t place = 0; place < m_path.size(); ++place) {
            add(place);
        }
        ContributorRows rows;
        rows[static_cast<std::size_t>(PathBy::Part)] = m_names.sumUp(m_path);
        for (const PathBy by : {PathBy::Kernel, PathBy::Operator, PathBy::Module}) {
            auto& sums = m_sums[static_cast<std::size_t>(by)];
            for (auto& [name, part] : sums) {
                rows[static_cast<std::size_t>(by)].push_back(std::move(part));
            }
        }
        rows[static_cast<std::size_t>(PathBy::Gap)] = std::move(m_gaps);
        for (auto& some : rows) {
            std::ranges::stable_sort(some, std::greater<>(), &Part::ns);
        }
        return rows;
    }

private:
    void add(std::uint32_t place) {
        const PathPiece& piece = m_path[place];
        const bool onThread = !piece.isGap && m_graph.nodes[piece.node].kind == NodeKind::Cpu;
        const auto origin = originOf(m_graph, piece.node);
        m_names.stretchesOf(piece, m_stretches);
        for (const PartNames::Stretch& stretch : m_stretches) {
            const bool ranOnGpu = stretch.kind <= PartKind::Copy;
            if (ranOnGpu) {
                add(PathBy::Kernel, nameOf(piece.node, stretch.slice), stretch, place);
            }
            if (!onThread) {
                add(PathBy::Operator, nameAt(m_operators, origin, "(no operator)"), stretch, place);
                add(PathBy::Module, nameAt(m_modules, origin, "(no module)"), stretch, place);
            }
            if (!ranOnGpu && stretch.kind != PartKind::Cpu) {
                m_gaps.push_back({.kind = stretch.kind,
                                  .name = std::string(stretch.name),
                                  .ns = stretch.ns,
                                  .count = 1,
                                  .piece = place,
                                  .slice = piece.node == kNoNode ? trace::kNoSlice
                                                                 : m_graph.nodes[piece.node].slice,
                                  .longestNs = stretch.ns});
            }
        }
        if (onThread) {
            divide(PathBy::Operator, m_operators, "(no operator)", place);
            divide(PathBy::Module, m_modules, "(no module)", place);
        }
    }

    // A piece of a thread among what it was in.
    void divide(PathBy by, const std::vector<InnermostCalls>& calls, std::string_view none,
                std::uint32_t place) {
        const PathPiece& piece = m_path[place];
        const Node& node = m_graph.nodes[piece.node];
        const GraphRank& rank = m_graph.ranks[node.rank];
        const TimeSpan recorded{piece.span.start - rank.shift, piece.span.end - rank.shift};
        calls[node.rank].each(node.track, recorded, [&](SliceId slice, TimeSpan part) {
            add(by, slice == trace::kNoSlice ? none : rank.trace->name(slice),
                {PartKind::Cpu, {}, part.duration(), slice}, place);
        });
    }

    void add(PathBy by, std::string_view name, const PartNames::Stretch& stretch,
             std::uint32_t place) {
        Part& part = m_sums[static_cast<std::size_t>(by)][name];
        if (part.count == 0) {
            part.kind = stretch.kind;
            part.name = name;
        }
        part.ns += stretch.ns;
        ++part.count;
        if (stretch.ns > part.longestNs) {
            part.longestNs = stretch.ns;
            part.kind = stretch.kind;
            part.piece = place;
            part.slice = stretch.slice;
        }
    }

    [[nodiscard]] std::string_view nameOf(NodeId node, SliceId slice) const {
        return m_graph.ranks[m_graph.nodes[node].rank].trace->name(slice);
    }
    [[nodiscard]] std::string_view nameAt(const std::vector<InnermostCalls>& calls,
                                          const std::optional<Origin>& origin,
                                          std::string_view none) const {
        const SliceId slice =
            origin ? calls[origin->rank].at(origin->track, origin->time) : trace::kNoSlice;
        return slice == trace::kNoSlice ? none : m_graph.ranks[origin->rank].trace->name(slice);
    }

    const Graph& m_graph;
    const std::vector<PathPiece>& m_path;
    const PartNames& m_names;
    std::vector<InnermostCalls> m_operators;  ///< by rank
    std::vector<InnermostCalls> m_modules;
    std::array<std::map<std::string_view, Part>, kPathBys> m_sums;
    std::vector<Part> m_gaps;
    std::vector<PartNames::Stretch> m_stretches;  ///< of one piece
};

}  // namespace

ContributorRows contributorsOf(const Graph& graph, const PartNames& names,
                               const std::vector<PathPiece>& path, const std::stop_token& stop) {
    return Contributors(graph, names, path, stop).rows();
}

}  // namespace kinetoscope::path
