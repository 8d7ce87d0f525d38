// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/analysis/KernelNames.h"
#include "core/analysis/MmConv.h"
#include "core/base/Threads.h"
#include "core/compare/ComparedRun.h"
#include "core/query/Intervals.h"

namespace kinetoscope::compare {

namespace {

TimeSpan extentOf(const std::vector<query::OperationTime>& operations) {
    TimeSpan extent = operations.empty() ? TimeSpan{} : operations.front().span;
    for (const query::OperationTime& time : operations) {
        extent.end = std::max(extent.end, time.span.end);
    }
    return extent;
}

query::GpuRow rowOf(std::int32_t gpu, std::vector<query::OperationTime> operations) {
    const TimeSpan extent = extentOf(operations);
    return {gpu, extent, std::move(operations)};
}

/// The row's operations that belong to a step.
query::GpuRow insideSteps(const ComparedRun& run, const query::GpuRow& row,
                          const query::LaunchLinks& links) {
    std::vector<query::OperationTime> inside;
    for (const query::OperationTime& time : row.operations) {
        if (stepOf(*run.trace, run.report.steps, links, time) != kNoStep) {
            inside.push_back(time);
        }
    }
    return rowOf(row.gpu, std::move(inside));
}

/// The time of the steps and of their operations, one of which may end after its step.
std::vector<TimeSpan> timeOfSteps(const std::vector<analysis::Step>& steps,
                                  const query::GpuRow& inside) {
    std::vector<TimeSpan> spans;
    spans.reserve(steps.size() + inside.operations.size());
    for (const analysis::Step& step : steps) {
        spans.push_back(step.span);
    }
    for (const query::OperationTime& time : inside.operations) {
        spans.push_back(time.span);
    }
    return query::unionOfUnsorted(std::move(spans));
}

/// The operations that decide about idle time in a part of a row: those in it, the one that ended
/// last before it and the first one after it.
class RowParts {
public:
    explicit RowParts(const query::GpuRow& row) : m_gpu(row.gpu) {
        for (const query::OperationTime& time : row.operations) {
            if (time.span.duration() > 0) {
                const std::size_t at = m_operations.size();
                m_operations.push_back(time);
                m_last.push_back(at == 0 || time.span.end >= m_operations[m_last.back()].span.end
                                     ? at
                                     : m_last.back());
            }
        }
    }

    [[nodiscard]] query::GpuRow around(TimeSpan part) const {
        const std::size_t first = firstFrom(part.start);
        const std::size_t end = std::min(firstFrom(part.end) + 1, m_operations.size());
        std::vector<query::OperationTime> operations;
        if (first > 0) {
            operations.push_back(m_operations[m_last[first - 1]]);
        }
        operations.insert(operations.end(), m_operations.begin() + offset(first),
                          m_operations.begin() + offset(end));
        return rowOf(m_gpu, std::move(operations));
    }

private:
    static std::ptrdiff_t offset(std::size_t at) { return static_cast<std::ptrdiff_t>(at); }
    [[nodiscard]] std::size_t firstFrom(TimeNs time) const {
        return static_cast<std::size_t>(
            std::ranges::lower_bound(
                m_operations, time, {},
                [](const query::OperationTime& operation) { return operation.span.start; }) -
            m_operations.begin());
    }

    std::int32_t m_gpu = 0;
    std::vector<query::OperationTime> m_operations;  ///< none of them empty
    std::vector<std::size_t> m_last;                 ///< which of all up to this one ended last
};

}  // namespace

std::vector<report::GpuReport> gpusOfSteps(const ComparedRun& run, const std::stop_token& stop) {
    const trace::Trace& trace = *run.trace;
    const query::GpuTimeline timeline(trace);
    const query::LaunchLinks links(trace);
    const analysis::KernelNames names(trace);
    const auto mmConv = analysis::classifyMmConv(trace, names, links);
    const query::CoveredTime overhead = analysis::overheadTime(trace);
    std::vector<report::GpuReport> gpus;
    for (const query::GpuRow& row : timeline.gpus()) {
        throwIfStopped(stop);
        const query::GpuRow inside = insideSteps(run, row, links);
        report::GpuReport& gpu = gpus.emplace_back();
        static_cast<analysis::GpuTime&>(gpu) =
            analysis::measureGpuTime(trace, inside, analysis::WindowScope{}, names, mmConv);
        gpu.gpu = row.gpu;
        gpu.name = run.report.gpus[gpus.size() - 1].name;
        const RowParts parts(row);
        for (const TimeSpan& part : timeOfSteps(run.report.steps, inside)) {
            gpu.idle.add(analysis::measureIdle(trace, parts.around(part),
                                               {.perGpu = false, .takesAll = false, .span = part},
                                               links, overhead));
        }
        gpu.breakdown.idleNs = gpu.idle.total();
        gpu.window = {0, gpu.busyNs + gpu.breakdown.idleNs};
    }
    return gpus;
}

}  // namespace kinetoscope::compare
