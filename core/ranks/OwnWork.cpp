// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/OwnWork.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

namespace kinetoscope::ranks {

namespace {

using query::OperationTime;

// The parts of `spans` that `other` leaves free; both disjoint and by start.
std::vector<TimeSpan> without(const std::vector<TimeSpan>& spans,
                              const std::vector<TimeSpan>& other) {
    std::vector<TimeSpan> left;
    auto next = other.begin();
    for (TimeSpan span : spans) {
        while (next != other.end() && next->end <= span.start) {
            ++next;
        }
        for (auto cut = next; cut != other.end() && cut->start < span.end; ++cut) {
            if (cut->start > span.start) {
                left.push_back({span.start, cut->start});
            }
            span.start = std::max(span.start, cut->end);
        }
        if (span.start < span.end) {
            left.push_back(span);
        }
    }
    return left;
}

// The parts of `spans` inside of `other`; both disjoint and by start.
std::vector<TimeSpan> common(const std::vector<TimeSpan>& spans,
                             const std::vector<TimeSpan>& other) {
    std::vector<TimeSpan> inside;
    auto next = other.begin();
    for (const TimeSpan span : spans) {
        while (next != other.end() && next->end <= span.start) {
            ++next;
        }
        for (auto at = next; at != other.end() && at->start < span.end; ++at) {
            inside.push_back({std::max(span.start, at->start), std::min(span.end, at->end)});
        }
    }
    return inside;
}

// A kernel that depends on another begins so soon after its end.
constexpr TimeNs kBeginsWithin = 10'000;

// The parts of the gaps up to the end of a communication kernel that ended them.
std::vector<TimeSpan> endedBy(const std::vector<TimeSpan>& gaps,
                              const std::vector<TimeSpan>& communication) {
    std::vector<TimeNs> ends;
    for (const TimeSpan span : communication) {
        ends.push_back(span.end);
    }
    std::ranges::sort(ends);
    std::vector<TimeSpan> waits;
    for (const TimeSpan gap : gaps) {
        const auto after = std::ranges::upper_bound(ends, gap.end);
        if (after != ends.begin() && *std::prev(after) > gap.start &&
            gap.end - *std::prev(after) < kBeginsWithin) {
            waits.push_back({gap.start, *std::prev(after)});
        }
    }
    return waits;
}

// When the host stood in a call that waits for the GPU.
std::vector<TimeSpan> synchronizing(const trace::Trace& trace) {
    std::vector<bool> waits(trace.names().size());
    for (NameId name = 0; name < waits.size(); ++name) {
        waits[name] = trace.text(name).find("Synchronize") != std::string_view::npos;
    }
    std::vector<TimeSpan> spans;
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (waits[trace.nameId(slice)] && (trace.category(slice) == trace::Category::Runtime ||
                                           trace.category(slice) == trace::Category::Driver)) {
            spans.push_back(trace.span(slice));
        }
    }
    return query::unionOfUnsorted(std::move(spans));
}

// The gaps between operations, by whether the next one was launched already.
struct Gaps {
    std::vector<TimeSpan> host;
    std::vector<TimeSpan> device;

    void add(TimeSpan gap, std::optional<TimeNs> launch) {
        const TimeNs launched = std::clamp(launch.value_or(gap.start), gap.start, gap.end);
        if (launched > gap.start) {
            host.push_back({gap.start, launched});
        }
        if (gap.end > launched) {
            device.push_back({launched, gap.end});
        }
    }
};

}  // namespace

OwnWork measureOwnWork(const trace::Trace& trace, const query::GpuRow& row,
                       const query::LaunchLinks& links,
                       const std::function<bool(trace::GpuOpId operation)>& isCommunication) {
    OwnWork work;
    std::vector<TimeSpan> compute;
    std::vector<TimeSpan> copies;
    std::vector<TimeSpan> communication;
    Gaps gaps;
    TimeNs end = std::numeric_limits<TimeNs>::min();
    for (const OperationTime& time : row.operations) {
        if (isCommunication(time.operation)) {
            communication.push_back(time.span);
            continue;
        }
        if (time.span.duration() <= 0) {
            continue;
        }
        const trace::SliceId call = links.apiCall(time.operation);
        const auto launch =
            call == trace::kNoSlice ? std::nullopt : std::optional(trace.start(call));
        if (!work.starts.empty() && time.span.start > end) {
            gaps.add({end, time.span.start}, launch);
        }
        const trace::SliceId slice = trace.gpuOperations()[time.operation].slice;
        (trace.category(slice) == trace::Category::Kernel ? compute : copies).push_back(time.span);
        end = std::max(end, time.span.end);
        work.starts.push_back(time.span.start);
        work.ends.push_back(end);
        work.launches.push_back(launch.value_or(time.span.start));
    }
    std::ranges::sort(work.launches);
    if (!work.starts.empty()) {
        work.extent = {work.starts.front(), work.ends.back()};
    }
    // A host that stood in a call did so for its GPU.
    std::vector<TimeSpan> waits = endedBy(gaps.device, communication);
    const std::vector<TimeSpan> stood =
        common(common(gaps.host, query::unionOf(communication)), synchronizing(trace));
    waits.insert(waits.end(), stood.begin(), stood.end());
    std::vector<TimeSpan> busy = query::unionOf(compute);
    work.copies = query::CoveredTime(without(query::unionOf(copies), busy));
    work.compute = query::CoveredTime(std::move(busy));
    work.hostGaps = query::CoveredTime(without(gaps.host, stood));
    work.waits = query::CoveredTime(query::unionOfUnsorted(std::move(waits)));
    return work;
}

void WorkTime::add(const WorkTime& more, int sign) {
    computeNs += sign * more.computeNs;
    copyNs += sign * more.copyNs;
    hostNs += sign * more.hostNs;
    deviceNs += sign * more.deviceNs;
}

WorkTime workIn(const OwnWork& work, TimeSpan span) {
    if (span.duration() <= 0) {
        return {};
    }
    WorkTime time{.computeNs = work.compute.inside(span),
                  .copyNs = work.copies.inside(span),
                  .hostNs = work.hostGaps.inside(span),
                  .deviceNs = 0};
    time.deviceNs = span.duration() - time.total() - work.waits.inside(span);
    return time;
}

}  // namespace kinetoscope::ranks
