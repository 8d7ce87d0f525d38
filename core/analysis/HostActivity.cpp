// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/HostActivity.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace kinetoscope::analysis {

namespace {

// Spans that say nothing of what the host did: steps, and what surrounds the window.
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

}  // namespace

std::vector<HostActivity> findHostActivities(const trace::Trace& trace,
                                             std::span<const IdleGap> gaps, TimeSpan window,
                                             const std::vector<Step>& steps) {
    std::unordered_map<trace::TrackId, std::vector<trace::SliceId>> threads;
    for (const IdleGap& gap : gaps) {
        if (gap.hostPart.duration() > 0) {
            threads[trace.trackOf(gap.launch)];
        }
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
    std::vector<HostActivity> activities;
    activities.reserve(gaps.size());
    for (const IdleGap& gap : gaps) {
        activities.push_back(
            gap.hostPart.duration() > 0
                ? largestOverlap(trace, threads[trace.trackOf(gap.launch)], gap.hostPart)
                : HostActivity());
    }
    return activities;
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

}  // namespace kinetoscope::analysis
