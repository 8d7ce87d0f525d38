// SPDX-License-Identifier: Apache-2.0
#include "core/path/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <ranges>

#include "core/base/Threads.h"

namespace kinetoscope::path {

namespace {

/// A what-if, ready to be replayed.
struct Plan {
    std::string text;
    Scales scales;
};

/// A path before its parts are named.
struct Walked {
    TimeNs length = 0;
    std::vector<PathPiece> pieces;
};

void join(Scales& all, const Scales& more) {
    all.waiting *= more.waiting;
    if (all.ofNode.empty()) {
        all.ofNode = more.ofNode;
    } else {
        std::ranges::transform(all.ofNode, more.ofNode, all.ofNode.begin(), std::multiplies<>());
    }
    all.isFree.resize(std::max(all.isFree.size(), more.isFree.size()));
    std::transform(more.isFree.begin(), more.isFree.end(), all.isFree.begin(), all.isFree.begin(),
                   std::logical_or<>());
}

Result<std::vector<Plan>> plansOf(const Graph& graph, const Window& window,
                                  const PathOptions& options) {
    std::vector<Plan> plans;
    Plan all;
    for (const Change& change : options.changes) {
        Plan plan{change.text, {}};
        if (auto done = applyChange(graph, window, change, plan.scales, options.stop); !done) {
            return tl::unexpected(done.error());
        }
        all.text += (all.text.empty() ? "" : " + ") + change.text;
        join(all.scales, plan.scales);
        plans.push_back(std::move(plan));
    }
    if (plans.size() > 1) {
        plans.push_back(std::move(all));
    }
    return plans;
}

bool matchesAnything(const Graph& graph, const Window& window, const Scales& scales) {
    const auto isMeant = [&](NodeId node) {
        return scales.of(node) != 1.0 || scales.waitingOf(node, graph.nodes[node].kind) != 1.0;
    };
    const auto nodes = std::views::iota(window.begin, window.end);
    return std::ranges::any_of(window.open, isMeant) || std::ranges::any_of(nodes, isMeant);
}

/// The rows of Graph::steps that are asked for.
std::vector<std::size_t> rowsOf(const Graph& graph, const PathOptions& options) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < graph.steps.size(); ++i) {
        if ((!options.step || *options.step == graph.steps[i].number) &&
            (!options.row || *options.row == i)) {
            rows.push_back(i);
        }
    }
    return rows;
}

Walked walk(Times& times, const GraphStep& step, const Window& window, const Scales& scales) {
    times.replay(window, scales);
    const NodeId last = times.lastOf(step, window);
    const TimeNs end = times.endOf(step, window);
    Walked walked{end - step.span.start, walkPath(times, window, last, end)};
    times.restore(window);
    return walked;
}

Result<std::vector<StepPath>> find(const Graph& graph, const PathOptions& options) {
    const auto windows = windowsOf(graph);
    if (!windows) {
        return tl::unexpected(windows.error());
    }
    const std::vector<std::size_t> rows = rowsOf(graph, options);
    const Window everything{
        .span = {}, .begin = 0, .end = static_cast<NodeId>(graph.nodes.size()), .open = {}};
    const auto plans =
        plansOf(graph, rows.size() == 1 ? (*windows)[rows.front()] : everything, options);
    if (!plans) {
        return tl::unexpected(plans.error());
    }
    Times times(graph);
    std::vector<StepPath> paths;
    std::vector<std::vector<Walked>> changed;
    for (const std::size_t i : rows) {
        throwIfStopped(options.stop);
        const GraphStep& step = graph.steps[i];
        StepPath& path = paths.emplace_back();
        path.number = step.number;
        path.span = step.span;
        Walked walked = walk(times, step, (*windows)[i], {});
        path.replayedNs = walked.length;
        path.pieces = std::move(walked.pieces);
        std::vector<Walked>& others = changed.emplace_back();
        for (const Plan& plan : *plans) {
            throwIfStopped(options.stop);
            others.push_back(walk(times, step, (*windows)[i], plan.scales));
        }
    }
    std::vector<const std::vector<PathPiece>*> all;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        all.push_back(&paths[i].pieces);
        for (const Walked& walked : changed[i]) {
            all.push_back(&walked.pieces);
        }
    }
    const PartNames names(graph, all, options.stop);
    for (std::size_t i = 0; i < paths.size(); ++i) {
        throwIfStopped(options.stop);
        StepPath& path = paths[i];
        path.parts = names.sumUp(path.pieces);
        for (const PathPiece& piece : path.pieces) {
            path.inferredNs += piece.inferred ? piece.span.duration() : 0;
        }
        for (std::size_t plan = 0; plan < plans->size(); ++plan) {
            const Walked& walked = changed[i][plan];
            path.changed.push_back(
                {(*plans)[plan].text, walked.length, names.sumUp(walked.pieces),
                 matchesAnything(graph, (*windows)[rows[i]], (*plans)[plan].scales)});
        }
    }
    return paths;
}

}  // namespace

double StepPath::inferred() const {
    return span.duration() <= 0
               ? 0.0
               : static_cast<double>(inferredNs) / static_cast<double>(span.duration());
}

Result<std::vector<StepPath>> findPaths(const Graph& graph, const PathOptions& options) {
    const bool isThere =
        !options.step ||
        std::ranges::find(graph.steps, *options.step, &GraphStep::number) != graph.steps.end();
    if (!isThere) {
        return fail(graph.steps.empty()
                        ? "has no steps and no dependencies"
                        : fmt::format("has no step {}; its steps are {} to {}", *options.step,
                                      graph.steps.front().number, graph.steps.back().number));
    }
    return guarded([&] { return find(graph, options); });
}

}  // namespace kinetoscope::path
