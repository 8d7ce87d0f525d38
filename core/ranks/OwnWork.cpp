// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/OwnWork.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "core/ranks/parts/Spans.h"

namespace kinetoscope::ranks {

namespace {

using parts::without;
using query::OperationTime;

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

// A kernel that depends on another starts this soon after its end.
constexpr TimeNs kBeginsWithin = 10'000;

// The parts of the gaps up to the end of a communication kernel that ended them.
std::vector<TimeSpan> endedBy(const std::vector<TimeSpan>& gaps,
                              const std::vector<TimeSpan>& communication) {
    std::vector<TimeNs> ends;
    ends.reserve(communication.size());
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

// When the host stood in API calls with that in their names.
std::vector<TimeSpan> apiCalls(const trace::Trace& trace, std::string_view named,
                               TimeNs least = 0) {
    std::vector<bool> meant(trace.names().size());
    for (NameId name = 0; name < meant.size(); ++name) {
        meant[name] = trace.text(name).find(named) != std::string_view::npos;
    }
    std::vector<TimeSpan> spans;
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (meant[trace.nameId(slice)] && trace.duration(slice) >= least &&
            (trace.category(slice) == trace::Category::Runtime ||
             trace.category(slice) == trace::Category::Driver)) {
            spans.push_back(trace.span(slice));
        }
    }
    return query::unionOfUnsorted(std::move(spans));
}

// When the host waited for its GPU: in synchronising calls, in copies to and from memory that is
// not pinned, and in launches behind a full queue.
query::CoveredTime hostWaits(const trace::Trace& trace, std::vector<TimeSpan> synchronizing) {
    constexpr TimeNs kLongLaunch = 100'000;
    std::ranges::copy(apiCalls(trace, "Memcpy"), std::back_inserter(synchronizing));
    std::ranges::copy(apiCalls(trace, "Launch", kLongLaunch), std::back_inserter(synchronizing));
    return query::CoveredTime(query::unionOfUnsorted(std::move(synchronizing)));
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

// Spans that come by start, as a union.
class GrowingUnion {
public:
    void add(TimeSpan span) {
        if (!m_spans.empty() && span.start <= m_spans.back().end) {
            m_spans.back().end = std::max(m_spans.back().end, span.end);
        } else {
            m_spans.push_back(span);
        }
    }
    [[nodiscard]] const std::vector<TimeSpan>& spans() const { return m_spans; }

private:
    std::vector<TimeSpan> m_spans;
};

struct Part {
    WorkKind kind;
    std::span<const TimeSpan> spans;  ///< disjoint from those of all others, by start
};

// Puts the parts in one order; what lies between them is a gap of the device.
WorkRuns joinRuns(const std::vector<Part>& parts) {
    WorkRuns runs;
    std::vector<std::size_t> next(parts.size());
    TimeSpan run;
    WorkKind kind = WorkKind::Device;
    const auto append = [&](WorkKind then, TimeSpan span) {
        if (then != kind && !run.empty()) {
            runs.append(run.start, kind, run.duration());
        }
        run = {then == kind && !run.empty() ? run.start : span.start, span.end};
        kind = then;
    };
    for (;;) {
        const Part* first = nullptr;
        std::size_t* row = nullptr;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (next[i] < parts[i].spans.size() &&
                (first == nullptr || parts[i].spans[next[i]].start < first->spans[*row].start)) {
                first = &parts[i];
                row = &next[i];
            }
        }
        if (first == nullptr) {
            break;
        }
        const TimeSpan span = first->spans[(*row)++];
        if (!run.empty() && span.start > run.end) {
            append(WorkKind::Device, {run.end, span.start});
        }
        append(first->kind, span);
    }
    if (!run.empty()) {
        runs.append(run.start, kind, run.duration());
    }
    return runs;
}

}  // namespace

MeasuredWork measureOwnWork(const trace::Trace& trace, const query::GpuRow& row,
                            const query::LaunchLinks& links,
                            const std::function<bool(trace::GpuOpId operation)>& isCommunication) {
    MeasuredWork measured;
    GrowingUnion compute;
    GrowingUnion copies;
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
        if (!measured.work.starts.empty() && time.span.start > end) {
            gaps.add({end, time.span.start}, launch);
        }
        const trace::SliceId slice = trace.gpuOperations()[time.operation].slice;
        (trace.category(slice) == trace::Category::Kernel ? compute : copies).add(time.span);
        end = std::max(end, time.span.end);
        measured.work.starts.append(time.span.start);
        measured.order.ends.push_back(end);
        measured.order.launches.push_back(launch.value_or(time.span.start));
    }
    std::ranges::sort(measured.order.launches);
    std::vector<TimeSpan> synchronizing = apiCalls(trace, "Synchronize");
    // A host that stood in a call did so for its GPU.
    std::vector<TimeSpan> waits = endedBy(gaps.device, communication);
    const std::vector<TimeSpan> stood =
        common(common(gaps.host, query::unionOf(communication)), synchronizing);
    measured.order.hostWaits = hostWaits(trace, std::move(synchronizing));
    waits.insert(waits.end(), stood.begin(), stood.end());
    waits = query::unionOfUnsorted(std::move(waits));
    const std::vector<TimeSpan> alone = without(copies.spans(), compute.spans());
    const std::vector<TimeSpan> late = without(gaps.host, stood);
    measured.work.runs = joinRuns({{WorkKind::Compute, compute.spans()},
                                   {WorkKind::Copy, alone},
                                   {WorkKind::Host, late},
                                   {WorkKind::Wait, waits}});
    return measured;
}

}  // namespace kinetoscope::ranks
