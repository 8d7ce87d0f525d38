// SPDX-License-Identifier: Apache-2.0
#include "core/report/Report.h"

#include <future>

#include "core/analysis/KernelNames.h"
#include "core/analysis/MmConv.h"
#include "core/analysis/WindowScope.h"
#include "core/base/Threads.h"
#include "core/query/GpuTimeline.h"
#include "core/query/LaunchLinks.h"

namespace kinetoscope::report {

namespace {

GpuReport measureGpu(const trace::Trace& trace, const query::GpuRow& row,
                     const analysis::WindowScope& scope, const analysis::KernelNames& names,
                     const std::vector<analysis::MmConvKind>& mmConv,
                     const query::LaunchLinks& links, const query::CoveredTime& overhead,
                     std::size_t gaps) {
    GpuReport gpu;
    static_cast<analysis::GpuTime&>(gpu) =
        analysis::measureGpuTime(trace, row, scope, names, mmConv);
    gpu.gpu = row.gpu;
    if (const trace::DeviceProperties* device = trace.info().device(row.gpu); device != nullptr) {
        gpu.name = device->name;
    }
    analysis::LongestGaps longest(row.gpu, gaps);
    gpu.idle = analysis::measureIdle(trace, row, scope, links, overhead,
                                     [&](const analysis::IdleGap& gap) { longest.add(gap); });
    gpu.gaps = longest.take();
    gpu.streams = analysis::measureStreams(trace, row, scope, links, overhead);
    gpu.streamGaps = analysis::sumOfGaps(gpu.streams);
    gpu.launches = analysis::measureLaunches(trace, row, scope, links);
    return gpu;
}

Result<Report> measure(const trace::Trace& trace, const ReportOptions& options) {
    // Half of the time goes into the links, which are independent of the rest.
    std::optional<query::LaunchLinks> own;
    auto linking = std::async(
        kBeside, [&] { return options.links != nullptr ? options.links : &own.emplace(trace); });
    const query::GpuTimeline timeline(trace);
    const analysis::KernelNames names(trace);
    const query::CoveredTime overhead = analysis::overheadTime(trace);
    const query::LaunchLinks& links = *linking.get();
    throwIfStopped(options.stop);
    Report report;
    report.group = options.group.value_or(analysis::usualGroup(names));
    auto steps = std::async(kBeside, [&] { return analysis::findSteps(trace, timeline, links); });
    const std::vector<analysis::MmConvKind> mmConv = analysis::classifyMmConv(trace, names, links);
    if (options.window.kind == analysis::WindowKind::Step) {
        report.steps = steps.get();  // of all windows the only one that needs them
    }
    const auto scope = analysis::resolveWindow(trace, options.window, report.steps);
    if (!scope) {
        return tl::unexpected(scope.error());
    }
    auto kernels = std::async(
        kBeside, [&] { return analysis::kernelTable(trace, timeline, *scope, names, mmConv); });
    for (const query::GpuRow& row : timeline.gpus()) {
        throwIfStopped(options.stop);
        report.gpus.push_back(
            measureGpu(trace, row, *scope, names, mmConv, links, overhead, options.gaps));
    }
    throwIfStopped(options.stop);
    report.categories =
        analysis::groupOperations(trace, timeline, *scope, names, links, report.group);
    report.kernels = kernels.get();
    report.counters = model::kernelCounters(trace, timeline, *scope);
    if (steps.valid()) {
        report.steps = steps.get();
    }
    for (GpuReport& gpu : report.gpus) {
        throwIfStopped(options.stop);
        analysis::nameHostActivities(trace, gpu.window, report.steps, gpu.gaps);
    }
    return report;
}

}  // namespace

Result<Report> makeReport(const trace::Trace& trace, const ReportOptions& options) {
    return guarded([&] { return measure(trace, options); });
}

}  // namespace kinetoscope::report
