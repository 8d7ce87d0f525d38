// SPDX-License-Identifier: Apache-2.0
#include "core/path/Parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "core/ranks/CollectiveCalls.h"

namespace kinetoscope::path {

namespace {

using trace::Category;
using trace::GpuOpId;
using trace::SliceId;

constexpr std::array<std::string_view, kPartKinds> kKindNames{
    "kernel", "communication", "copy", "cpu", "launch", "synchronization", "gap"};

constexpr std::string_view kNoOperator = "(outside of operators)";

std::string_view gapName(EdgeKind kind) {
    switch (kind) {
        case EdgeKind::Launch:
            return "(from the call to the GPU)";
        case EdgeKind::Stream:
            return "(between operations of a stream)";
        case EdgeKind::Event:
            return "(after another stream)";
        case EdgeKind::Collective:
            return "(between ranks)";
        default:
            return "(between threads)";
    }
}

}  // namespace

std::string_view partKindName(PartKind kind) {
    return kKindNames[static_cast<std::size_t>(kind)];
}

PartNames::Names::Names(const trace::Trace& trace, const std::set<trace::TrackId>& tracks,
                        TimeSpan within, const std::stop_token& stop)
    : kernels(trace), calls(trace, tracks, stop, CallsOf::Work, within) {
    for (std::uint32_t number = 0; number < kernels.size(); ++number) {
        shownKernels.push_back(ranks::collectiveKind(trace.text(kernels.facts(number).name)));
    }
}

PartNames::PartNames(const Graph& graph, const std::vector<const std::vector<PathPiece>*>& paths,
                     const std::stop_token& stop)
    : m_graph(graph) {
    struct Wanted {
        std::set<trace::TrackId> tracks;
        TimeSpan within{std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min()};
    };
    std::vector<Wanted> wanted(graph.ranks.size());
    for (const auto* path : paths) {
        for (const PathPiece& piece : *path) {
            if (!piece.isGap && graph.nodes[piece.node].kind == NodeKind::Cpu) {
                const Node& node = graph.nodes[piece.node];
                const TimeNs shift = graph.ranks[node.rank].shift;
                Wanted& of = wanted[node.rank];
                of.tracks.insert(node.track);
                of.within.start = std::min(of.within.start, piece.recorded.start - shift);
                of.within.end = std::max(of.within.end, piece.recorded.end - shift);
            }
        }
    }
    for (std::size_t rank = 0; rank < graph.ranks.size(); ++rank) {
        m_names.push_back(std::make_unique<Names>(*graph.ranks[rank].trace, wanted[rank].tracks,
                                                  wanted[rank].within, stop));
    }
}

PartNames::Stretch PartNames::gap(const PathPiece& piece) const {
    if (piece.isFirst) {
        return {.name = "(before anything known)"};
    }
    return {.kind = piece.edge == EdgeKind::Launch ? PartKind::Launch : PartKind::Gap,
            .name = gapName(piece.edge)};
}

PartNames::Stretch PartNames::operation(const Node& node) const {
    const trace::Trace& trace = *m_graph.ranks[node.rank].trace;
    const Names& names = *m_names[node.rank];
    const auto found = std::ranges::lower_bound(trace.gpuOperations(), node.slice, {},
                                                &trace::GpuOperation::slice);
    const auto id = static_cast<GpuOpId>(found - trace.gpuOperations().begin());
    if (trace.category(node.slice) != Category::Kernel) {
        return {.kind = PartKind::Copy, .name = trace.name(node.slice), .slice = node.slice};
    }
    if (analysis::isCommunication(trace, names.kernels, id)) {
        return {.kind = PartKind::Communication,
                .name = names.shownKernels[names.kernels.numberOf(id)],
                .slice = node.slice};
    }
    return {.kind = PartKind::Kernel, .name = names.kernels.of(id).family, .slice = node.slice};
}

std::vector<PartNames::Stretch> PartNames::threadStretches(const Node& node,
                                                           const PathPiece& piece) const {
    const GraphRank& rank = m_graph.ranks[node.rank];
    const TimeSpan recorded{piece.recorded.start - rank.shift, piece.recorded.end - rank.shift};
    std::vector<Stretch> stretches;
    m_names[node.rank]->calls.each(node.track, recorded, [&](SliceId slice, TimeSpan part) {
        const std::string_view name =
            slice == trace::kNoSlice ? kNoOperator : rank.trace->name(slice);
        stretches.push_back({PartKind::Cpu, name, part.duration(), slice});
    });
    const TimeNs all = piece.span.duration();
    if (stretches.empty()) {
        stretches.push_back({PartKind::Cpu, kNoOperator, all, trace::kNoSlice});
    }
    if (all != recorded.duration()) {
        TimeNs left = all;
        for (Stretch& stretch : stretches) {
            stretch.ns = std::min<TimeNs>(
                left, std::llround(static_cast<double>(stretch.ns) * static_cast<double>(all) /
                                   static_cast<double>(recorded.duration())));
            left -= stretch.ns;
        }
        stretches.back().ns += left;
    }
    return stretches;
}

std::vector<PartNames::Stretch> PartNames::stretchesOf(const PathPiece& piece) const {
    Stretch one;
    if (piece.isGap) {
        one = gap(piece);
    } else {
        const Node& node = m_graph.nodes[piece.node];
        const trace::Trace& trace = *m_graph.ranks[node.rank].trace;
        switch (node.kind) {
            case NodeKind::Cpu:
                return threadStretches(node, piece);
            case NodeKind::Call:
                one = {
                    .kind = PartKind::Launch, .name = trace.name(node.slice), .slice = node.slice};
                break;
            case NodeKind::Wait:
                one = {.kind = PartKind::Synchronization,
                       .name = node.slice == trace::kNoSlice ? "(another thread)"
                                                             : trace.name(node.slice),
                       .slice = node.slice};
                break;
            default:
                one = operation(node);
        }
    }
    one.ns = piece.span.duration();
    return {one};
}

std::vector<Part> PartNames::sumUp(const std::vector<PathPiece>& path) const {
    std::map<std::tuple<PartKind, std::uint32_t, std::string_view>, Part> sums;
    for (std::uint32_t place = 0; place < path.size(); ++place) {
        const PathPiece& piece = path[place];
        const std::uint32_t rank = piece.node == kNoNode ? 0 : m_graph.nodes[piece.node].rank;
        for (const Stretch& stretch : stretchesOf(piece)) {
            Part& part = sums[{stretch.kind, rank, stretch.name}];
            part.ns += stretch.ns;
            ++part.count;
            if (stretch.ns > part.longestNs) {
                part.longestNs = stretch.ns;
                part.piece = place;
                part.slice = stretch.slice;
            }
        }
    }
    std::vector<Part> parts;
    for (auto& [key, part] : sums) {
        const auto& [kind, rank, name] = key;
        part.kind = kind;
        part.name = m_graph.ranks.size() == 1 ? std::string(name)
                                              : "rank " + std::to_string(m_graph.ranks[rank].rank) +
                                                    ": " + std::string(name);
        parts.push_back(std::move(part));
    }
    std::ranges::stable_sort(parts, std::greater<>(), &Part::ns);
    return parts;
}

}  // namespace kinetoscope::path
