// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/GpuBusy.h"

#include "core/analysis/KernelNames.h"
#include "core/analysis/MmConv.h"
#include "core/query/GpuTimeline.h"
#include "core/query/Intervals.h"
#include "core/query/LaunchLinks.h"

namespace kinetoscope::analysis {

namespace {

/// Union of the operations of a row that `isWanted` names.
template <class IsWanted>
std::vector<TimeSpan> unionWhere(const query::GpuRow& row, IsWanted isWanted) {
    std::vector<TimeSpan> spans;
    for (const query::OperationTime& time : row.operations) {
        if (isWanted(time.operation)) {
            spans.push_back(time.span);
        }
    }
    return query::unionOf(spans);
}

std::vector<MmConvKind> mmConvOf(const trace::Trace& trace) {
    return classifyMmConv(trace, KernelNames(trace), query::LaunchLinks(trace));
}

std::vector<TimeSpan> spansOf(const trace::Trace& trace, const query::GpuRow& row, BusyKind kind,
                              const std::vector<MmConvKind>& mmConv) {
    switch (kind) {
        case BusyKind::All:
            break;
        case BusyKind::Kernels:
            return unionWhere(row, [&](trace::GpuOpId id) {
                return trace.category(trace.gpuOperations()[id].slice) == trace::Category::Kernel;
            });
        case BusyKind::MmConv:
            return unionWhere(row, [&](trace::GpuOpId id) { return countsAsMmConv(mmConv[id]); });
    }
    return unionWhere(row, [](trace::GpuOpId) { return true; });
}

}  // namespace

std::vector<std::int32_t> gpusOf(const trace::Trace& trace) {
    const query::GpuTimeline timeline(trace);
    std::vector<std::int32_t> gpus;
    for (const query::GpuRow& row : timeline.gpus()) {
        gpus.push_back(row.gpu);
    }
    return gpus;
}

std::vector<TimeSpan> busySpans(const trace::Trace& trace, std::int32_t gpu, BusyKind kind) {
    const query::GpuTimeline timeline(trace);
    const query::GpuRow* row = timeline.find(gpu);
    if (row == nullptr) {
        return {};
    }
    return spansOf(trace, *row, kind,
                   kind == BusyKind::MmConv ? mmConvOf(trace) : std::vector<MmConvKind>{});
}

std::vector<BusyStrips> busyStrips(const trace::Trace& trace) {
    const query::GpuTimeline timeline(trace);
    const std::vector<MmConvKind> mmConv = mmConvOf(trace);
    std::vector<BusyStrips> strips;
    for (const query::GpuRow& row : timeline.gpus()) {
        strips.push_back({row.gpu, spansOf(trace, row, BusyKind::All, mmConv),
                          spansOf(trace, row, BusyKind::Kernels, mmConv),
                          spansOf(trace, row, BusyKind::MmConv, mmConv)});
    }
    return strips;
}

}  // namespace kinetoscope::analysis
