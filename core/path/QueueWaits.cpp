// SPDX-License-Identifier: Apache-2.0
#include "core/path/QueueWaits.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/SortRuns.h"
#include "core/query/LaunchIds.h"
#include "core/stats/Statistics.h"

namespace kinetoscope::path {

namespace {

using trace::GpuOpId;
using trace::SliceId;

// CUDA's queue holds 1,024 entries, of which records of events and waits for them take some.
constexpr std::size_t kMinWaiting = 512;
constexpr TimeNs kTimesUsual = 2;

/// A call that launched, and the operation of it that ended last: a graph is one entry.
struct Launch {
    SliceId call;
    GpuOpId last;
    TimeNs end;  ///< of that operation
};

/// By file and GPU, in the order of their operations' starts.
std::map<std::pair<std::uint16_t, std::int64_t>, std::vector<Launch>> launchesOf(
    const Tables& tables) {
    std::map<std::pair<std::uint16_t, std::int64_t>, std::vector<Launch>> all;
    const trace::Trace& trace = tables.trace;
    for (const query::GpuRow& row : tables.timeline.gpus()) {
        std::unordered_map<SliceId, std::size_t> graphs;
        for (const query::OperationTime& time : row.operations) {
            const SliceId call = tables.links.apiCall(time.operation);
            if (call == trace::kNoSlice) {
                continue;
            }
            auto& launches = all[{query::sourceOf(trace, call), row.gpu}];
            if (tables.links.isGraphLaunch(time.operation)) {
                const auto [at, isNew] = graphs.try_emplace(call, launches.size());
                if (!isNew) {
                    Launch& graph = launches[at->second];
                    if (time.span.end > graph.end) {
                        graph.last = time.operation;
                        graph.end = time.span.end;
                    }
                    continue;
                }
            }
            launches.push_back({call, time.operation, time.span.end});
        }
    }
    return all;
}

/// The launches of one GPU.
class Queue {
public:
    Queue(const trace::Trace& trace, std::vector<Launch> launches)
        : m_trace(trace), m_byCall(std::move(launches)), m_byEnd(m_byCall) {
        sortRuns(std::span(m_byCall), [&](const Launch& a, const Launch& b) {
            return trace.start(a.call) < trace.start(b.call);
        });
        sortRuns(std::span(m_byEnd),
                 [](const Launch& a, const Launch& b) { return a.end < b.end; });
        for (const Launch& launch : m_byCall) {
            const auto after =
                std::ranges::upper_bound(m_byEnd, trace.end(launch.call), {}, &Launch::end);
            m_over.push_back(static_cast<std::size_t>(after - m_byEnd.begin()));
        }
    }

    void find(const std::unordered_set<SliceId>& known, std::vector<CallWait>& waits) const {
        std::optional<TimeNs> usual;
        for (std::size_t i = kMinWaiting; i < m_byCall.size(); ++i) {
            if (m_over[i] == 0 || waitingAt(i) < kMinWaiting) {
                continue;
            }
            usual = usual ? usual : usualDuration();
            const SliceId call = m_byCall[i].call;
            const TimeNs begin = m_trace.start(call);
            const Launch& last = m_byEnd[m_over[i] - 1];
            if (m_trace.span(call).duration() > kTimesUsual * *usual && last.end > begin &&
                m_trace.start(last.call) < begin && !known.contains(call)) {
                waits.push_back({call, last.last, true});
            }
        }
    }

private:
    // How many launches before this one were not over at its call's end.
    [[nodiscard]] std::size_t waitingAt(std::size_t launch) const {
        return launch - std::min(launch, m_over[launch]);
    }
    // The median of the calls that cannot have found the queue full.
    [[nodiscard]] TimeNs usualDuration() const {
        std::vector<TimeNs> durations;
        for (std::size_t i = 0; i < m_byCall.size(); ++i) {
            if (waitingAt(i) < kMinWaiting / 2) {
                durations.push_back(m_trace.span(m_byCall[i].call).duration());
            }
        }
        return durations.empty() ? 0 : stats::lowerMedian(durations);
    }

    const trace::Trace& m_trace;
    std::vector<Launch> m_byCall;     ///< by start of the call
    std::vector<Launch> m_byEnd;      ///< by end of the operation
    std::vector<std::size_t> m_over;  ///< by call: how many operations had ended at its end
};

}  // namespace

void addQueueWaits(const Tables& tables, std::vector<CallWait>& waits) {
    std::unordered_set<SliceId> known;
    for (const CallWait& wait : waits) {
        known.insert(wait.call);
    }
    for (auto& [key, launches] : launchesOf(tables)) {
        if (launches.size() > kMinWaiting) {
            Queue(tables.trace, std::move(launches)).find(known, waits);
        }
    }
    std::ranges::stable_sort(waits, {}, &CallWait::call);
}

}  // namespace kinetoscope::path
