// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>

#include "core/analysis/WindowScope.h"
#include "core/query/GpuTimeline.h"
#include "core/query/Intervals.h"
#include "core/query/LaunchLinks.h"

namespace kinetoscope::analysis {

enum class IdleReason : std::uint8_t { Host, Launch, Dependency, Graph, Profiler, Unknown };

/// Time in which nothing ran on a GPU, by the reason why the operation that ended it had not
/// started yet. The parts sum to the idle time to the nanosecond.
struct IdleTime {
    TimeNs hostNs = 0;    ///< it was not launched yet
    TimeNs launchNs = 0;  ///< it was: the first 30 µs after that or the gap's start
    TimeNs dependencyNs =
        0;                  ///< beyond them it waited for an event, a stream, a copy, a collective
    TimeNs graphNs = 0;     ///< between two operations of one graph launch
    TimeNs profilerNs = 0;  ///< events of the profiler's own overhead; taken out first
    TimeNs unknownNs = 0;   ///< its launch is not in the trace, or no operation followed

    [[nodiscard]] TimeNs of(IdleReason reason) const;
    [[nodiscard]] TimeNs total() const;
    /// That with the most time, the first of equals.
    [[nodiscard]] IdleReason mainReason() const;
    void add(const IdleTime& more);
};

inline constexpr std::array kIdleReasons{IdleReason::Host,       IdleReason::Launch,
                                         IdleReason::Dependency, IdleReason::Graph,
                                         IdleReason::Profiler,   IdleReason::Unknown};

/// "host", "launch", "dependency", "graph", "profiler", "unknown".
[[nodiscard]] const char* idleReasonName(IdleReason reason);

/// The same for people.
[[nodiscard]] constexpr std::string_view idleReasonLabel(IdleReason reason) {
    constexpr std::array<std::string_view, kIdleReasons.size()> kLabels{
        "Host", "Launch", "Dependency", "Inside graphs", "Profiler", "Launch unknown"};
    return kLabels[static_cast<std::size_t>(reason)];
}

/// One sentence: what to do about idle time of this reason.
[[nodiscard]] std::string_view idleReasonAdvice(IdleReason reason);

/// One interval in which nothing ran on a GPU.
struct IdleGap {
    TimeSpan span;      ///< clipped to the window, as `parts` is
    IdleTime parts;     ///< sum to the span
    TimeSpan hostPart;  ///< before the launch of the next operation; may be empty
    trace::SliceId previous = trace::kNoSlice;  ///< that ended last before it; none at the begin
    trace::SliceId next = trace::kNoSlice;      ///< the operation that ended it; none at the end
    trace::SliceId launch = trace::kNoSlice;    ///< the call that launched `next`
};

/// The sum over every interval of the window without an operation of this GPU. `each` gets them by
/// start.
[[nodiscard]] IdleTime measureIdle(const trace::Trace& trace, const query::GpuRow& row,
                                   const WindowScope& scope, const query::LaunchLinks& links,
                                   const query::CoveredTime& overhead,
                                   const std::function<void(const IdleGap& gap)>& each = {});

}  // namespace kinetoscope::analysis
