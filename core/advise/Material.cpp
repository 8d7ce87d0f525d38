// SPDX-License-Identifier: Apache-2.0
#include "core/advise/Material.h"

#include <algorithm>

#include "core/text/KernelLabel.h"

namespace kinetoscope::advise {

using trace::GpuOpId;
using trace::SliceId;

namespace {

constexpr std::size_t kLabelColumns = 72;

}  // namespace

Material::Material(const path::Graph& graph, const path::Tables& tables,
                   const Result<model::LaunchedCalls>& calls, std::stop_token stop)
    : m_graph(graph), m_tables(tables), m_calls(calls), m_stop(std::move(stop)), m_names(trace()) {
    m_nodeOf.assign(trace().gpuOperations().size(), path::kNoNode);
    for (path::NodeId node = 0; node < graph.nodes.size(); ++node) {
        if (graph.nodes[node].kind == path::NodeKind::Operation) {
            m_nodeOf[graph.nodes[node].operation] = node;
        }
    }
}

GpuOpId Material::operationOf(SliceId slice) const {
    const auto operations = trace().gpuOperations();
    const auto found = std::ranges::lower_bound(operations, slice, {}, &trace::GpuOperation::slice);
    return static_cast<GpuOpId>(found - operations.begin());
}

std::optional<std::size_t> Material::stepAt(TimeNs time) const {
    const auto after = std::ranges::upper_bound(
        m_graph.steps, time, {}, [](const path::GraphStep& step) { return step.span.start; });
    if (after == m_graph.steps.begin() || !std::prev(after)->span.contains(time)) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(after - m_graph.steps.begin()) - 1;
}

std::string labelOf(std::string_view kernel) {
    return text::fitKernelLabel(text::kernelLabel(kernel), kLabelColumns);
}

FindingEvent eventOf(const trace::Trace& trace, SliceId slice) {
    const bool isKernel = trace.category(slice) == trace::Category::Kernel;
    return {slice, trace.span(slice),
            isKernel ? labelOf(trace.name(slice)) : std::string(trace.name(slice))};
}

std::vector<FindingEvent> longestEvents(const trace::Trace& trace, std::vector<SliceId> slices) {
    const std::size_t kept = std::min(slices.size(), kMaxEvents);
    std::ranges::partial_sort(
        slices, slices.begin() + static_cast<std::ptrdiff_t>(kept), std::greater<>(),
        [&](SliceId slice) { return std::pair(trace.duration(slice), -trace.start(slice)); });
    std::vector<FindingEvent> events;
    for (std::size_t i = 0; i < kept; ++i) {
        events.push_back(eventOf(trace, slices[i]));
    }
    return events;
}

void sortChanges(std::vector<NodeChange>& changes) {
    std::ranges::stable_sort(changes, {}, &NodeChange::node);
    const auto kept =
        std::unique(changes.rbegin(), changes.rend(),
                    [](const NodeChange& a, const NodeChange& b) { return a.node == b.node; });
    changes.erase(changes.begin(), kept.base());
}

}  // namespace kinetoscope::advise
