// SPDX-License-Identifier: Apache-2.0
#include "core/path/Changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "core/analysis/KernelNames.h"
#include "core/base/Threads.h"
#include "core/model/Roofline.h"
#include "core/query/Intervals.h"
#include "core/query/LaunchLinks.h"
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

/// Scales the nodes of one trace.
class RankScaler {
public:
    RankScaler(const Graph& graph, const Window& window, std::uint32_t rank, const Change& change,
               Scales& scales, const std::stop_token& stop)
        : m_graph(graph),
          m_window(window),
          m_rank(rank),
          m_trace(*graph.ranks[rank].trace),
          m_change(change),
          m_scales(scales),
          m_stop(stop) {}

    Result<void> run() {
        switch (m_change.kind) {
            case ChangeKind::Kernel:
            case ChangeKind::Family:
            case ChangeKind::Communication:
            case ChangeKind::Copy:
                scaleOperations();
                break;
            case ChangeKind::Operator:
                scaleOperators();
                break;
            case ChangeKind::Host:
            case ChangeKind::Launch:
                scaleThreads();
                break;
            case ChangeKind::Roof:
                return scaleToRoof();
            case ChangeKind::Wait:
            case ChangeKind::Nodes:
                break;
        }
        return {};
    }

private:
    template <class Visit>
    void eachNode(Visit visit) {
        const auto take = [&](NodeId node) {
            if (m_graph.nodes[node].rank == m_rank) {
                visit(m_graph.nodes[node], m_scales.ofNode[node]);
            }
        };
        std::ranges::for_each(m_window.open, take);
        for (NodeId node = m_window.begin; node < m_window.end; ++node) {
            take(node);
        }
    }
    [[nodiscard]] GpuOpId operationOf(SliceId slice) const {
        const auto operations = m_trace.gpuOperations();
        const auto found =
            std::ranges::lower_bound(operations, slice, {}, &trace::GpuOperation::slice);
        return static_cast<GpuOpId>(found - operations.begin());
    }

    void scaleOperations() {
        const analysis::KernelNames names(m_trace);
        std::vector<bool> matches(names.size());
        for (std::uint32_t name = 0; name < names.size(); ++name) {
            const analysis::KernelNameFacts& facts = names.facts(name);
            matches[name] =
                m_change.kind == ChangeKind::Kernel
                    ? m_change.filter.matches(m_trace.text(facts.name))
                    : m_change.kind == ChangeKind::Family && facts.family == m_change.name;
        }
        eachNode([&](const Node& node, double& scale) {
            if (node.kind != NodeKind::Operation) {
                return;
            }
            const GpuOpId id = operationOf(node.slice);
            const bool isKernel = m_trace.category(node.slice) == Category::Kernel;
            const bool isMeant = m_change.kind == ChangeKind::Communication
                                     ? analysis::isCommunication(m_trace, names, id)
                                 : m_change.kind == ChangeKind::Copy ? !isKernel
                                                                     : matches[names.numberOf(id)];
            scale *= isMeant ? m_change.factor : 1.0;
        });
    }

    void scaleThreads() {
        eachNode([&](const Node& node, double& scale) {
            const bool isMeant = m_change.kind == ChangeKind::Launch ? node.kind == NodeKind::Call
                                                                     : node.kind <= NodeKind::Wait;
            scale *= isMeant ? m_change.factor : 1.0;
        });
    }

    // Time in operators of that name, whatever is called inside of them.
    void scaleOperators() {
        const std::map<TrackId, query::CoveredTime> covered = operatorTimes();
        const query::LaunchLinks links(m_trace);
        const TimeNs shift = m_graph.ranks[m_rank].shift;
        const auto inside = [&](TrackId track, TimeSpan span) {
            const auto found = covered.find(track);
            return found == covered.end() ? 0 : found->second.inside(span);
        };
        eachNode([&](const Node& node, double& scale) {
            if (node.kind == NodeKind::Operation) {
                const SliceId call = links.apiCall(operationOf(node.slice));
                const TimeNs at = call == trace::kNoSlice ? 0 : m_trace.start(call);
                const bool isMeant =
                    call != trace::kNoSlice && inside(m_trace.trackOf(call), {at, at + 1}) > 0;
                scale *= isMeant ? m_change.factor : 1.0;
            } else if (node.duration > 0) {
                const TimeNs start = node.start - shift;
                const auto part =
                    static_cast<double>(inside(node.track, {start, start + node.duration})) /
                    static_cast<double>(node.duration);
                scale *= 1.0 + (m_change.factor - 1.0) * part;
            }
        });
    }
    [[nodiscard]] std::map<TrackId, query::CoveredTime> operatorTimes() const {
        std::vector<signed char> isMeant(m_trace.names().size(), -1);
        std::map<TrackId, std::vector<TimeSpan>> spans;
        for (SliceId slice = 0; slice < m_trace.sliceCount(); ++slice) {
            const Category category = m_trace.category(slice);
            if (category == Category::CpuOp || category == Category::UserAnnotation ||
                category == Category::PythonFunction) {
                signed char& known = isMeant[m_trace.nameId(slice)];
                known = known >= 0 ? known : m_change.filter.matches(m_trace.name(slice)) ? 1 : 0;
                if (known == 1) {
                    spans[m_trace.trackOf(slice)].push_back(m_trace.span(slice));
                }
            }
        }
        std::map<TrackId, query::CoveredTime> covered;
        for (auto& [track, some] : spans) {
            covered.emplace(track, query::unionOfUnsorted(std::move(some)));
        }
        return covered;
    }

    Result<void> scaleToRoof() {
        const auto calls = model::findLaunchedCalls(m_trace, {.stop = m_stop});
        if (!calls) {
            return tl::unexpected(calls.error());
        }
        const model::Roofline roofline =
            model::makeRoofline(m_trace, *calls, model::RooflineBy::Shape);
        std::vector<double> scaleOf(m_trace.gpuOperations().size(), 1.0);
        for (std::size_t i = 0; i < calls->operations.size(); ++i) {
            if (const std::uint32_t row = roofline.rowOfOperation[i]; row != model::kNoRow) {
                scaleOf[calls->operations[i]] =
                    std::min(1.0, roofline.rows[row].efficiency.value_or(1.0));
            }
        }
        eachNode([&](const Node& node, double& scale) {
            scale *= node.kind == NodeKind::Operation ? scaleOf[operationOf(node.slice)] : 1.0;
        });
        return {};
    }

    const Graph& m_graph;
    const Window& m_window;
    std::uint32_t m_rank;
    const trace::Trace& m_trace;
    const Change& m_change;
    Scales& m_scales;
    const std::stop_token& m_stop;
};

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

Result<void> applyChange(const Graph& graph, const Window& window, const Change& change,
                         Scales& scales, const std::stop_token& stop) {
    if (scales.ofNode.empty()) {
        scales.ofNode.assign(graph.nodes.size(), 1.0);
    }
    if (change.kind == ChangeKind::Wait) {
        scales.waiting *= change.factor;
    }
    if (change.kind == ChangeKind::Nodes) {
        scales.isFree.resize(graph.nodes.size());
    }
    for (const NodeChange& node : change.nodes) {
        scales.ofNode[node.node] *= static_cast<double>(node.scale);
        scales.isFree[node.node] = scales.isFree[node.node] || node.free;
    }
    for (std::uint32_t rank = 0; rank < graph.ranks.size(); ++rank) {
        throwIfStopped(stop);
        if (auto done = RankScaler(graph, window, rank, change, scales, stop).run(); !done) {
            return done;
        }
    }
    return {};
}

}  // namespace kinetoscope::path
