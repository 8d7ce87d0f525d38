// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/advise/Rule.h"
#include "core/model/RooflineRows.h"

namespace kinetoscope::advise {

namespace {

using model::DataType;
using model::DeviceRoof;
using model::LaunchedCall;

/// Products in Float that do not use the GPU's TensorFloat-32.
struct Products {
    std::vector<const LaunchedCall*> calls;
    TimeNs ns = 0;  ///< of their kernels
    bool noRoof = false;
};

Products findProducts(const model::LaunchedCalls& calls, const std::vector<DeviceRoof>& roofs) {
    Products products;
    for (const LaunchedCall& call : calls.calls) {
        const model::Work* work = calls.workOf(call);
        if (work == nullptr || !work->matrix || work->type != DataType::Float || call.tensorCores) {
            continue;
        }
        const auto roof = std::ranges::find(roofs, call.gpu, &DeviceRoof::gpu);
        if (roof == roofs.end() || roof->roof == nullptr) {
            products.noRoof = true;
        } else if (roof->roof->peak("tf32") > roof->roof->peak("fp32")) {
            products.calls.push_back(&call);
            products.ns = addTime(products.ns, call.kernelNs);
        }
    }
    return products;
}

// As much nearer to the peak as now, but no faster than its bytes.
float factorOf(const model::GpuRoof& roof, const model::Work& work, TimeNs timeNs) {
    const double byPeak = roof.peak("fp32") / roof.peak("tf32");
    const double bytesNs =
        roof.memoryBytesPerSecond > 0.0
            ? static_cast<double>(work.bytes.value()) / roof.memoryBytesPerSecond * 1e9
            : 0.0;
    const double byBytes = timeNs > 0 ? bytesNs / static_cast<double>(timeNs) : 1.0;
    return static_cast<float>(std::min(1.0, std::max(byPeak, byBytes)));
}

std::string namesOf(const trace::Trace& trace, const Products& products) {
    std::map<std::string_view, TimeNs> times;
    for (const LaunchedCall* call : products.calls) {
        TimeNs& time = times[trace.text(call->name)];
        time = addTime(time, call->kernelNs);
    }
    std::vector<std::pair<TimeNs, std::string_view>> sorted;
    sorted.reserve(times.size());
    for (const auto& [name, ns] : times) {
        sorted.emplace_back(ns, name);
    }
    std::ranges::sort(sorted, std::greater<>());
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, sorted.size()); ++i) {
        names += (i == 0 ? "" : ", ") + std::string(sorted[i].second);
    }
    return names;
}

Found findSlowProducts(const Material& material) {
    const Result<model::LaunchedCalls>& calls = material.calls();
    if (!calls) {
        return {{}, calls.error().message};
    }
    const std::vector<DeviceRoof> roofs = model::roofsOf(material.trace(), *calls);
    const Products products = findProducts(*calls, roofs);
    if (products.calls.empty()) {
        return {{},
                products.noRoof ? "there are products in fp32, but the peaks of this GPU are not "
                                  "known"
                                : ""};
    }
    const std::size_t steps = material.steps();
    Finding finding;
    finding.title = fmt::format("{} matrix products{} run in fp32 without TensorFloat-32",
                                perStep(products.calls.size(), steps), material.each("per step"));
    finding.todo =
        "torch.set_float32_matmul_precision(\"high\"), torch.backends.cudnn.allow_tf32 = True, or "
        "torch.autocast with bfloat16.";
    finding.whatIf =
        "their kernels speed up by the ratio of tf32 and fp32 peaks, but stay within memory "
        "bandwidth";
    const model::GpuRoof& roof =
        *std::ranges::find(roofs, products.calls.front()->gpu, &DeviceRoof::gpu)->roof;
    finding.evidence = {
        {"time of them" + material.each("a step"), durationPerStep(products.ns, steps),
         "fp32 kernels of matrix products and convolutions whose names do not indicate tensor "
         "cores",
         "whole trace"},
        {"operators", namesOf(material.trace(), products), "Those with most time", "whole trace"},
        {"peaks",
         fmt::format("fp32 {:.1f}, tf32 {:.1f} TFLOP/s", roof.peak("fp32") / 1e12,
                     roof.peak("tf32") / 1e12),
         "Of " + roof.name + ", by its maker", ""}};
    std::vector<trace::SliceId> slices;
    for (const LaunchedCall* call : products.calls) {
        const auto on = std::ranges::find(roofs, call->gpu, &DeviceRoof::gpu);
        for (std::uint32_t place = call->begin; place < call->end; ++place) {
            const trace::GpuOpId id = calls->operations[place];
            finding.changes.push_back(
                {.node = material.nodeOf(id),
                 .scale = factorOf(*on->roof, *calls->workOf(*call), call->timeNs)});
            slices.push_back(material.sliceOf(id));
        }
    }
    finding.events = longestEvents(material.trace(), std::move(slices));
    return {{std::move(finding)}, {}};
}

}  // namespace

Rule slowProductsRule() {
    return {{"slow-products", "Products in a slow type",
             "Matrix products and convolutions run in fp32 without TensorFloat-32, although the "
             "GPU supports it."},
            findSlowProducts};
}

}  // namespace kinetoscope::advise
