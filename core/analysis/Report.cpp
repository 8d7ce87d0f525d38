// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/Report.h"

#include <future>

#include "core/analysis/GpuTimeline.h"
#include "core/analysis/KernelNames.h"
#include "core/analysis/LaunchLinks.h"
#include "core/analysis/MmConv.h"
#include "core/analysis/WindowScope.h"
#include "core/base/Threads.h"

namespace kinetoscope {

namespace {

GpuReport measureGpu(const Trace& trace, const GpuRow& row, const WindowScope& scope,
                     const KernelNames& names, const std::vector<MmConvKind>& mmConv,
                     const LaunchLinks& links, const CoveredTime& overhead) {
    GpuReport gpu;
    static_cast<GpuTime&>(gpu) = measureGpuTime(trace, row, scope, names, mmConv);
    gpu.gpu = row.gpu;
    if (const DeviceProperties* device = trace.info().device(row.gpu); device != nullptr) {
        gpu.name = device->name;
    }
    gpu.streams = measureStreams(trace, row, scope, links, overhead);
    gpu.idle = sumOfReasons(gpu.streams);
    gpu.launches = measureLaunches(trace, row, scope, links);
    return gpu;
}

Result<Report> measure(const Trace& trace, const ReportOptions& options) {
    // Half of the time goes into the links, which need nothing of the rest.
    auto linking = std::async(kBeside, [&trace] { return LaunchLinks(trace); });
    const GpuTimeline timeline(trace);
    const KernelNames names(trace);
    const CoveredTime overhead = overheadTime(trace);
    const LaunchLinks links = linking.get();
    throwIfStopped(options.stop);
    Report report;
    report.group = options.group.value_or(usualGroup(names));
    auto steps = std::async(kBeside, [&] { return findSteps(trace, timeline, links); });
    const std::vector<MmConvKind> mmConv = classifyMmConv(trace, names, links);
    if (options.window.kind == WindowKind::Step) {
        report.steps = steps.get();  // of all windows the only one that needs them
    }
    const auto scope = resolveWindow(trace, options.window, report.steps);
    if (!scope) {
        return tl::unexpected(scope.error());
    }
    auto kernels =
        std::async(kBeside, [&] { return kernelTable(trace, timeline, *scope, names, mmConv); });
    for (const GpuRow& row : timeline.gpus()) {
        throwIfStopped(options.stop);
        report.gpus.push_back(measureGpu(trace, row, *scope, names, mmConv, links, overhead));
    }
    throwIfStopped(options.stop);
    report.categories = groupOperations(trace, timeline, *scope, names, links, report.group);
    report.kernels = kernels.get();
    if (steps.valid()) {
        report.steps = steps.get();
    }
    return report;
}

}  // namespace

Result<Report> makeReport(const Trace& trace, const ReportOptions& options) {
    return guarded([&] { return measure(trace, options); });
}

}  // namespace kinetoscope
