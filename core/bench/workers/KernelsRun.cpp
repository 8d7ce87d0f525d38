// SPDX-License-Identifier: Apache-2.0
#include "core/bench/workers/KernelsRun.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/bench/plan/ModuleKernels.h"
#include "core/bench/results/ResultDocument.h"
#include "core/bench/run/KernelTimes.h"
#include "core/bench/workers/SaveResult.h"

namespace kinetoscope::bench::workers {

std::vector<std::size_t> selectKernels(const plan::CachePlan& plan, const std::string& match,
                                       const std::vector<std::string>& keys) {
    std::vector<std::size_t> selected;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
        const plan::KernelPlan& kernel = plan.kernels[i];
        const bool wanted = keys.empty() || std::ranges::find(keys, kernel.key) != keys.end();
        if (wanted && kernel.name.find(match) != std::string::npos) {
            selected.push_back(i);
        }
    }
    return selected;
}

plan::CachePlan partOf(const plan::CachePlan& plan, const std::vector<std::size_t>& selected) {
    plan::CachePlan part = plan;
    part.kernels.clear();
    part.kernels.reserve(selected.size());
    for (const std::size_t index : selected) {
        part.kernels.push_back(plan.kernels[index]);
    }
    return part;
}

Result<ModulePlan> planModule(const std::string& path, const std::string& text,
                              std::vector<std::string>& folders, BenchConsole& console) {
    if (folders.empty()) {
        folders = plan::moduleCaches(path, text);
    }
    if (folders.empty()) {
        return fail("'" + path + "': no cache of its kernels was found; --cache names it");
    }
    auto plan = plan::planCaches(folders);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const auto kernels = plan::findModuleKernels(text, *plan);
    if (!kernels) {
        return fail("'" + path + "': " + kernels.error().message);
    }
    if (kernels->missing > 0) {
        console.warn(fmt::format("{} of {} kernels are not in the caches; --cache names others",
                                 kernels->missing, kernels->indices.size()));
    }
    return ModulePlan{std::move(*plan), kernels->indices};
}

Result<results::ResultDocument> runKernels(KernelsRun request, const plan::CachePlan& plan,
                                           const std::vector<std::size_t>& selected,
                                           BenchConsole& console) {
    run::MeasureOptions& measure = request.bench.measure;
    if (!request.methodChosen && measure.method == run::BenchMethod::CuptiCold &&
        !run::KernelTimes::available()) {
        measure.method = run::BenchMethod::EventCold;
        console.warn(
            "CUPTI was not found: times include the overhead of events (--method event-cold)");
    }
    for (const std::string& problem : plan.problems) {
        console.warn(problem);
    }
    results::ResultDocument document;
    results::describeRun(document);
    document.method = run::benchMethodName(measure.method);
    document.candidates = plan.candidates;
    if (const auto done = runWorkers(request, plan, selected, document, console); !done) {
        return tl::unexpected(done.error());
    }
    const bool anyRan = std::ranges::any_of(
        document.items, [](const auto& kernel) { return !kernel.series.empty(); });
    if (request.save && anyRan) {
        saveResult(document, results::resultJson(document), console);
    }
    if (request.stream) {
        console.outputLine(R"({"event":"done"})");
    }
    return document;
}

}  // namespace kinetoscope::bench::workers
