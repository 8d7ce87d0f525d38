// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/WindowScope.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/query/Intervals.h"
#include "core/text/Format.h"

namespace kinetoscope::analysis {

namespace {

std::string describeSteps(const std::vector<Step>& steps) {
    if (steps.empty()) {
        return "the trace has no steps";
    }
    const auto [low, high] = std::ranges::minmax(steps, {}, &Step::number);
    return fmt::format("the trace has the steps {} to {}", low.number, high.number);
}

Result<WindowScope> resolveRange(const trace::Trace& trace, TimeSpan range) {
    const TimeSpan extent = trace.extent();
    if (range.end <= 0) {
        return fail(fmt::format("the window ends {} before the first event",
                                text::formatDuration(-range.end)));
    }
    if (range.start > 0 && range.start >= extent.duration()) {
        return fail(fmt::format(
            "the window starts {} after the first event, but the trace is only {} long",
            text::formatDuration(range.start), text::formatDuration(extent.duration())));
    }
    return WindowScope{
        false, false, {addTime(extent.start, range.start), addTime(extent.start, range.end)}};
}

}  // namespace

Result<WindowScope> resolveWindow(const trace::Trace& trace, const WindowChoice& choice,
                                  const std::vector<Step>& steps) {
    switch (choice.kind) {
        case WindowKind::Gpu:
            return WindowScope{};
        case WindowKind::Trace:
            return WindowScope{false, true, trace.extent()};
        case WindowKind::Step: {
            const auto step = std::ranges::find(steps, choice.step, &Step::number);
            if (step == steps.end()) {
                return fail(
                    fmt::format("there is no step {}; {}", choice.step, describeSteps(steps)));
            }
            return WindowScope{false, false, step->span};
        }
        case WindowKind::Range:
            break;
    }
    return resolveRange(trace, choice.range);
}

Result<WindowScope> resolveWindow(const trace::Trace& trace, const WindowChoice& choice) {
    const bool needsSteps = choice.kind == WindowKind::Step;
    return resolveWindow(trace, choice, needsSteps ? findSteps(trace) : std::vector<Step>{});
}

Result<TimeSpan> windowSpan(const trace::Trace& trace, const WindowChoice& choice) {
    const auto scope = resolveWindow(trace, choice);
    if (!scope) {
        return tl::unexpected(scope.error());
    }
    if (!scope->perGpu) {
        return scope->span;
    }
    const query::GpuTimeline timeline(trace);
    if (timeline.gpus().empty()) {
        return fail("the trace has no GPU work and so no GPU window; use --window trace");
    }
    TimeSpan span = timeline.gpus().front().extent;
    for (const query::GpuRow& row : timeline.gpus()) {
        span = {std::min(span.start, row.extent.start), std::max(span.end, row.extent.end)};
    }
    return span;
}

}  // namespace kinetoscope::analysis
