// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/advise/HostTime.h"
#include "core/advise/Rule.h"

namespace kinetoscope::advise {

namespace {

using trace::SliceId;

// Allocations of the driver; those of PyTorch's own allocator cost nothing like it.
bool isAllocation(std::string_view name) {
    for (const std::string_view prefix : {"cuda", "hip", "cu"}) {
        if (name.starts_with(prefix)) {
            const std::string_view rest = name.substr(prefix.size());
            return rest.starts_with("Malloc") || rest.starts_with("Free") ||
                   rest.starts_with("HostAlloc") || rest.starts_with("HostMalloc") ||
                   rest.starts_with("MemAlloc") || rest.starts_with("MemFree") ||
                   rest.starts_with("MemCreate") || rest.starts_with("MemMap") ||
                   rest.starts_with("MemUnmap");
        }
    }
    return false;
}

struct Allocations {
    std::vector<SliceId> calls;
    std::uint64_t frees = 0;
    TimeNs ns = 0;
};

// In every step but the first, in which everything is allocated that is used again later.
Allocations findAllocations(const Material& material) {
    const trace::Trace& trace = material.trace();
    NameSet names(trace, isAllocation);
    Allocations found;
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (!trace::isApiCall(trace.category(slice)) || !names.has(trace.nameId(slice))) {
            continue;
        }
        const auto step = material.stepAt(trace.start(slice));
        if (step && *step > 0) {
            found.calls.push_back(slice);
            if (trace.name(slice).find("Free") != std::string_view::npos) {
                ++found.frees;
            }
            found.ns = addTime(found.ns, trace.duration(slice));
        }
    }
    return found;
}

Found findAllocatorWork(const Material& material) {
    if (!hasApiCalls(material.trace())) {
        return {{}, std::string(kNoApiCalls)};
    }
    if (material.steps() < 2) {
        return {{},
                "at least two steps are needed to tell initial allocations from recurring ones"};
    }
    Allocations found = findAllocations(material);
    if (found.calls.empty()) {
        return {};
    }
    const std::size_t steps = material.steps() - 1;
    Finding finding;
    finding.title = fmt::format("The driver allocates and frees memory, {} a step",
                                timesOf(found.calls.size(), steps));
    finding.todo =
        "Reuse buffers; set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True against fragmentation "
        "and retries; do not call empty_cache() in the loop; leave some memory free.";
    finding.whatIf = "the calls take no time";
    finding.evidence = {
        {"calls a step", perStep(found.calls.size(), steps),
         "cudaMalloc, cudaFree and similar calls; cudaFree waits for the whole GPU",
         "all steps but the first"},
        {"of them freeing", countOf(found.frees),
         "In steady state the allocator frees memory when an allocation failed, before it retries",
         "all steps but the first"},
        {"time in them a step", durationPerStep(found.ns, steps), "", "all steps but the first"}};
    ThreadSpans spans;
    for (const SliceId call : found.calls) {
        spans[material.trace().trackOf(call)].push_back(material.trace().span(call));
    }
    dropHostTime(material.graph(), std::move(spans), Waits::Kept, finding.changes);
    finding.events = longestEvents(material.trace(), std::move(found.calls));
    return {{std::move(finding)}, {}};
}

}  // namespace

Rule allocatorRule() {
    return {{"allocator", "Allocations in steady state",
             "The driver still allocates or frees memory after the first step."},
            findAllocatorWork,
            false};
}

}  // namespace kinetoscope::advise
