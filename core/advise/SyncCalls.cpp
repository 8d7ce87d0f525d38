// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/advise/HostTime.h"
#include "core/advise/Rule.h"

namespace kinetoscope::advise {

namespace {

using path::Node;
using path::NodeId;
using path::NodeKind;
using trace::SliceId;

/// Calls of one place of the program that wait for the GPU.
struct Site {
    std::string what;    ///< operator or call
    std::string python;  ///< its line; "" where the trace has none
    std::vector<SliceId> calls;
    std::vector<NodeId> nodes;
    TimeNs ns = 0;  ///< of the calls
};

// What waits for the GPU, but for copies to it from pageable memory, which have a rule of their
// own, and for launches that wait because the queue is full.
std::vector<NodeId> waitingNodes(const Material& material) {
    const trace::Trace& trace = material.trace();
    std::vector<SliceId> others;
    for (trace::GpuOpId id = 0; id < trace.gpuOperations().size(); ++id) {
        const SliceId slice = material.sliceOf(id);
        if (trace.category(slice) != trace::Category::GpuMemcpy ||
            isPageableUpload(trace.name(slice))) {
            others.push_back(material.links().apiCall(id));
        }
    }
    std::ranges::sort(others);
    std::vector<NodeId> nodes;
    for (NodeId id = 0; id < material.graph().nodes.size(); ++id) {
        const Node& node = material.graph().nodes[id];
        if (node.kind == NodeKind::Wait && node.slice != trace::kNoSlice &&
            !std::ranges::binary_search(others, node.slice) && material.stepAt(node.start)) {
            nodes.push_back(id);
        }
    }
    return nodes;
}

std::string nameOfOperator(std::string_view name) {
    return name == "aten::_local_scalar_dense" || name == "aten::item" ? ".item()"
                                                                       : std::string(name);
}

std::vector<Site> findSites(const Material& material) {
    const trace::Trace& trace = material.trace();
    const std::vector<NodeId> nodes = waitingNodes(material);
    std::vector<SliceId> calls;
    calls.reserve(nodes.size());
    for (const NodeId node : nodes) {
        calls.push_back(material.graph().nodes[node].slice);
    }
    const auto operators = innermostAround(trace, calls, AroundKind::Operator);
    const auto lines = innermostAround(trace, calls, AroundKind::PythonLine);
    std::map<std::pair<std::string, std::string>, Site> sites;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::string what = operators[i] == trace::kNoSlice
                                     ? std::string(trace.name(calls[i]))
                                     : nameOfOperator(trace.name(operators[i]));
        const std::string python =
            lines[i] == trace::kNoSlice ? std::string() : std::string(trace.name(lines[i]));
        Site& site = sites[{what, python}];
        site.what = what;
        site.python = python;
        site.calls.push_back(calls[i]);
        site.nodes.push_back(nodes[i]);
        site.ns = addTime(site.ns, trace.duration(calls[i]));
    }
    std::vector<Site> sorted;
    sorted.reserve(sites.size());
    for (auto& [key, site] : sites) {
        sorted.push_back(std::move(site));
    }
    std::ranges::stable_sort(sorted, std::greater<>(), &Site::ns);
    sorted.resize(std::min(sorted.size(), kMaxOfOne));
    return sorted;
}

Finding findingOf(const Material& material, const Site& site) {
    const std::size_t steps = material.steps();
    std::set<std::size_t> in;
    for (const SliceId call : site.calls) {
        in.insert(material.stepAt(material.trace().start(call)).value_or(0));
    }
    const std::string often =
        in.size() == steps
            ? timesOf(site.calls.size(), steps) + material.each("a step")
            : fmt::format("{} in {} of {} steps", timesOf(site.calls.size(), 1), in.size(), steps);
    Finding finding;
    finding.title = fmt::format("{} waits for the GPU, {}{}", site.what, often,
                                site.python.empty() ? "" : ": " + site.python);
    finding.todo =
        "Keep the value on the GPU and read it later or less often; copy to pinned memory with "
        "non_blocking=True; remove synchronize() from the loop.";
    finding.whatIf = "the calls return at once without waiting";
    finding.evidence = {
        {"calls" + material.each("a step"), perStep(site.calls.size(), steps),
         "API calls that return only when earlier GPU work has finished", material.allSteps()},
        {"time in them" + material.each("a step"), durationPerStep(site.ns, steps),
         "Total duration of the calls", material.allSteps()},
        {"call", std::string(material.trace().name(site.calls.front())), "", ""},
        {"Python line", site.python.empty() ? "not recorded: with_stack=True" : site.python,
         "Innermost function of the program around the call, by its first line", ""}};
    finding.events = longestEvents(material.trace(), site.calls);
    for (const NodeId node : site.nodes) {
        finding.changes.push_back({.node = node, .scale = 0.0F, .free = true});
    }
    return finding;
}

Found findSyncCalls(const Material& material) {
    if (!hasApiCalls(material.trace())) {
        return {{}, std::string(kNoApiCalls)};
    }
    Found found;
    for (const Site& site : findSites(material)) {
        found.findings.push_back(findingOf(material, site));
    }
    return found;
}

}  // namespace

Rule syncCallsRule() {
    return {{"sync-calls", "Calls that wait for the GPU",
             "The host waits in a call until the GPU has caught up, and launches nothing in the "
             "meantime."},
            findSyncCalls};
}

}  // namespace kinetoscope::advise
