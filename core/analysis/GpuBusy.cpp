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

}  // namespace

std::vector<BusyStrips> busyStrips(const trace::Trace& trace) {
    const query::GpuTimeline timeline(trace);
    const std::vector<MmConvKind> mmConv =
        classifyMmConv(trace, KernelNames(trace), query::LaunchLinks(trace));
    const auto isKernel = [&](trace::GpuOpId id) {
        return trace.category(trace.gpuOperations()[id].slice) == trace::Category::Kernel;
    };
    std::vector<BusyStrips> strips;
    for (const query::GpuRow& row : timeline.gpus()) {
        strips.push_back({row.gpu, unionWhere(row, [](trace::GpuOpId) { return true; }),
                          unionWhere(row, isKernel), unionWhere(row, [&](trace::GpuOpId id) {
                              return countsAsMmConv(mmConv[id]);
                          })});
    }
    return strips;
}

}  // namespace kinetoscope::analysis
