// SPDX-License-Identifier: Apache-2.0
#include "core/advise/Replays.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>

#include "core/base/SaturatedTime.h"
#include "core/base/Threads.h"

namespace kinetoscope::advise {

namespace {

// Less of a step is not a difference: it is in the rounding of the recorded times.
constexpr double kNoDifference = 0.001;

// Each has times and scales of its own.
constexpr std::size_t kMaxThreads = 4;

Changes changesIn(Changes changes, path::NodeId begin, path::NodeId end) {
    const auto first = std::ranges::lower_bound(changes, begin, {}, &NodeChange::node);
    const auto last = std::ranges::lower_bound(first, changes.end(), end, {}, &NodeChange::node);
    return {first, last};
}

}  // namespace

/// Of the steps that become shorter.
struct Replays::Sum {
    std::size_t steps = 0;
    double before = 0.0;  ///< ns; of many steps it may be more than a time can be
    double gained = 0.0;

    void add(const Sum& other) {
        steps += other.steps;
        before += other.before;
        gained += other.gained;
    }
};

/// State of one replaying thread.
class Replays::Replayer {
public:
    explicit Replayer(const path::Graph& graph) : m_times(graph) {}

    /// What lengthWith() is asked about from now on.
    void begin(const path::GraphStep& step, const path::Window& window) {
        m_step = &step;
        m_window = &window;
        m_scales.ofNode.assign(window.size(), 1.0);
        m_scales.isFree.assign(window.size(), false);
    }

    /// How long the step is with the changes; none where none of its nodes is changed.
    [[nodiscard]] std::optional<TimeNs> lengthWith(Changes changes) {
        m_changed.clear();
        for (const path::NodeId node : m_window->open) {
            apply(changesIn(changes, node, node + 1));
        }
        apply(changesIn(changes, m_window->begin, m_window->end));
        if (m_changed.empty()) {
            return std::nullopt;
        }
        m_times.replay(*m_window, m_scales);
        for (const std::size_t place : m_changed) {
            m_scales.ofNode[place] = 1.0;
            m_scales.isFree[place] = false;
        }
        return m_times.endOf(*m_step, *m_window).time - m_window->span.start;
    }

private:
    void apply(Changes changes) {
        for (const NodeChange& change : changes) {
            const std::size_t place = m_window->placeOf(change.node);
            m_scales.change(place, static_cast<double>(change.scale), change.free);
            m_changed.push_back(place);
        }
    }

    path::Times m_times;
    const path::GraphStep* m_step = nullptr;
    const path::Window* m_window = nullptr;
    path::Scales m_scales;               ///< 1.0 everywhere between two calls
    std::vector<std::size_t> m_changed;  ///< by place
};

Result<Replays> Replays::of(const path::Graph& graph) {
    auto windows = path::windowsOf(graph);
    if (!windows) {
        return tl::unexpected(windows.error());
    }
    return Replays(graph, std::move(*windows));
}

Replays::Replays(const path::Graph& graph, std::vector<path::Window> windows)
    : m_graph(&graph), m_windows(std::move(windows)) {
    // Without a change a replay gives the recorded times back.
    const path::Times times(graph);
    for (std::size_t step = 0; step < m_windows.size(); ++step) {
        m_unscaled.push_back(times.endOf(graph.steps[step], m_windows[step]).time -
                             m_windows[step].span.start);
    }
}

std::vector<Saving> Replays::saved(const std::vector<Changes>& each,
                                   const std::stop_token& stop) const {
    std::vector<Sum> sums(each.size());
    std::mutex mutex;
    std::atomic<std::size_t> next = 0;
    const auto threads = std::min<std::size_t>(kMaxThreads, std::thread::hardware_concurrency());
    // All changes of a step one after the other, while its nodes are in the cache; where there are
    // fewer steps than threads, each change is a job of its own.
    const std::size_t parts =
        m_windows.size() < threads ? std::max<std::size_t>(1, each.size()) : 1;
    const std::size_t jobs = m_windows.size() * parts;
    runOnThreads(static_cast<unsigned>(std::min(jobs, threads)), [&] {
        Replayer replayer(*m_graph);
        std::vector<Sum> own(each.size());
        for (std::size_t job = next++; job < jobs; job = next++) {
            throwIfStopped(stop);
            const std::size_t step = job / parts;
            const TimeNs before = m_unscaled[step];
            replayer.begin(m_graph->steps[step], m_windows[step]);
            for (std::size_t i = job % parts; i < each.size(); i += parts) {
                const auto length = replayer.lengthWith(each[i]);
                const TimeNs less = length ? before - *length : 0;
                if (static_cast<double>(less) > kNoDifference * static_cast<double>(before)) {
                    own[i].add({1, static_cast<double>(before), static_cast<double>(less)});
                }
            }
        }
        const std::scoped_lock lock(mutex);
        for (std::size_t i = 0; i < each.size(); ++i) {
            sums[i].add(own[i]);
        }
    });
    std::vector<Saving> savings;
    for (const Sum& sum : sums) {
        const auto steps = static_cast<double>(std::max<std::size_t>(1, sum.steps));
        savings.push_back({.ns = saturatedTime(sum.gained / steps),
                           .stepNs = saturatedTime(sum.before / steps),
                           .steps = sum.steps,
                           .ofSteps = m_windows.size()});
    }
    return savings;
}

TimeNs Replays::meanStepNs() const {
    const double sum = std::accumulate(m_unscaled.begin(), m_unscaled.end(), 0.0);
    return m_unscaled.empty() ? 0 : saturatedTime(sum / static_cast<double>(m_unscaled.size()));
}

}  // namespace kinetoscope::advise
