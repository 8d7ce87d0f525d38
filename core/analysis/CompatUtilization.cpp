// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/CompatUtilization.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/base/SortRuns.h"
#include "core/base/Threads.h"

namespace kinetoscope::analysis {

namespace {

constexpr std::array<std::string_view, 4> kMmConvNames{"gemm", "conv", "cutlass", "wgrad"};

/// Nanoseconds as the microseconds that Python reads from the same digits.
double microseconds(TimeNs ns) {
    constexpr TimeNs kExact = TimeNs{1} << 53U;  // doubles have all whole numbers up to here
    if (-kExact < ns && ns < kExact) {
        return static_cast<double>(ns) / 1000.0;
    }
    return static_cast<double>(static_cast<long double>(ns) / 1000.0L);
}

/// A complete event of a GPU row, in microseconds.
struct CompatEvent {
    double ts = 0.0;
    double dur = 0.0;
    NameId name = kEmptyName;
};

/// Whether each process is one that a process_labels event calls a GPU.
std::vector<bool> gpuProcesses(const trace::Trace& trace) {
    const auto key = [](trace::RowId id) { return std::pair(id.isText, id.value); };
    std::vector<trace::RowId> pids = trace.compatFacts().gpuPids;
    std::ranges::sort(pids, {}, key);
    std::vector<bool> isGpu;
    for (const trace::Process& process : trace.processes()) {
        isGpu.push_back(std::ranges::binary_search(pids, key(process.pid), {}, key));
    }
    return isGpu;
}

/// The whole duration of a merged row; the first event counts even when it is negative.
double mergedDuration(const std::vector<CompatEvent>& events) {
    if (events.empty()) {
        return 0.0;
    }
    double end = events.front().ts + events.front().dur;
    double total = events.front().dur;
    for (std::size_t at = 1; at < events.size(); ++at) {
        const double start = std::max(events[at].ts, end);
        const double eventEnd = events[at].ts + events[at].dur;
        total += std::max(eventEnd - start, 0.0);
        end = std::max(end, eventEnd);
    }
    return total;
}

/// Finds the event that Python would fail on; empty if there is none.
std::string missingField(const trace::Trace& trace, const std::vector<bool>& isGpu) {
    const auto isOnGpu = [&](trace::TrackId track) { return isGpu[trace.tracks()[track].process]; };
    if (trace.compatFacts().labelsMissing) {
        return "a process_labels event has no args.labels";
    }
    if (std::ranges::any_of(trace.compatFacts().slicesWithoutTime, isOnGpu)) {
        return "an event of a GPU process has no ts";
    }
    const auto& notComplete = trace.compatFacts().notComplete;
    for (const trace::InvalidDuration& invalid : trace.invalidDurations()) {
        if (invalid.missing && isOnGpu(trace.trackOf(invalid.slice)) &&
            !std::ranges::binary_search(notComplete, invalid.slice)) {
            return fmt::format("the event \"{}\" of a GPU process has no dur",
                               trace.name(invalid.slice));
        }
    }
    return {};
}

std::vector<CompatEvent> gpuEvents(const trace::Trace& trace, const std::vector<bool>& isGpu,
                                   const std::stop_token& stop) {
    std::vector<CompatEvent> events;
    // Both lists are in order of the slices.
    auto invalid = trace.invalidDurations().begin();
    auto other = trace.compatFacts().notComplete.begin();
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (slice % kSlicesBetweenStops == 0) {
            throwIfStopped(stop);
        }
        if (!isGpu[trace.tracks()[trace.trackOf(slice)].process]) {
            continue;
        }
        TimeNs duration = trace.duration(slice);
        for (; invalid != trace.invalidDurations().end() && invalid->slice <= slice; ++invalid) {
            duration = invalid->slice == slice ? invalid->duration : duration;
        }
        other = std::find_if(other, trace.compatFacts().notComplete.end(),
                             [&](trace::SliceId id) { return id >= slice; });
        if (other == trace.compatFacts().notComplete.end() || *other != slice) {
            events.push_back(
                {microseconds(trace.start(slice)), microseconds(duration), trace.nameId(slice)});
        }
    }
    sortRuns(std::span(events),
             [](const CompatEvent& a, const CompatEvent& b) { return a.ts < b.ts; });
    return events;
}

bool isMmConvName(std::string_view name) {
    return std::ranges::any_of(kMmConvNames, [&](std::string_view part) {
        return name.find(part) != std::string_view::npos;
    });
}

}  // namespace

CompatBusy compatBusy(const trace::Trace& trace, const std::stop_token& stop) {
    CompatBusy result;
    const std::vector<bool> isGpu = gpuProcesses(trace);
    result.reason = missingField(trace, isGpu);
    if (!result.reason.empty()) {
        return result;
    }
    std::vector<CompatEvent> events = gpuEvents(trace, isGpu, stop);
    result.us = mergedDuration(events);
    std::vector<std::optional<bool>> isMmConv(trace.names().size());
    std::erase_if(events, [&](const CompatEvent& event) {
        auto& known = isMmConv[event.name];
        known = known ? known : isMmConvName(trace.text(event.name));
        return !*known;
    });
    result.mmConvUs = mergedDuration(events);
    return result;
}

}  // namespace kinetoscope::analysis
