// SPDX-License-Identifier: Apache-2.0
#include "core/report/GroupKernels.h"

#include "core/analysis/KernelNames.h"
#include "core/analysis/MmConv.h"
#include "core/analysis/WindowScope.h"
#include "core/base/Threads.h"
#include "core/query/GpuTimeline.h"
#include "core/query/LaunchLinks.h"

namespace kinetoscope::report {

Result<std::vector<analysis::KernelRow>> kernelsOfGroup(const trace::Trace& trace,
                                                        const ReportOptions& options,
                                                        const std::string& name) {
    return guarded([&]() -> Result<std::vector<analysis::KernelRow>> {
        const query::GpuTimeline timeline(trace);
        const analysis::KernelNames names(trace);
        const query::LaunchLinks links(trace);
        throwIfStopped(options.stop);
        std::vector<analysis::Step> steps;
        if (options.window.kind == analysis::WindowKind::Step) {
            steps = analysis::findSteps(trace, timeline, links);
        }
        const auto scope = analysis::resolveWindow(trace, options.window, steps);
        if (!scope) {
            return tl::unexpected(scope.error());
        }
        const auto mmConv = analysis::classifyMmConv(trace, names, links);
        throwIfStopped(options.stop);
        const analysis::GroupBy group = options.group.value_or(analysis::usualGroup(names));
        return analysis::kernelTable(
            trace, timeline, *scope, names, mmConv, [&](std::int32_t gpu, trace::GpuOpId id) {
                return analysis::groupOf(trace, names, links, group, gpu, id) == name;
            });
    });
}

}  // namespace kinetoscope::report
