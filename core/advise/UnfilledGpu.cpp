// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/advise/Rule.h"
#include "core/json/Json.h"
#include "core/text/Format.h"

namespace kinetoscope::advise {

namespace {

using trace::GpuOperation;
using trace::GpuOpId;

// Shorter kernels are over before anything could be gained.
constexpr TimeNs kLongNs = 20'000;
constexpr double kWellFilled = 0.8;
// Of every GPU since 2012; blocks of a multiprocessor share them.
constexpr double kRegisters = 65'536.0;
constexpr double kMaxBlocks = 32.0;

/// What limits blocks on a multiprocessor.
struct Limits {
    double multiprocessors = 0.0;
    double threads = 2'048.0;
    double sharedBytes = 0.0;  ///< 0: unknown
};

Limits limitsOf(const trace::DeviceProperties* device) {
    Limits limits;
    if (device == nullptr) {
        return limits;
    }
    limits.multiprocessors = device->multiprocessors;
    limits.threads =
        device->maxThreadsPerMultiprocessor > 0 ? device->maxThreadsPerMultiprocessor : 2'048.0;
    if (const auto json = json::parseJsonObject(device->json)) {
        const auto shared = json->find("sharedMemPerMultiprocessor");
        limits.sharedBytes =
            shared != json->end() && shared->is_number() ? shared->get<double>() : 0.0;
    }
    return limits;
}

double blocksAtOnce(const GpuOperation& kernel, const Limits& limits) {
    const double threads =
        std::max(1.0, static_cast<double>(kernel.block[0]) * kernel.block[1] * kernel.block[2]);
    double blocks = std::min(kMaxBlocks, limits.threads / threads);
    if (kernel.registers > 0) {
        blocks = std::min(blocks, kRegisters / (threads * kernel.registers));
    }
    if (kernel.sharedBytes > 0 && limits.sharedBytes > 0.0) {
        blocks = std::min(blocks, limits.sharedBytes / kernel.sharedBytes);
    }
    return std::max(1.0, std::floor(blocks));
}

/// How far the blocks of a kernel fill the GPU, from 0 to 1; 1 where that is not known.
struct Filling {
    double blocks = 0.0;
    double waves = 0.0;
    double share = 1.0;
};

Filling fillingOf(const GpuOperation& kernel, const Limits& limits) {
    Filling filling;
    filling.blocks = static_cast<double>(kernel.grid[0]) * kernel.grid[1] * kernel.grid[2];
    if (filling.blocks <= 0.0 || limits.multiprocessors <= 0.0) {
        return filling;
    }
    filling.waves = filling.blocks / (limits.multiprocessors * blocksAtOnce(kernel, limits));
    filling.share = filling.blocks < limits.multiprocessors
                        ? filling.blocks / limits.multiprocessors
                    : filling.waves > 1.0 ? filling.waves / std::ceil(filling.waves)
                                          : 1.0;
    return filling;
}

/// Long launches of one kernel that leave multiprocessors idle.
struct Unfilled {
    std::vector<GpuOpId> launches;
    TimeNs ns = 0;
    double lostNs = 0.0;
    Filling longest;
    TimeNs longestNs = 0;
};

Finding findingOf(const Material& material, const Unfilled& unfilled, const Limits& limits) {
    const trace::Trace& trace = material.trace();
    const auto steps = static_cast<TimeNs>(material.steps());
    const Filling& filling = unfilled.longest;
    const std::string_view name = trace.name(material.sliceOf(unfilled.launches.front()));
    const bool isSmall = filling.blocks < limits.multiprocessors;
    Finding finding;
    finding.title =
        isSmall ? fmt::format("{:.0f} blocks for {:.0f} multiprocessors: {}", filling.blocks,
                              limits.multiprocessors, labelOf(name))
                : fmt::format("A tail in {:.2f} waves of blocks: {}", filling.waves, labelOf(name));
    finding.todo = isSmall
                       ? "Launch more blocks (a larger batch, smaller tiles, split-K), or overlap "
                         "it with work on another stream."
                       : "Use smaller tiles, sizes that fill whole waves, or a persistent kernel.";
    finding.whatIf = "its launches become shorter by the share of idle multiprocessors";
    finding.evidence = {
        {"kernel", std::string(name), "", ""},
        {"launches of 20 µs and more" + material.each("per step"),
         perStep(unfilled.launches.size(), material.steps()), "", "whole trace"},
        {"time of them" + material.each("a step"), text::formatDuration(unfilled.ns / steps), "",
         "whole trace"},
        {"blocks of the longest", fmt::format("{:.0f}", filling.blocks), "Its grid", ""},
        {"waves of the longest", fmt::format("{:.2f}", filling.waves),
         "Number of blocks divided by how many fit on all multiprocessors at once (threads, "
         "registers, shared memory)",
         ""}};
    std::vector<trace::SliceId> slices;
    for (const GpuOpId id : unfilled.launches) {
        slices.push_back(material.sliceOf(id));
        finding.changes.push_back(
            {.node = material.nodeOf(id),
             .scale = static_cast<float>(fillingOf(trace.gpuOperations()[id], limits).share)});
    }
    finding.events = longestEvents(trace, std::move(slices));
    return finding;
}

Found findUnfilledGpu(const Material& material) {
    const trace::Trace& trace = material.trace();
    std::map<std::int32_t, Limits> limits;
    std::map<std::pair<std::int32_t, std::uint32_t>, Unfilled> byKernel;
    bool noLimits = false;
    for (GpuOpId id = 0; id < trace.gpuOperations().size(); ++id) {
        const GpuOperation& kernel = trace.gpuOperations()[id];
        const TimeNs ns = trace.duration(kernel.slice);
        if (trace.category(kernel.slice) != trace::Category::Kernel || ns < kLongNs ||
            analysis::isCommunication(trace, material.names(), id)) {
            continue;
        }
        auto known = limits.find(kernel.gpu);
        if (known == limits.end()) {
            known = limits.emplace(kernel.gpu, limitsOf(trace.info().device(kernel.gpu))).first;
        }
        noLimits = noLimits || known->second.multiprocessors <= 0.0;
        const Filling filling = fillingOf(kernel, known->second);
        if (filling.share < kWellFilled) {
            Unfilled& unfilled = byKernel[{kernel.gpu, material.names().numberOf(id)}];
            unfilled.launches.push_back(id);
            unfilled.ns = addTime(unfilled.ns, ns);
            unfilled.lostNs += static_cast<double>(ns) * (1.0 - filling.share);
            if (ns > unfilled.longestNs) {
                unfilled.longest = filling;
                unfilled.longestNs = ns;
            }
        }
    }
    if (byKernel.empty()) {
        return {{}, noLimits ? "the trace does not say how many multiprocessors the GPU has" : ""};
    }
    std::vector<std::pair<std::int32_t, const Unfilled*>> sorted;
    sorted.reserve(byKernel.size());
    for (const auto& [key, unfilled] : byKernel) {
        sorted.emplace_back(key.first, &unfilled);
    }
    std::ranges::stable_sort(sorted, std::greater<>(),
                             [](const auto& one) { return one.second->lostNs; });
    sorted.resize(std::min(sorted.size(), kMaxOfOne));
    Found found;
    for (const auto& [gpu, unfilled] : sorted) {
        found.findings.push_back(findingOf(material, *unfilled, limits.at(gpu)));
    }
    return found;
}

}  // namespace

Rule unfilledGpuRule() {
    return {
        {"unfilled-gpu", "Long kernels that do not fill the GPU",
         "A kernel has fewer blocks than the GPU has multiprocessors, or its last wave of blocks "
         "leaves many of them idle."},
        findUnfilledGpu};
}

}  // namespace kinetoscope::advise
