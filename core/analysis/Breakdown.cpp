// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/Breakdown.h"

#include "core/analysis/Intervals.h"

namespace kinetoscope {

namespace {

void countOperation(Category category, OperationCounts& counts) {
    if (category == Category::Kernel) {
        ++counts.kernel;
    } else if (category == Category::GpuMemcpy) {
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

}  // namespace

void measureGpuTime(const Trace& trace, const GpuRow& row, const WindowScope& scope,
                    const KernelNames& names, const std::vector<MmConvKind>& mmConv,
                    GpuReport& report) {
    report.window = scope.of(row);
    UnionLength all;
    UnionLength kernels;
    UnionLength compute;
    UnionLength mmConvUnion;
    for (const OperationTime& time : row.operations) {
        const Category category = trace.category(trace.gpuOperations()[time.operation].slice);
        if (scope.takes(time.span.start)) {
            countOperation(category, report.operations);
        }
        const TimeSpan span = report.window.clip(time.span);
        all.add(span);
        if (category != Category::Kernel) {
            continue;
        }
        kernels.add(span);
        report.kernelTimeSumNs = addTime(report.kernelTimeSumNs, span.duration());
        if (!isCommunication(trace, names, time.operation)) {
            compute.add(span);
        }
        const MmConvKind kind = mmConv[time.operation];
        addMmConv(kind, span.duration(), report.mmConv);
        if (countsAsMmConv(kind)) {
            mmConvUnion.add(span);
        }
    }
    report.busyNs = all.total();
    report.kernelBusyNs = kernels.total();
    report.mmConv.unionNs = mmConvUnion.total();
    // What a set adds to the union of those before it is the part of it that they leave exposed.
    report.breakdown.computeNs = compute.total();
    report.breakdown.exposedCommNs = kernels.total() - compute.total();
    report.breakdown.exposedCopyNs = all.total() - kernels.total();
    report.breakdown.idleNs = report.window.duration() - all.total();
}

}  // namespace kinetoscope
