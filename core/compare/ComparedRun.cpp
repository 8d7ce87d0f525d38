// SPDX-License-Identifier: Apache-2.0
#include "core/compare/ComparedRun.h"

#include <algorithm>
#include <map>

#include "core/base/Threads.h"

namespace kinetoscope::compare {

namespace {

// Last step that begins no later, if `end` of it lies behind.
template <class End>
std::uint32_t stepAt(const std::vector<analysis::Step>& steps, TimeNs time, End end) {
    const auto after = std::ranges::upper_bound(
        steps, time, {}, [](const analysis::Step& step) { return step.span.start; });
    if (after == steps.begin() || end(*(after - 1)) <= time) {
        return kNoStep;
    }
    return static_cast<std::uint32_t>(after - 1 - steps.begin());
}

Result<ComparedRun> prepare(std::shared_ptr<const trace::Trace> trace,
                            const std::stop_token& stop) {
    report::ReportOptions options;
    options.stop = stop;
    auto report = report::makeReport(*trace, options);
    if (!report) {
        return tl::unexpected(report.error());
    }
    ComparedRun run;
    run.trace = std::move(trace);
    run.report = std::move(*report);
    const query::GpuTimeline timeline(*run.trace);
    const query::LaunchLinks links(*run.trace);
    throwIfStopped(stop);
    for (std::uint32_t gpu = 0; gpu < timeline.gpus().size(); ++gpu) {
        for (const query::OperationTime& time : timeline.gpus()[gpu].operations) {
            const trace::GpuOperation& operation = run.trace->gpuOperations()[time.operation];
            if (run.trace->category(operation.slice) != trace::Category::Kernel) {
                continue;
            }
            run.launches.push_back({operation.slice, links.launchingOperator(time.operation), gpu,
                                    stepOf(*run.trace, run.report.steps, links, time),
                                    time.operation, time.span.start, time.span.duration()});
        }
    }
    return run;
}

}  // namespace

std::uint32_t stepOf(const trace::Trace& trace, const std::vector<analysis::Step>& steps,
                     const query::LaunchLinks& links, const query::OperationTime& time) {
    const trace::SliceId call = links.apiCall(time.operation);
    return call == trace::kNoSlice
               ? stepAt(steps, time.span.start,
                        [](const analysis::Step& step) { return step.span.end; })
               : stepAt(steps, trace.start(call),
                        [](const analysis::Step& step) { return step.cpuEndNs; });
}

Result<ComparedRun> makeComparedRun(std::shared_ptr<const trace::Trace> trace,
                                    const std::stop_token& stop) {
    return guarded([&] { return prepare(std::move(trace), stop); });
}

ComparedRun stepsOf(const ComparedRun& run, std::uint32_t first, std::uint32_t last) {
    ComparedRun part;
    part.trace = run.trace;
    part.report = run.report;
    part.report.steps.assign(run.report.steps.begin() + first, run.report.steps.begin() + last);
    for (KernelLaunch launch : run.launches) {
        if (launch.step != kNoStep && launch.step >= first && launch.step < last) {
            launch.step -= first;
            part.launches.push_back(launch);
        }
    }
    return part;
}

ComparedRun halfOf(const ComparedRun& run, bool second) {
    using Key = std::pair<std::uint32_t, NameId>;
    std::map<Key, std::size_t> counts;
    const auto keyOf = [&](const KernelLaunch& launch) {
        return Key(launch.gpu, run.trace->nameId(launch.slice));
    };
    for (const KernelLaunch& launch : run.launches) {
        ++counts[keyOf(launch)];
    }
    ComparedRun part;
    part.trace = run.trace;
    part.report = run.report;
    std::map<Key, std::size_t> seen;
    for (const KernelLaunch& launch : run.launches) {
        const std::size_t all = counts[keyOf(launch)];
        const std::size_t at = seen[keyOf(launch)]++;
        if (second ? at >= all - all / 2 : at < all / 2) {
            part.launches.push_back(launch);
        }
    }
    return part;
}

}  // namespace kinetoscope::compare
