// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/Breakdown.h"

#include <algorithm>

#include "core/query/Intervals.h"

namespace kinetoscope::analysis {

namespace {

void countOperation(trace::Category category, OperationCounts& counts) {
    if (category == trace::Category::Kernel) {
        ++counts.kernel;
    } else if (category == trace::Category::GpuMemcpy) {
        ++counts.memcpy;
    } else {
        ++counts.memset;
    }
}

void addMmConv(MmConvKind kind, TimeNs duration, MmConvTime& time) {
    switch (kind) {
        case MmConvKind::No:
            break;
        case MmConvKind::Operator:
            time.operatorNs = addTime(time.operatorNs, duration);
            break;
        case MmConvKind::Name:
            time.nameNs = addTime(time.nameNs, duration);
            break;
        case MmConvKind::Layout:
            time.layoutNs = addTime(time.layoutNs, duration);
            break;
    }
}

// The longest time between spans that come by start; what is empty lies between nothing.
class LongestGap {
public:
    explicit LongestGap(TimeSpan window) : m_end(window.end), m_idleFrom(window.start) {}

    void add(TimeSpan span) {
        if (span.end > span.start) {
            endIdle(span.start);
            m_idleFrom = std::max(m_idleFrom, span.end);
        }
    }
    [[nodiscard]] TimeSpan finish() {
        endIdle(m_end);
        return m_longest;
    }

private:
    void endIdle(TimeNs at) {
        if (at - m_idleFrom > m_longest.duration()) {
            m_longest = {m_idleFrom, at};
        }
    }

    TimeNs m_end;
    TimeNs m_idleFrom;
    TimeSpan m_longest;
};

}  // namespace

GpuTime measureGpuTime(const trace::Trace& trace, const query::GpuRow& row,
                       const WindowScope& scope, const KernelNames& names,
                       const std::vector<MmConvKind>& mmConv) {
    GpuTime gpu;
    gpu.window = scope.of(row);
    query::UnionLength all;
    query::UnionLength kernels;
    query::UnionLength compute;
    query::UnionLength mmConvUnion;
    LongestGap gap(gpu.window);
    for (const query::OperationTime& time : row.operations) {
        const trace::Category category =
            trace.category(trace.gpuOperations()[time.operation].slice);
        if (scope.takes(time.span.start)) {
            countOperation(category, gpu.operations);
        }
        const TimeSpan span = gpu.window.clip(time.span);
        all.add(span);
        gap.add(span);
        if (category != trace::Category::Kernel) {
            continue;
        }
        kernels.add(span);
        gpu.kernelTimeSumNs = addTime(gpu.kernelTimeSumNs, span.duration());
        if (!isCommunication(trace, names, time.operation)) {
            compute.add(span);
        }
        const MmConvKind kind = mmConv[time.operation];
        addMmConv(kind, span.duration(), gpu.mmConv);
        if (countsAsMmConv(kind)) {
            mmConvUnion.add(span);
        }
    }
    gpu.busyNs = all.total();
    gpu.longestGap = gap.finish();
    gpu.kernelBusyNs = kernels.total();
    gpu.mmConv.unionNs = mmConvUnion.total();
    // A set's share is the part that the sets before it leave exposed.
    gpu.breakdown.computeNs = compute.total();
    gpu.breakdown.exposedCommNs = kernels.total() - compute.total();
    gpu.breakdown.exposedCopyNs = all.total() - kernels.total();
    gpu.breakdown.idleNs = gpu.window.duration() - all.total();
    return gpu;
}

}  // namespace kinetoscope::analysis
