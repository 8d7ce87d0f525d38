// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/OwnWork.h"

#include <algorithm>
#include <limits>

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

TimeNs launchOf(const trace::Trace& trace, const query::LaunchLinks& links,
                const OperationTime& time) {
    const trace::SliceId call = links.apiCall(time.operation);
    return call == trace::kNoSlice ? time.span.start : trace.start(call);
}

}  // namespace

OwnWork measureOwnWork(const trace::Trace& trace, const query::GpuRow& row,
                       const query::LaunchLinks& links,
                       const std::function<bool(trace::GpuOpId operation)>& isCommunication) {
    OwnWork work;
    std::vector<TimeSpan> compute;
    std::vector<TimeSpan> copies;
    std::vector<TimeSpan> hostGaps;
    TimeNs end = std::numeric_limits<TimeNs>::min();
    for (const OperationTime& time : row.operations) {
        if (time.span.duration() <= 0 || isCommunication(time.operation)) {
            continue;
        }
        const trace::SliceId slice = trace.gpuOperations()[time.operation].slice;
        const TimeNs launch = launchOf(trace, links, time);
        if (!work.starts.empty() && time.span.start > end) {
            const TimeNs launched = std::clamp(launch, end, time.span.start);
            if (launched > end && links.apiCall(time.operation) != trace::kNoSlice) {
                hostGaps.push_back({end, launched});
            }
        }
        (trace.category(slice) == trace::Category::Kernel ? compute : copies).push_back(time.span);
        end = std::max(end, time.span.end);
        work.starts.push_back(time.span.start);
        work.ends.push_back(end);
        work.launches.push_back(launch);
    }
    std::ranges::sort(work.launches);
    if (!work.starts.empty()) {
        work.extent = {work.starts.front(), work.ends.back()};
    }
    std::vector<TimeSpan> busy = query::unionOf(compute);
    work.copies = query::CoveredTime(without(query::unionOf(copies), busy));
    work.compute = query::CoveredTime(std::move(busy));
    work.hostGaps = query::CoveredTime(std::move(hostGaps));
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
    time.deviceNs = span.duration() - time.total();
    return time;
}

}  // namespace kinetoscope::ranks
