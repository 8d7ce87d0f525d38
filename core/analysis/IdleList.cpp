// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/IdleList.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/analysis/IdleGaps.h"
#include "core/base/Threads.h"

namespace kinetoscope::analysis {

namespace {

// Spans that do not explain what the host did: steps, and spans around the whole window.
class Surroundings {
public:
    Surroundings(TimeSpan window, const std::vector<Step>& steps) : m_window(window) {
        for (const Step& step : steps) {
            m_steps.insert({step.span.start, step.cpuEndNs});
        }
    }

    [[nodiscard]] bool has(TimeSpan span) const {
        return (span.start <= m_window.start && span.end >= m_window.end) ||
               m_steps.contains({span.start, span.end});
    }

private:
    TimeSpan m_window;
    std::set<std::pair<TimeNs, TimeNs>> m_steps;
};

// The outermost slices of a thread by start, which do not overlap.
std::vector<trace::SliceId> outermost(const trace::Trace& trace, std::vector<trace::SliceId> slices,
                                      const Surroundings& surroundings) {
    std::ranges::stable_sort(slices, [&](trace::SliceId a, trace::SliceId b) {
        return trace.start(a) != trace.start(b) ? trace.start(a) < trace.start(b)
                                                : trace.end(a) > trace.end(b);
    });
    std::vector<trace::SliceId> kept;
    for (const trace::SliceId slice : slices) {
        const bool isInside = !kept.empty() && trace.start(slice) < trace.end(kept.back());
        if (!isInside && trace.duration(slice) > 0 && !surroundings.has(trace.span(slice))) {
            kept.push_back(slice);
        }
    }
    return kept;
}

HostActivity largestOverlap(const trace::Trace& trace, const std::vector<trace::SliceId>& slices,
                            TimeSpan part) {
    HostActivity found;
    TimeNs covered = 0;
    auto next = std::ranges::lower_bound(slices, part.start, {},
                                         [&](trace::SliceId slice) { return trace.end(slice); });
    for (; next != slices.end() && trace.start(*next) < part.end; ++next) {
        const TimeNs overlap = part.clip(trace.span(*next)).duration();
        covered += overlap;
        if (overlap > found.overlapNs) {
            found = {*next, overlap};
        }
    }
    return part.duration() - covered > found.overlapNs ? HostActivity() : found;
}

bool isLonger(const NamedGap& a, const NamedGap& b) {
    return a.span.duration() != b.span.duration() ? a.span.duration() > b.span.duration()
                                                  : a.span.start < b.span.start;
}

Result<IdleList> list(const trace::Trace& trace, const WindowChoice& window, std::size_t most,
                      const std::stop_token& stop) {
    const query::LaunchLinks links(trace);
    throwIfStopped(stop);
    const query::GpuTimeline timeline(trace);
    const query::CoveredTime overhead = overheadTime(trace);
    const std::vector<Step> steps = findSteps(trace, timeline, links);
    const auto scope = resolveWindow(trace, window, steps);
    if (!scope) {
        return tl::unexpected(scope.error());
    }
    IdleList list;
    for (const query::GpuRow& row : timeline.gpus()) {
        throwIfStopped(stop);
        LongestGaps longest(row.gpu, most);
        list.sum.add(measureIdle(trace, row, *scope, links, overhead,
                                 [&](const IdleGap& gap) { longest.add(gap); }));
        list.count += longest.count();
        std::vector<NamedGap> gaps = longest.take();
        std::ranges::sort(gaps, {}, [](const NamedGap& gap) { return gap.span.start; });
        throwIfStopped(stop);
        nameHostActivities(trace, scope->of(row), steps, gaps);
        std::ranges::move(gaps, std::back_inserter(list.gaps));
    }
    return list;
}

}  // namespace

void LongestGaps::add(const IdleGap& gap) {
    if (gap.span.duration() < kMinGapNs) {
        return;
    }
    ++m_count;
    const NamedGap named{gap, m_gpu, {}};
    if (m_heap.size() == m_most) {
        if (m_most == 0 || !isLonger(named, m_heap.front())) {
            return;
        }
        std::ranges::pop_heap(m_heap, isLonger);
        m_heap.pop_back();
    }
    m_heap.push_back(named);
    std::ranges::push_heap(m_heap, isLonger);
}

std::vector<NamedGap> LongestGaps::take() {
    std::ranges::sort(m_heap, isLonger);
    return std::move(m_heap);
}

void nameHostActivities(const trace::Trace& trace, TimeSpan window, const std::vector<Step>& steps,
                        std::vector<NamedGap>& gaps) {
    std::unordered_map<trace::TrackId, std::vector<trace::SliceId>> threads;
    for (const NamedGap& gap : gaps) {
        if (gap.hostPart.duration() > 0) {
            threads[trace.trackOf(gap.launch)];
        }
    }
    if (threads.empty()) {
        return;
    }
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (const auto thread = threads.find(trace.trackOf(slice)); thread != threads.end()) {
            thread->second.push_back(slice);
        }
    }
    const Surroundings surroundings(window, steps);
    for (auto& [track, slices] : threads) {
        slices = outermost(trace, std::move(slices), surroundings);
    }
    for (NamedGap& gap : gaps) {
        if (gap.hostPart.duration() > 0) {
            gap.host = largestOverlap(trace, threads[trace.trackOf(gap.launch)], gap.hostPart);
        }
    }
}

const char* activityKind(const trace::Trace& trace, trace::SliceId slice) {
    const std::string_view name = trace.name(slice);
    if (name.find("DataLoader") != std::string_view::npos) {
        return "data loader";
    }
    switch (trace.category(slice)) {
        case trace::Category::CpuOp:
            return "operator";
        case trace::Category::PythonFunction:
            return "Python function";
        case trace::Category::UserAnnotation:
            return "annotation";
        case trace::Category::Runtime:
        case trace::Category::Driver:
            return name.find("Synchronize") != std::string_view::npos ? "synchronizing call"
                                                                      : "API call";
        default:
            return "other";
    }
}

Result<IdleList> listIdleGaps(const trace::Trace& trace, const WindowChoice& window,
                              std::size_t most, const std::stop_token& stop) {
    return guarded([&] { return list(trace, window, most, stop); });
}

}  // namespace kinetoscope::analysis
