// SPDX-License-Identifier: Apache-2.0
#include "core/path/Changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/base/Threads.h"
#include "core/model/Roofline.h"
#include "core/text/Printable.h"

namespace kinetoscope::path {

namespace {

using trace::Category;
using trace::GpuOpId;
using trace::SliceId;
using trace::TrackId;

constexpr std::string_view kForms =
    "kernel:/REGEX/=F, operator:/REGEX/=F, family:NAME=F, host=F, launch=F, comm=F, copy=F, "
    "wait=F, roof";

tl::unexpected<Error> failWith(std::string_view text, std::string_view what) {
    return fail(fmt::format("'{}' is not a what-if: {}; it is one of {}", text::printable(text),
                            what, kForms));
}

std::optional<double> factorOf(std::string_view text) {
    double factor = 0.0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), factor, std::chars_format::fixed);
    const bool isWhole = error == std::errc() && end == text.data() + text.size();
    return isWhole && std::isfinite(factor) && factor >= 0.0 && factor <= kMaxFactor
               ? std::optional(factor)
               : std::nullopt;
}

std::optional<ChangeKind> wordKind(std::string_view word) {
    constexpr std::array kWords{std::pair{std::string_view("host"), ChangeKind::Host},
                                std::pair{std::string_view("launch"), ChangeKind::Launch},
                                std::pair{std::string_view("comm"), ChangeKind::Communication},
                                std::pair{std::string_view("copy"), ChangeKind::Copy},
                                std::pair{std::string_view("wait"), ChangeKind::Wait},
                                std::pair{std::string_view("kernel"), ChangeKind::Kernel},
                                std::pair{std::string_view("family"), ChangeKind::Family},
                                std::pair{std::string_view("operator"), ChangeKind::Operator}};
    const auto* const found =
        std::ranges::find(kWords, word, [](const auto& known) { return known.first; });
    return found == kWords.end() ? std::nullopt : std::optional(found->second);
}

// Durations times this, by operation.
std::vector<double> operationScales(const trace::Trace& trace, const analysis::KernelNames& names,
                                    const Change& change) {
    std::vector<bool> matches(names.size());
    for (std::uint32_t name = 0; name < names.size(); ++name) {
        const analysis::KernelNameFacts& facts = names.facts(name);
        matches[name] = change.kind == ChangeKind::Kernel
                            ? change.filter.matches(trace.text(facts.name))
                            : change.kind == ChangeKind::Family && facts.family == change.name;
    }
    std::vector<double> scales;
    scales.reserve(trace.gpuOperations().size());
    for (GpuOpId id = 0; id < trace.gpuOperations().size(); ++id) {
        const bool isMeant =
            change.kind == ChangeKind::Communication ? analysis::isCommunication(trace, names, id)
            : change.kind == ChangeKind::Copy
                ? trace.category(trace.gpuOperations()[id].slice) != Category::Kernel
                : matches[names.numberOf(id)];
        scales.push_back(isMeant ? change.factor : 1.0);
    }
    return scales;
}

Result<std::vector<double>> roofScales(const trace::Trace& trace, const std::stop_token& stop) {
    const auto calls = model::findLaunchedCalls(trace, {.stop = stop});
    if (!calls) {
        return tl::unexpected(calls.error());
    }
    const model::Roofline roofline = model::makeRoofline(trace, *calls, model::RooflineBy::Shape);
    std::vector<double> scales(trace.gpuOperations().size(), 1.0);
    for (std::size_t i = 0; i < calls->operations.size(); ++i) {
        if (const std::uint32_t row = roofline.rowOfOperation[i]; row != model::kNoRow) {
            scales[calls->operations[i]] =
                std::min(1.0, roofline.rows[row].efficiency.value_or(1.0));
        }
    }
    return scales;
}

// Time in operators of that name, whatever is called inside of them.
std::map<TrackId, query::CoveredTime> operatorTimes(const trace::Trace& trace,
                                                    const query::NameFilter& filter) {
    std::vector<signed char> isMeant(trace.names().size(), -1);
    std::map<TrackId, std::vector<TimeSpan>> spans;
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        const Category category = trace.category(slice);
        if (category == Category::CpuOp || category == Category::UserAnnotation ||
            category == Category::PythonFunction) {
            signed char& known = isMeant[trace.nameId(slice)];
            if (known < 0) {
                known = static_cast<signed char>(filter.matches(trace.name(slice)));
            }
            if (known == 1) {
                spans[trace.trackOf(slice)].push_back(trace.span(slice));
            }
        }
    }
    std::map<TrackId, query::CoveredTime> covered;
    for (auto& [track, some] : spans) {
        covered.emplace(track, query::unionOfUnsorted(std::move(some)));
    }
    return covered;
}

}  // namespace

Result<Change> parseChange(std::string_view text) {
    Change change;
    change.text = text;
    if (text == "roof") {
        change.kind = ChangeKind::Roof;
        return change;
    }
    const auto equals = text.rfind('=');
    if (equals == std::string_view::npos) {
        return failWith(text, "it has no factor");
    }
    const auto factor = factorOf(text.substr(equals + 1));
    if (!factor) {
        return failWith(text,
                        fmt::format("its factor is not a number from 0 to {:.0f}", kMaxFactor));
    }
    change.factor = *factor;
    const std::string_view target = text.substr(0, equals);
    const auto colon = target.find(':');
    const auto kind = wordKind(target.substr(0, colon));
    const bool takesName = kind && *kind <= ChangeKind::Operator;
    if (!kind || takesName != (colon != std::string_view::npos)) {
        return failWith(text, "nothing of that name can be changed");
    }
    change.kind = *kind;
    if (!takesName) {
        return change;
    }
    change.name = target.substr(colon + 1);
    if (change.name.empty()) {
        return failWith(text, "it names nothing");
    }
    if (change.kind != ChangeKind::Family) {
        auto filter = query::NameFilter::make(change.name);
        if (!filter) {
            return failWith(text, filter.error().message);
        }
        change.filter = std::move(*filter);
    }
    return change;
}

Result<Scaler> Scaler::of(const Graph& graph,
                          const std::vector<const analysis::KernelNames*>& names, Change change,
                          const std::stop_token& stop) {
    Scaler scaler(graph, std::move(change));
    for (std::size_t rank = 0; rank < graph.ranks.size(); ++rank) {
        throwIfStopped(stop);
        const trace::Trace& trace = *graph.ranks[rank].trace;
        OfRank& of = scaler.m_ranks.emplace_back();
        switch (scaler.m_change.kind) {
            case ChangeKind::Kernel:
            case ChangeKind::Family:
            case ChangeKind::Communication:
            case ChangeKind::Copy:
                of.ofOperation = operationScales(trace, *names[rank], scaler.m_change);
                break;
            case ChangeKind::Roof: {
                auto scales = roofScales(trace, stop);
                if (!scales) {
                    return tl::unexpected(scales.error());
                }
                of.ofOperation = std::move(*scales);
                break;
            }
            case ChangeKind::Operator:
                of.operators = operatorTimes(trace, scaler.m_change.filter);
                break;
            case ChangeKind::Host:
            case ChangeKind::Launch:
            case ChangeKind::Wait:
            case ChangeKind::Nodes:
                break;
        }
    }
    return scaler;
}

void Scaler::apply(const Window& window, Scales& scales) const {
    scales.ofNode.resize(window.size(), 1.0);
    if (m_change.kind == ChangeKind::Wait) {
        scales.waiting *= m_change.factor;
        return;
    }
    if (m_change.kind == ChangeKind::Nodes) {
        scales.isFree.resize(window.size());
        for (const NodeChange& node : m_change.nodes) {
            if (const std::size_t place = window.placeOf(node.node); place < window.size()) {
                scales.change(place, static_cast<double>(node.scale), node.free);
            }
        }
        return;
    }
    for (std::size_t place = 0; place < window.size(); ++place) {
        scales.ofNode[place] *= scaleOf(m_graph->nodes[window.nodeAt(place)]);
    }
}

double Scaler::scaleOf(const Node& node) const {
    switch (m_change.kind) {
        case ChangeKind::Host:
            return node.kind <= NodeKind::Wait ? m_change.factor : 1.0;
        case ChangeKind::Launch:
            return node.kind == NodeKind::Call ? m_change.factor : 1.0;
        case ChangeKind::Operator:
            return scaleInOperators(node);
        default:
            return node.kind == NodeKind::Operation ? m_ranks[node.rank].ofOperation[node.operation]
                                                    : 1.0;
    }
}

// Of pieces of threads the part inside, and operations that were launched inside.
double Scaler::scaleInOperators(const Node& node) const {
    const GraphRank& rank = m_graph->ranks[node.rank];
    if (node.kind == NodeKind::Operation) {
        const SliceId call = rank.calls[node.operation];
        const TimeNs at = call == trace::kNoSlice ? 0 : rank.trace->start(call);
        const bool isMeant = call != trace::kNoSlice &&
                             inOperators(node.rank, rank.trace->trackOf(call), {at, at + 1}) > 0;
        return isMeant ? m_change.factor : 1.0;
    }
    if (node.duration <= 0) {
        return 1.0;
    }
    const TimeNs start = node.start - rank.shift;
    const auto part =
        static_cast<double>(inOperators(node.rank, node.track, {start, start + node.duration})) /
        static_cast<double>(node.duration);
    return 1.0 + (m_change.factor - 1.0) * part;
}

TimeNs Scaler::inOperators(std::uint32_t rank, TrackId track, TimeSpan span) const {
    const auto found = m_ranks[rank].operators.find(track);
    return found == m_ranks[rank].operators.end() ? 0 : found->second.inside(span);
}

}  // namespace kinetoscope::path
