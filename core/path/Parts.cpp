// SPDX-License-Identifier: Apache-2.0
#include "core/path/Parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>

#include "core/ranks/CollectiveCalls.h"

namespace kinetoscope::path {

namespace {

using trace::Category;
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

PartNames::Names::Names(const trace::Trace& trace, const WantedCalls& wanted,
                        const std::stop_token& stop)
    : kernels(trace), calls(trace, wanted, stop, CallsOf::Work) {
    for (std::uint32_t number = 0; number < kernels.size(); ++number) {
        shownKernels.push_back(ranks::collectiveKind(trace.text(kernels.facts(number).name)));
    }
}

PartNames::PartNames(const Graph& graph, const std::vector<const Window*>& steps,
                     const std::stop_token& stop)
    : m_graph(graph) {
    std::vector<WantedCalls> wanted(graph.ranks.size());
    for (const Window* step : steps) {
        for (std::size_t place = 0; place < step->size(); ++place) {
            const Node& node = graph.nodes[step->nodeAt(place)];
            if (node.kind == NodeKind::Cpu) {
                const TimeNs shift = graph.ranks[node.rank].shift;
                wanted[node.rank].add(node.track,
                                      {step->span.start - shift, step->span.end - shift});
            }
        }
    }
    for (std::size_t rank = 0; rank < graph.ranks.size(); ++rank) {
        m_names.push_back(std::make_unique<Names>(*graph.ranks[rank].trace, wanted[rank], stop));
    }
}

std::vector<const analysis::KernelNames*> PartNames::kernels() const {
    std::vector<const analysis::KernelNames*> kernels;
    std::ranges::transform(m_names, std::back_inserter(kernels),
                           [](const auto& names) { return &names->kernels; });
    return kernels;
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
    if (trace.category(node.slice) != Category::Kernel) {
        return {.kind = PartKind::Copy, .name = trace.name(node.slice), .slice = node.slice};
    }
    if (analysis::isCommunication(trace, names.kernels, node.operation)) {
        return {.kind = PartKind::Communication,
                .name = names.shownKernels[names.kernels.numberOf(node.operation)],
                .slice = node.slice};
    }
    return {.kind = PartKind::Kernel,
            .name = names.kernels.of(node.operation).family,
            .slice = node.slice};
}

void PartNames::threadStretches(const Node& node, const PathPiece& piece,
                                std::vector<Stretch>& stretches) const {
    const GraphRank& rank = m_graph.ranks[node.rank];
    const TimeSpan recorded{piece.recorded.start - rank.shift, piece.recorded.end - rank.shift};
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
}

void PartNames::stretchesOf(const PathPiece& piece, std::vector<Stretch>& stretches) const {
    stretches.clear();
    Stretch one;
    if (piece.isGap) {
        one = gap(piece);
    } else {
        const Node& node = m_graph.nodes[piece.node];
        const trace::Trace& trace = *m_graph.ranks[node.rank].trace;
        switch (node.kind) {
            case NodeKind::Cpu:
                threadStretches(node, piece, stretches);
                return;
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
    stretches.push_back(one);
}

std::vector<Part> PartNames::sumUp(const std::vector<PathPiece>& path) const {
    PartSums sums(*this);
    for (std::uint32_t place = 0; place < path.size(); ++place) {
        sums.add(path[place], place);
    }
    return sums.parts();
}

void PartSums::add(const PathPiece& piece, std::uint32_t place) {
    const std::uint32_t rank = piece.node == kNoNode ? 0 : m_names.graph().nodes[piece.node].rank;
    m_names.stretchesOf(piece, m_stretches);
    for (const PartNames::Stretch& stretch : m_stretches) {
        Part& part = of({stretch.kind, rank, stretch.name});
        part.ns += stretch.ns;
        ++part.count;
        if (stretch.ns > part.longestNs || (stretch.ns == part.longestNs && place < part.piece)) {
            part.longestNs = stretch.ns;
            part.piece = place;
            part.slice = stretch.slice;
        }
    }
}

Part& PartSums::of(const Key& key) {
    // Few names recur again and again, each as one text in memory.
    const auto placeOf = [](const Key& one) {
        const auto& [kind, rank, name] = one;
        return std::tuple(name.data(), name.size(), kind, rank);
    };
    const std::size_t address = std::hash<const void*>()(std::get<0>(placeOf(key)));
    Recent& recent = m_recent[address / 8 % m_recent.size()];
    if (recent.part == nullptr || placeOf(recent.key) != placeOf(key)) {
        recent = {key, &m_parts[key]};
    }
    return *recent.part;
}

std::vector<Part> PartSums::parts() {
    const std::vector<GraphRank>& ranks = m_names.graph().ranks;
    std::vector<Part> parts;
    for (auto& [key, part] : m_parts) {
        const auto& [kind, rank, name] = key;
        part.kind = kind;
        part.name = ranks.size() == 1
                        ? std::string(name)
                        : "rank " + std::to_string(ranks[rank].rank) + ": " + std::string(name);
        parts.push_back(std::move(part));
    }
    std::ranges::stable_sort(parts, std::greater<>(), &Part::ns);
    return parts;
}

}  // namespace kinetoscope::path
