// SPDX-License-Identifier: Apache-2.0
#include "core/query/StepSpans.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <limits>
#include <map>
#include <tuple>

namespace kinetoscope::query {

namespace {

constexpr std::string_view kProfilerStep = "ProfilerStep";
constexpr std::array<std::string_view, 3> kNeverSteps{"nccl:", "Optimizer.", "## Call "};

/// Members of one text of one thread, by start.
using Series = std::vector<StepSpan>;

void sortByStart(const trace::Trace& trace, Series& spans) {
    std::ranges::sort(spans, {}, [&](const StepSpan& span) {
        return std::tuple(trace.start(span.slice), span.slice);
    });
}

Series profilerSteps(const trace::Trace& trace) {
    Series steps;
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        const trace::Category category = trace.category(slice);
        if (category != trace::Category::UserAnnotation && category != trace::Category::CpuOp) {
            continue;
        }
        // Operators are many and their names short: the length alone rules most out.
        const std::string_view name = trace.name(slice);
        if (name.size() > kProfilerStep.size() && name.starts_with(kProfilerStep)) {
            const NumberedName numbered = splitNumberedName(name);
            if (numbered.isNumbered && numbered.text == kProfilerStep) {
                steps.push_back({slice, numbered.number});
            }
        }
    }
    sortByStart(trace, steps);
    return steps;
}

/// User annotations that no other one of their thread encloses, by thread, then start.
std::vector<trace::SliceId> outermostAnnotations(const trace::Trace& trace) {
    std::vector<trace::SliceId> all;
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.category(slice) == trace::Category::UserAnnotation) {
            all.push_back(slice);
        }
    }
    std::ranges::sort(all, {}, [&](trace::SliceId slice) {
        return std::tuple(trace.trackOf(slice), trace.start(slice), -trace.duration(slice), slice);
    });
    std::vector<trace::SliceId> outermost;
    TimeNs latestEnd = 0;
    for (std::size_t at = 0; at < all.size(); ++at) {
        const trace::SliceId slice = all[at];
        if (at == 0 || trace.trackOf(slice) != trace.trackOf(all[at - 1])) {
            latestEnd = std::numeric_limits<TimeNs>::min();
        }
        if (trace.end(slice) > latestEnd) {
            outermost.push_back(slice);
            latestEnd = trace.end(slice);
        }
    }
    return outermost;
}

bool countsUp(const Series& series) {
    for (std::size_t at = 1; at < series.size(); ++at) {
        if (series[at].number - series[at - 1].number != 1) {
            return false;
        }
    }
    return series.size() > 1;
}

Series numberedAnnotations(const trace::Trace& trace) {
    std::map<std::pair<trace::TrackId, std::string_view>, Series> seriesOf;
    for (const trace::SliceId slice : outermostAnnotations(trace)) {
        const NumberedName numbered = splitNumberedName(trace.name(slice));
        if (numbered.isNumbered) {
            seriesOf[{trace.trackOf(slice), numbered.text}].push_back({slice, numbered.number});
        }
    }
    Series best;
    for (auto& [key, series] : seriesOf) {
        sortByStart(trace, series);
        if (!countsUp(series)) {
            continue;
        }
        if (series.size() > best.size() ||
            (series.size() == best.size() &&
             trace.start(series.front().slice) < trace.start(best.front().slice))) {
            best = series;
        }
    }
    return best;
}

}  // namespace

NumberedName splitNumberedName(std::string_view name) {
    const auto hash = name.rfind('#');
    const bool isNever = std::ranges::any_of(
        kNeverSteps, [&](std::string_view prefix) { return name.starts_with(prefix); });
    if (hash == std::string_view::npos || hash == 0 || hash + 1 == name.size() || isNever) {
        return {};
    }
    NumberedName result{name.substr(0, hash), 0, false};
    const char* first = name.data() + hash + 1;
    const char* last = name.data() + name.size();
    const auto parsed = std::from_chars(first, last, result.number);
    result.isNumbered = *first != '-' && parsed.ec == std::errc() && parsed.ptr == last;
    return result;
}

std::vector<StepSpan> findAllStepSpans(const trace::Trace& trace) {
    Series steps = profilerSteps(trace);
    return steps.empty() ? numberedAnnotations(trace) : steps;
}

std::vector<StepSpan> findStepSpans(const trace::Trace& trace) {
    Series steps = findAllStepSpans(trace);
    const auto& window = trace.info().cutWindow;
    if (!window) {
        return steps;
    }
    const auto isWhole = [&](const StepSpan& step) {
        return window->start <= trace.start(step.slice) && trace.end(step.slice) <= window->end;
    };
    const auto isPart = [&](const StepSpan& step) {
        return window->overlaps(trace.span(step.slice));
    };
    if (std::ranges::any_of(steps, isWhole)) {
        std::erase_if(steps, std::not_fn(isWhole));
    } else {
        std::erase_if(steps, std::not_fn(isPart));
    }
    return steps;
}

}  // namespace kinetoscope::query
