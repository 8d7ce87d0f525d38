// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "core/advise/HostTime.h"
#include "core/advise/Rule.h"

namespace kinetoscope::advise {

namespace {

using trace::GpuOpId;

constexpr TimeNs kTinyNs = 10'000;
constexpr std::size_t kMinRun = 3;
// What compilers fuse into one kernel.
constexpr std::array<std::string_view, 7> kFusable{"elementwise", "reduce", "norm",  "softmax",
                                                   "copy",        "loss",   "random"};

/// Tiny kernels of a step one behind the other on a stream, all of which one kernel could do.
struct Run {
    std::optional<std::size_t> step;
    std::vector<GpuOpId> kernels;
    TimeNs ns = 0;
};

bool isFusable(const Material& material, GpuOpId id) {
    const trace::SliceId slice = material.sliceOf(id);
    return material.trace().category(slice) == trace::Category::Kernel &&
           material.trace().duration(slice) < kTinyNs && !material.links().isGraphLaunch(id) &&
           std::ranges::find(kFusable, material.names().of(id).family) != kFusable.end();
}

std::vector<Run> findRuns(const Material& material) {
    std::vector<Run> runs;
    const auto close = [&](Run& run) {
        if (run.kernels.size() >= kMinRun) {
            runs.push_back(std::move(run));
        }
        run = {};
    };
    for (const query::GpuRow& row : material.timeline().gpus()) {
        std::map<std::int64_t, Run> open;  // by stream
        for (const query::OperationTime& time : row.operations) {
            Run& run = open[material.trace().gpuOperations()[time.operation].stream];
            if (isFusable(material, time.operation)) {
                if (const auto step = material.stepOf(time.operation); step != run.step) {
                    close(run);
                    run.step = step;
                }
                run.kernels.push_back(time.operation);
                run.ns = addTime(run.ns, time.span.duration());
            } else {
                close(run);
            }
        }
        for (auto& [stream, run] : open) {
            close(run);
        }
    }
    return runs;
}

// One kernel is left, as long as the longest of them.
void fuse(const Material& material, const Run& run, std::vector<NodeChange>& changes) {
    const auto longest = std::ranges::max_element(run.kernels, {}, [&](GpuOpId id) {
        return material.trace().duration(material.sliceOf(id));
    });
    for (const GpuOpId id : run.kernels) {
        if (id != *longest) {
            dropLaunch(material, id, changes);
        }
    }
}

Found findTinyKernels(const Material& material) {
    std::vector<Run> runs = findRuns(material);
    if (runs.empty()) {
        return {};
    }
    if (!hasApiCalls(material.trace())) {
        return {{}, std::string(kNoApiCalls)};
    }
    std::uint64_t kernels = 0;
    TimeNs ns = 0;
    Finding finding;
    for (const Run& run : runs) {
        kernels += run.kernels.size();
        ns = addTime(ns, run.ns);
        fuse(material, run, finding.changes);
    }
    std::ranges::stable_sort(runs, std::greater<>(),
                             [](const Run& run) { return run.kernels.size(); });
    const std::size_t steps = material.steps();
    finding.title = fmt::format("{} tiny kernels{} could be {}", perStep(kernels, steps),
                                material.each("a step"), perStep(runs.size(), steps));
    finding.todo = "torch.compile fuses them; fused optimizers, norms and activations do by hand.";
    finding.whatIf =
        "each sequence becomes one kernel as long as its longest; the others are neither launched "
        "nor run";
    finding.evidence = {
        {"kernels below 10 µs in such sequences" + material.each("per step"),
         perStep(kernels, steps),
         "Three or more in a row on a stream: elementwise, reductions, norms, softmax, copies, "
         "losses, random numbers",
         "whole trace"},
        {"runs" + material.each("a step"), perStep(runs.size(), steps), "", "whole trace"},
        {"time of them" + material.each("a step"), durationPerStep(ns, steps), "Sum of the kernels",
         "whole trace"},
        {"longest run", countOf(runs.front().kernels.size()) + " kernels", "", "whole trace"}};
    for (std::size_t i = 0; i < std::min(runs.size(), kMaxEvents); ++i) {
        const trace::SliceId first = material.sliceOf(runs[i].kernels.front());
        const trace::SliceId last = material.sliceOf(runs[i].kernels.back());
        finding.events.push_back({first,
                                  {material.trace().start(first), material.trace().end(last)},
                                  fmt::format("{} kernels from {} on", runs[i].kernels.size(),
                                              labelOf(material.trace().name(first)))});
    }
    return {{std::move(finding)}, {}};
}

}  // namespace

Rule tinyKernelsRule() {
    return {{"tiny-kernels", "Tiny kernels that could be one",
             "Sequences of kernels below 10 µs that a compiler would fuse."},
            findTinyKernels};
}

}  // namespace kinetoscope::advise
