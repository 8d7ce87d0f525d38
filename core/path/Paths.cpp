// SPDX-License-Identifier: Apache-2.0
#include "core/path/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>
#include <ranges>
#include <thread>

#include "core/base/Threads.h"

namespace kinetoscope::path {

namespace {

// Less to replay is done before another thread has begun.
constexpr std::size_t kMinNodesOfThread = 50'000;

bool matchesAnything(const Graph& graph, const Window& window, const Scales& scales) {
    return std::ranges::any_of(std::views::iota(std::size_t{0}, window.size()), [&](auto place) {
        return scales.of(place) != 1.0 ||
               scales.waitingOf(place, graph.nodes[window.nodeAt(place)].kind) != 1.0;
    });
}

/// The requested rows of Graph::steps.
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

std::vector<const Window*> windowsAt(const std::vector<Window>& windows,
                                     const std::vector<std::size_t>& rows) {
    std::vector<const Window*> some;
    some.reserve(rows.size());
    for (const std::size_t row : rows) {
        some.push_back(&windows[row]);
    }
    return some;
}

Result<std::vector<StepPath>> find(const Graph& graph, const PathOptions& options) {
    const std::vector<std::size_t> rows = rowsOf(graph, options);
    const auto paths = Paths::of(graph, rows, options.stop);
    if (!paths) {
        return tl::unexpected(paths.error());
    }
    const auto changes = paths->prepare(options.changes, options.stop);
    if (!changes) {
        return tl::unexpected(changes.error());
    }
    std::vector<StepPath> found;
    for (const std::size_t row : rows) {
        throwIfStopped(options.stop);
        found.push_back(paths->recorded(row));
        found.back().changed = paths->afterEach(row, *changes, options.stop);
    }
    return found;
}

}  // namespace

double StepPath::inferred() const {
    return span.duration() <= 0
               ? 0.0
               : static_cast<double>(inferredNs) / static_cast<double>(span.duration());
}

Paths::Paths(const Graph& graph, std::vector<Window> windows, const std::vector<std::size_t>& rows,
             const std::stop_token& stop)
    : m_graph(&graph),
      m_windows(std::move(windows)),
      m_names(graph, windowsAt(m_windows, rows), stop) {}

Result<Paths> Paths::of(const Graph& graph, const std::vector<std::size_t>& rows,
                        const std::stop_token& stop) {
    return guarded([&]() -> Result<Paths> {
        auto windows = windowsOf(graph);
        if (!windows) {
            return tl::unexpected(windows.error());
        }
        return Paths(graph, std::move(*windows), rows, stop);
    });
}

StepPath Paths::recorded(std::size_t row) const {
    const GraphStep& step = m_graph->steps[row];
    Times times(*m_graph);
    times.replay(m_windows[row], {});
    const StepEnd end = times.endOf(step, m_windows[row]);
    StepPath path;
    path.number = step.number;
    path.span = step.span;
    path.replayedNs = end.time - step.span.start;
    path.pieces = walkPath(times, m_windows[row], end);
    path.parts = m_names.sumUp(path.pieces);
    for (const PathPiece& piece : path.pieces) {
        path.inferredNs += piece.inferred ? piece.span.duration() : 0;
    }
    return path;
}

Result<std::vector<Scaler>> Paths::prepare(const std::vector<Change>& changes,
                                           const std::stop_token& stop) const {
    return guarded([&]() -> Result<std::vector<Scaler>> {
        std::vector<Scaler> scalers;
        for (const Change& change : changes) {
            auto scaler = Scaler::of(*m_graph, m_names.kernels(), change, stop);
            if (!scaler) {
                return tl::unexpected(scaler.error());
            }
            scalers.push_back(std::move(*scaler));
        }
        return scalers;
    });
}

ChangedStep Paths::after(std::size_t row, const std::vector<const Scaler*>& changes) const {
    const Window& window = m_windows[row];
    Scales scales;
    ChangedStep changed;
    for (const Scaler* change : changes) {
        change->apply(window, scales);
        changed.change += (changed.change.empty() ? "" : " + ") + change->text();
    }
    Times times(*m_graph);
    times.replay(window, scales);
    const StepEnd end = times.endOf(m_graph->steps[row], window);
    changed.lengthNs = end.time - window.span.start;
    PartSums sums(m_names);
    auto place = std::numeric_limits<std::uint32_t>::max();
    eachPiece(times, window, end, [&](const PathPiece& piece) { sums.add(piece, place--); });
    changed.parts = sums.parts();
    changed.matches = matchesAnything(*m_graph, window, scales);
    return changed;
}

std::vector<ChangedStep> Paths::afterEach(std::size_t row, const std::vector<Scaler>& changes,
                                          const std::stop_token& stop) const {
    std::vector<std::vector<const Scaler*>> plans;
    plans.reserve(changes.size());
    for (const Scaler& change : changes) {
        plans.push_back({&change});
    }
    if (changes.size() > 1) {
        std::vector<const Scaler*>& all = plans.emplace_back();
        std::ranges::transform(changes, std::back_inserter(all),
                               [](const Scaler& change) { return &change; });
    }
    std::vector<ChangedStep> steps(plans.size());
    std::atomic<std::size_t> next = 0;
    const unsigned threads =
        m_windows[row].size() < kMinNodesOfThread ? 1 : std::thread::hardware_concurrency();
    runOnThreads(std::min(threads, static_cast<unsigned>(plans.size())), [&] {
        for (std::size_t plan = next++; plan < plans.size(); plan = next++) {
            throwIfStopped(stop);
            steps[plan] = after(row, plans[plan]);
        }
    });
    return steps;
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
