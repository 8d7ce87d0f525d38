// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/IdleGaps.h"

#include <algorithm>
#include <unordered_map>

namespace kinetoscope::analysis {

namespace {

/// The gap of a stream before one operation.
struct Gap {
    TimeSpan span;
    trace::GpuOpId before = 0;  ///< the operation that ended last
    trace::GpuOpId after = 0;
};

class StreamSweep {
public:
    StreamSweep(const trace::Trace& trace, const query::LaunchLinks& links,
                const query::CoveredTime& overhead, TimeSpan window)
        : m_trace(trace), m_links(links), m_overhead(overhead), m_window(window) {}

    void add(const Gap& gap, StreamGaps& gaps) const {
        const TimeSpan shown = m_window.clip(gap.span);
        const TimeNs overhead = m_overhead.inside(shown);
        gaps.overheadNs += overhead;
        reasonOf(gap, gaps) += shown.duration() - overhead;
    }

private:
    [[nodiscard]] TimeNs& reasonOf(const Gap& gap, StreamGaps& gaps) const {
        if (inOneGraphLaunch(m_trace, m_links, gap.before, gap.after)) {
            return gaps.insideGraphNs;
        }
        const trace::SliceId call = m_links.apiCall(gap.after);
        if (call != trace::kNoSlice && m_trace.start(call) > gap.span.start) {
            return gaps.hostWaitNs;
        }
        const TimeNs left = gap.span.duration() - m_overhead.inside(gap.span);
        return left < kKernelWaitBelowNs ? gaps.kernelWaitNs : gaps.otherNs;
    }

    const trace::Trace& m_trace;
    const query::LaunchLinks& m_links;
    const query::CoveredTime& m_overhead;
    TimeSpan m_window;
};

/// State of a stream while its operations are visited.
struct StreamState {
    StreamReport report;
    query::UnionLength busy;
    query::OperationTime last;  ///< the operation that ended last
    bool hasLast = false;
};

}  // namespace

bool inOneGraphLaunch(const trace::Trace& trace, const query::LaunchLinks& links, trace::GpuOpId a,
                      trace::GpuOpId b) {
    const auto operations = trace.gpuOperations();
    if (links.apiCall(a) != trace::kNoSlice) {
        return links.apiCall(a) == links.apiCall(b);
    }
    const std::int64_t correlation = trace.correlation(operations[a].slice);
    return correlation != trace::kNoId && correlation != 0 &&
           correlation == trace.correlation(operations[b].slice) &&
           links.apiCall(b) == trace::kNoSlice;
}

query::CoveredTime overheadTime(const trace::Trace& trace) {
    std::vector<TimeSpan> spans;
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.category(slice) == trace::Category::Overhead) {
            spans.push_back(trace.span(slice));
        }
    }
    return query::CoveredTime(query::unionOfUnsorted(std::move(spans)));
}

std::vector<StreamReport> measureStreams(const trace::Trace& trace, const query::GpuRow& row,
                                         const WindowScope& scope, const query::LaunchLinks& links,
                                         const query::CoveredTime& overhead) {
    const TimeSpan window = scope.of(row);
    const StreamSweep sweep(trace, links, overhead, window);
    std::unordered_map<std::int64_t, StreamState> streams;
    for (const query::OperationTime& time : row.operations) {
        const std::int64_t number = trace.gpuOperations()[time.operation].stream;
        StreamState& stream = streams[number];
        stream.report.stream = number;
        stream.report.operations += scope.takes(time.span.start) ? 1U : 0U;
        stream.busy.add(window.clip(time.span));
        if (stream.hasLast && stream.last.span.end < time.span.start) {
            sweep.add(
                {{stream.last.span.end, time.span.start}, stream.last.operation, time.operation},
                stream.report.gaps);
        }
        if (!stream.hasLast || time.span.end >= stream.last.span.end) {
            stream.last = time;
            stream.hasLast = true;
        }
    }
    std::vector<StreamReport> reports;
    for (auto& [number, stream] : streams) {
        stream.report.busyNs = stream.busy.total();
        reports.push_back(stream.report);
    }
    std::ranges::sort(reports, {}, &StreamReport::stream);
    return reports;
}

StreamGaps sumOfGaps(const std::vector<StreamReport>& streams) {
    StreamGaps sum;
    for (const StreamReport& stream : streams) {
        sum.hostWaitNs = addTime(sum.hostWaitNs, stream.gaps.hostWaitNs);
        sum.kernelWaitNs = addTime(sum.kernelWaitNs, stream.gaps.kernelWaitNs);
        sum.otherNs = addTime(sum.otherNs, stream.gaps.otherNs);
        sum.overheadNs = addTime(sum.overheadNs, stream.gaps.overheadNs);
        sum.insideGraphNs = addTime(sum.insideGraphNs, stream.gaps.insideGraphNs);
    }
    return sum;
}

}  // namespace kinetoscope::analysis
