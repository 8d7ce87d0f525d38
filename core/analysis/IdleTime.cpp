// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/IdleTime.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/analysis/IdleGaps.h"

namespace kinetoscope::analysis {

namespace {

constexpr std::array kParts{&IdleTime::hostNs,  &IdleTime::launchNs,   &IdleTime::dependencyNs,
                            &IdleTime::graphNs, &IdleTime::profilerNs, &IdleTime::unknownNs};
constexpr std::array kNames{"host", "launch", "dependency", "graph", "profiler", "unknown"};
constexpr std::array<std::string_view, kIdleReasons.size()> kAdvice{
    "Make the host launch earlier: remove the synchronisation or work that delayed it, or launch "
    "many kernels at once with a CUDA graph or torch.compile.",
    "Launch fewer, larger kernels: fuse them or put them into a CUDA graph, so that launch latency "
    "is paid less often.",
    "Find what the operation waited for (an event, another stream, a copy, a collective); start "
    "that earlier or overlap other work with it.",
    "Fuse the small kernels inside the graph, or let its branches run in parallel: neither the "
    "host nor a launch is the limit here.",
    "Not caused by the program: the profiler itself was working; record fewer kinds of events, or "
    "a later step.",
    "Record with CPU activities: without the call that launched the next operation, the trace "
    "cannot show why it came late."};

class IdleSweep {
public:
    IdleSweep(const trace::Trace& trace, const query::LaunchLinks& links,
              const query::CoveredTime& overhead, TimeSpan window,
              const std::function<void(const IdleGap&)>& each)
        : m_trace(trace), m_links(links), m_overhead(overhead), m_window(window), m_each(each) {}

    // From the end of `before` to the start of `after`; either may be missing.
    void add(TimeSpan whole, const query::OperationTime* before,
             const query::OperationTime* after) {
        IdleGap gap;
        gap.span = m_window.clip(whole);
        if (gap.span.duration() <= 0) {
            return;
        }
        gap.parts.profilerNs = m_overhead.inside(gap.span);
        const TimeNs left = gap.span.duration() - gap.parts.profilerNs;
        if (before != nullptr) {
            gap.previous = m_trace.gpuOperations()[before->operation].slice;
        }
        if (after == nullptr) {
            gap.parts.unknownNs = left;
        } else {
            gap.next = m_trace.gpuOperations()[after->operation].slice;
            gap.launch = m_links.apiCall(after->operation);
            if (before != nullptr &&
                inOneGraphLaunch(m_trace, m_links, before->operation, after->operation)) {
                gap.parts.graphNs = left;
            } else if (gap.launch == trace::kNoSlice) {
                gap.parts.unknownNs = left;
            } else {
                divide(whole, gap);
            }
        }
        m_sum.add(gap.parts);
        if (m_each) {
            m_each(gap);
        }
    }

    [[nodiscard]] const IdleTime& sum() const { return m_sum; }

private:
    // The whole interval decides where one part ends and the next begins; the window cuts them.
    void divide(TimeSpan whole, IdleGap& gap) const {
        const TimeNs launched = std::clamp(m_trace.start(gap.launch), whole.start, whole.end);
        const TimeNs due = std::min(afterUncovered(launched), whole.end);
        gap.hostPart = m_window.clip({whole.start, launched});
        gap.parts.hostNs = uncovered(gap.hostPart);
        gap.parts.launchNs = uncovered(m_window.clip({launched, due}));
        gap.parts.dependencyNs = uncovered(m_window.clip({due, whole.end}));
    }

    [[nodiscard]] TimeNs uncovered(TimeSpan span) const {
        return span.duration() - m_overhead.inside(span);
    }

    // When kKernelWaitBelowNs without overhead have passed since `start`.
    [[nodiscard]] TimeNs afterUncovered(TimeNs start) const {
        const TimeNs least = addTime(start, kKernelWaitBelowNs);
        TimeNs end = least;
        for (TimeNs before = start; before != end;) {
            before = end;
            end = addTime(least, m_overhead.inside({start, before}));
        }
        return end;
    }

    const trace::Trace& m_trace;
    const query::LaunchLinks& m_links;
    const query::CoveredTime& m_overhead;
    TimeSpan m_window;
    const std::function<void(const IdleGap&)>& m_each;
    IdleTime m_sum;
};

}  // namespace

TimeNs IdleTime::of(IdleReason reason) const {
    return this->*kParts[static_cast<std::size_t>(reason)];
}

TimeNs IdleTime::total() const {
    TimeNs sum = 0;
    for (const auto part : kParts) {
        sum = addTime(sum, this->*part);
    }
    return sum;
}

IdleReason IdleTime::mainReason() const {
    const auto most =
        std::ranges::max_element(kParts, {}, [this](auto part) { return this->*part; });
    return static_cast<IdleReason>(most - kParts.begin());
}

void IdleTime::add(const IdleTime& more) {
    for (const auto part : kParts) {
        this->*part = addTime(this->*part, more.*part);
    }
}

const char* idleReasonName(IdleReason reason) {
    return kNames[static_cast<std::size_t>(reason)];
}

std::string_view idleReasonAdvice(IdleReason reason) {
    return kAdvice[static_cast<std::size_t>(reason)];
}

IdleTime measureIdle(const trace::Trace& trace, const query::GpuRow& row, const WindowScope& scope,
                     const query::LaunchLinks& links, const query::CoveredTime& overhead,
                     const std::function<void(const IdleGap& gap)>& each) {
    const TimeSpan window = scope.of(row);
    IdleSweep sweep(trace, links, overhead, window, each);
    const query::OperationTime* last = nullptr;  // that ended last
    TimeNs idleFrom = std::min(window.start, row.extent.start);
    for (const query::OperationTime& operation : row.operations) {
        if (operation.span.duration() <= 0) {
            continue;
        }
        sweep.add({idleFrom, operation.span.start}, last, &operation);
        if (last == nullptr || operation.span.end >= last->span.end) {
            last = &operation;
            idleFrom = operation.span.end;
        }
    }
    sweep.add({idleFrom, std::max(window.end, idleFrom)}, last, nullptr);
    return sweep.sum();
}

}  // namespace kinetoscope::analysis
