// SPDX-License-Identifier: Apache-2.0
#include "core/path/ThreadWaits.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>

#include "core/base/SortRuns.h"
#include "core/base/Threads.h"

namespace kinetoscope::path {

namespace {

using trace::SliceId;
using trace::TrackId;

// To wake a thread takes tens of microseconds.
constexpr TimeNs kWakeUpNs = 100'000;

bool isWaiting(std::string_view name) {
    static constexpr std::array<std::string_view, 6> kCalls{
        "#_MultiProcessingDataLoaderIter.__next__",  // PyTorch's data loader
        "queue.py(",                                 // the rest from Python stacks
        "<built-in method wait of ",
        "<method 'acquire' of '_thread.lock' objects>",
        "<built-in method acquire of _thread.lock",
        "<method 'wait' of 'torch._C._distributed_c10d.Work' objects>"};
    return std::ranges::any_of(kCalls,
                               [&](std::string_view call) { return name.find(call) != name.npos; });
}

class ThreadWaitFinder {
public:
    explicit ThreadWaitFinder(const Tables& tables)
        : m_trace(tables.trace), m_launches(tables.trace.tracks().size()) {
        for (trace::GpuOpId id = 0; id < m_trace.gpuOperations().size(); ++id) {
            if (const SliceId call = tables.links.apiCall(id); call != trace::kNoSlice) {
                m_launches[m_trace.trackOf(call)] = true;
            }
        }
    }

    std::vector<Handover> find(const std::stop_token& stop) {
        findCalls();
        throwIfStopped(stop);
        if (!m_calls.empty()) {
            findEnds();
        }
        throwIfStopped(stop);
        std::vector<Handover> waits;
        TimeNs until = 0;
        std::optional<TrackId> before;
        for (const SliceId call : m_calls) {
            // Of calls inside of each other the outermost counts.
            const TimeSpan span = m_trace.span(call);
            const TrackId track = m_trace.trackOf(call);
            if (before == track && span.start < until) {
                continue;
            }
            before = track;
            until = span.end;
            add(track, span, waits);
        }
        return waits;
    }

private:
    void findCalls() {
        std::vector<signed char> known(m_trace.names().size(), -1);
        for (SliceId slice = 0; slice < m_trace.sliceCount(); ++slice) {
            if (!m_launches[m_trace.trackOf(slice)]) {
                continue;
            }
            signed char& waits = known[m_trace.nameId(slice)];
            if (waits < 0) {
                waits = static_cast<signed char>(isWaiting(m_trace.name(slice)));
            }
            if (waits == 1) {
                m_calls.push_back(slice);
            }
        }
        std::ranges::sort(m_calls, {}, [&](SliceId call) {
            return std::tuple(m_trace.trackOf(call), m_trace.start(call), -m_trace.end(call), call);
        });
    }

    // Of what threads without launches did, in processes with such calls.
    void findEnds() {
        for (const SliceId call : m_calls) {
            m_ends[processOf(m_trace.trackOf(call))];
        }
        for (SliceId slice = 0; slice < m_trace.sliceCount(); ++slice) {
            const TrackId track = m_trace.trackOf(slice);
            if (m_launches[track] || m_trace.tracks()[track].kind != trace::TrackKind::Thread) {
                continue;
            }
            if (const auto ends = m_ends.find(processOf(track)); ends != m_ends.end()) {
                ends->second.push_back({m_trace.end(slice), track});
            }
        }
        for (auto& [process, ends] : m_ends) {
            sortRuns(std::span(ends), [](const End& a, const End& b) { return a.time < b.time; });
        }
    }

    void add(TrackId track, TimeSpan call, std::vector<Handover>& waits) const {
        const std::vector<End>& ends = m_ends.at(processOf(track));
        const auto after = std::ranges::upper_bound(ends, call.end, {}, &End::time);
        if (after == ends.begin()) {
            return;
        }
        const End& last = *std::prev(after);
        if (last.time > std::max(call.start, call.end - kWakeUpNs)) {
            waits.push_back({track, call.start, call.end, last.track, last.time, true});
        }
    }

    [[nodiscard]] std::uint32_t processOf(TrackId track) const {
        return m_trace.tracks()[track].process;
    }

    struct End {
        TimeNs time;
        TrackId track;
    };

    const trace::Trace& m_trace;
    std::vector<bool> m_launches;                      ///< by track
    std::vector<SliceId> m_calls;                      ///< by track and start
    std::map<std::uint32_t, std::vector<End>> m_ends;  ///< by process
};

}  // namespace

std::vector<Handover> findThreadWaits(const Tables& tables, const std::stop_token& stop) {
    return ThreadWaitFinder(tables).find(stop);
}

}  // namespace kinetoscope::path
