// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "core/analysis/WindowScope.h"
#include "core/cut/Cut.h"
#include "core/import/event/EventArguments.h"
#include "core/import/load/LoadTrace.h"
#include "tests/support/MemoryFiles.h"

namespace kinetoscope::test {

/// Slices by name and start, and by correlation where that is read from JSON.
using SliceCounts = std::map<std::tuple<std::string, TimeNs, std::int64_t>, int>;

/// What of a slice can be compared: arguments that were repaired may say more than before.
struct Comparable {
    bool names = true;
    bool correlations = true;
};

[[nodiscard]] inline SliceCounts slicesIn(const trace::Trace& trace, TimeSpan window,
                                          Comparable comparable) {
    SliceCounts counts;
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (window.overlaps(trace.span(slice))) {
            const bool hasIds =
                import::event::argumentsNeeded(trace::categoryKind(trace.categoryId(slice))) !=
                import::event::ArgumentNeeds::Nothing;
            ++counts[{comparable.names ? std::string(trace.name(slice)) : std::string(),
                      trace.start(slice),
                      comparable.correlations && hasIds ? trace.correlation(slice) : trace::kNoId}];
        }
    }
    return counts;
}

/// Samples of counters and ends of flows, each described, by how often they are there.
using MarkCounts = std::map<std::string, int>;

enum class Marks : std::uint8_t { Ignored, Compared };

[[nodiscard]] inline MarkCounts marksIn(const trace::Trace& trace) {
    MarkCounts counts;
    for (const trace::CounterSample& sample : trace.counters()) {
        const trace::RowId label = trace.tracks()[sample.track].tid;
        ++counts[fmt::format("sample of {} {} at {} ns: {}", trace.rowIdText(label),
                             trace.text(sample.series), sample.time, sample.value)];
    }
    for (const trace::FlowPoint& flow : trace.flows()) {
        ++counts[fmt::format("{} of the flow {} {} at {} ns", flow.phase, flow.id,
                             trace.text(flow.name), flow.time)];
    }
    return counts;
}

/// The first of the marks that `part` lacks; empty if it has all.
[[nodiscard]] inline std::string markMissingIn(const trace::Trace& part,
                                               const trace::Trace& trace) {
    const MarkCounts kept = marksIn(part);
    for (const auto& [mark, count] : marksIn(trace)) {
        const auto found = kept.find(mark);
        if (found == kept.end() || found->second < count) {
            return mark;
        }
    }
    return {};
}

/// What is wrong with the cut of a text, however damaged, at `window`; empty when the cut is strict
/// JSON with all slices that it should have, and when there is nothing to cut. `cuts` counts those
/// that were written. `marks`: whether a window of the whole trace must keep them, too.
[[nodiscard]] inline std::string wrongWithCut(std::string_view text, const char* window,
                                              int* cuts = nullptr, Marks marks = Marks::Ignored) {
    import::LoadOptions oneThread;
    oneThread.threads = 1;
    const MemoryFile input(text);
    const auto trace = import::loadTrace(input.path(), oneThread);
    cut::CutOptions options;
    options.window = analysis::parseWindow(window).value();
    if (!trace || !analysis::windowSpan(**trace, options.window)) {
        return {};
    }
    Pipe pipe;
    options.output = pipe.path();
    const auto summary = cut::cutTrace(**trace, options);
    const std::string written = pipe.content();
    if (!summary) {
        return "no cut: " + summary.error().message;
    }
    if (written.size() != summary->outputBytes) {
        return "not all was written";
    }
    // A zero byte ends a text for the parser.
    if (!nlohmann::json::accept(written) || written.find('\0') != std::string::npos) {
        return "no strict JSON:\n" + written;
    }
    if (summary->unrepairable.events > 0) {
        return "an event was left out";
    }
    const MemoryFile copy(written);
    const auto part = import::loadTrace(copy.path(), oneThread);
    if (!part) {
        return "the cut is not a trace: " + part.error().message;
    }
    // Of repaired arguments more may be understood than before: a correlation may have come back,
    // or another one, and XLA's slices are called after their arguments and their process.
    const bool asItWas = summary->repaired.events == 0;
    const auto isXla = [](const auto& of) { return (*of)->info().format.starts_with("XLA"); };
    const Comparable comparable{.names = asItWas || !(isXla(trace) || isXla(part)),
                                .correlations = asItWas};
    using Limits = std::numeric_limits<TimeNs>;
    const SliceCounts kept = slicesIn(**part, {Limits::min(), Limits::max()}, comparable);
    for (const auto& [slice, count] : slicesIn(**trace, summary->window, comparable)) {
        const auto found = kept.find(slice);
        if (found == kept.end() || found->second < count) {
            return fmt::format("slice {} at {} ns, correlation {}, is missing:\n{}",
                               std::get<0>(slice), std::get<1>(slice), std::get<2>(slice), written);
        }
    }
    if (marks == Marks::Compared && asItWas) {
        if (const std::string missing = markMissingIn(**part, **trace); !missing.empty()) {
            return fmt::format("{} is missing:\n{}", missing, written);
        }
    }
    if (cuts != nullptr) {
        ++*cuts;
    }
    return {};
}

}  // namespace kinetoscope::test
