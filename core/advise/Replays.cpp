// SPDX-License-Identifier: Apache-2.0
#include "core/advise/Replays.h"

#include <algorithm>

#include "core/base/Threads.h"

namespace kinetoscope::advise {

namespace {

// Less of a step is not a difference: it is in the rounding of the recorded times.
constexpr double kNoDifference = 0.001;

}  // namespace

Result<Replays> Replays::of(const path::Graph& graph) {
    auto windows = path::windowsOf(graph);
    if (!windows) {
        return tl::unexpected(windows.error());
    }
    return Replays(graph, std::move(*windows));
}

Replays::Replays(const path::Graph& graph, std::vector<path::Window> windows)
    : m_graph(&graph), m_windows(std::move(windows)), m_times(graph) {
    // Without a change a replay gives the recorded times back.
    for (std::size_t step = 0; step < m_windows.size(); ++step) {
        m_unscaled.push_back(m_times.endOf(graph.steps[step], m_windows[step]) -
                             m_windows[step].span.start);
    }
    m_scales.ofNode.assign(graph.nodes.size(), 1.0);
    m_scales.isFree.assign(graph.nodes.size(), false);
}

TimeNs Replays::lengthOf(std::size_t step) {
    const path::Window& window = m_windows[step];
    m_times.replay(window, m_scales);
    const TimeNs length = m_times.endOf(m_graph->steps[step], window) - window.span.start;
    m_times.restore(window);
    return length;
}

bool Replays::isTouched(const path::Window& window, std::span<const NodeChange> changes) const {
    const auto first = std::ranges::lower_bound(changes, window.begin, {}, &NodeChange::node);
    return (first != changes.end() && first->node < window.end) ||
           std::ranges::any_of(window.open, [&](path::NodeId node) {
               return std::ranges::binary_search(changes, node, {}, &NodeChange::node);
           });
}

Saving Replays::saved(std::span<const NodeChange> changes, const std::stop_token& stop) {
    for (const NodeChange& change : changes) {
        m_scales.ofNode[change.node] *= static_cast<double>(change.scale);
        m_scales.isFree[change.node] = m_scales.isFree[change.node] || change.free;
    }
    Saving saving{.ofSteps = m_windows.size()};
    TimeNs before = 0;
    TimeNs gained = 0;
    for (std::size_t step = 0; step < m_windows.size() && !stop.stop_requested(); ++step) {
        if (!isTouched(m_windows[step], changes)) {
            continue;
        }
        const TimeNs less = m_unscaled[step] - lengthOf(step);
        if (static_cast<double>(less) > kNoDifference * static_cast<double>(m_unscaled[step])) {
            ++saving.steps;
            before += m_unscaled[step];
            gained += less;
        }
    }
    for (const NodeChange& change : changes) {
        m_scales.ofNode[change.node] = 1.0;
        m_scales.isFree[change.node] = false;
    }
    throwIfStopped(stop);
    if (saving.steps > 0) {
        saving.ns = gained / static_cast<TimeNs>(saving.steps);
        saving.stepNs = before / static_cast<TimeNs>(saving.steps);
    }
    return saving;
}

TimeNs Replays::meanStepNs() const {
    TimeNs sum = 0;
    for (const TimeNs length : m_unscaled) {
        sum = addTime(sum, length);
    }
    return m_unscaled.empty() ? 0 : sum / static_cast<TimeNs>(m_unscaled.size());
}

}  // namespace kinetoscope::advise
