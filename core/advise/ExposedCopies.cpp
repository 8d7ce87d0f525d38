// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/advise/Exposed.h"
#include "core/advise/Rule.h"
#include "core/model/RooflineRows.h"
#include "core/text/Format.h"

namespace kinetoscope::advise {

namespace {

// To and from the host; those from pageable memory have a rule of their own.
bool isHostCopy(std::string_view name) {
    return !isPageableUpload(name) &&
           (name.find("HtoD") != name.npos || name.find("DtoH") != name.npos);
}

Found findExposedCopies(const Material& material) {
    const trace::Trace& trace = material.trace();
    const Exposed copies = findExposed(material, [&](trace::GpuOpId operation) {
        const trace::SliceId slice = material.sliceOf(operation);
        return trace.category(slice) == trace::Category::GpuMemcpy && isHostCopy(trace.name(slice));
    });
    if (copies.operations.empty()) {
        return {};
    }
    std::uint64_t bytes = 0;
    for (const trace::GpuOpId id : copies.operations) {
        bytes = model::addWork(bytes, trace.gpuOperations()[id].bytes);
    }
    const std::size_t steps = material.steps();
    const auto gpus = static_cast<std::size_t>(std::max<TimeNs>(1, copies.gpus));
    // Times are those of a GPU on average; counts and bytes must be, too.
    const std::string each = gpus == 1 ? "" : " and GPU";
    const std::string window =
        gpus == 1 ? "whole trace" : fmt::format("whole trace, average of {} GPUs", gpus);
    Finding finding;
    dropOperations(material, copies.operations, finding);
    finding.title =
        fmt::format("Copies are exposed for {}{}{}: {}", durationPerStep(copies.exposedNs, steps),
                    material.each("a step"),
                    gpus == 1 ? "" : fmt::format(" on each of {} GPUs, on average", gpus),
                    finding.events.front().name);
    finding.todo =
        "Copy ahead on a separate stream, from pinned memory with non_blocking=True; copy fewer "
        "bytes, or keep offloaded data on the GPU.";
    finding.whatIf = "the copies take no time";
    finding.evidence = {
        {"copies" + material.each("a step") + each, perStep(copies.operations.size(), steps * gpus),
         "Between host and GPU; copies from pageable memory belong to the rule pageable-copies",
         window},
        {"bytes" + material.each("a step") + each, text::formatBytes(bytes / (steps * gpus)), "",
         window},
        {"time of them" + material.each("a step") + each, durationPerStep(copies.ns, steps),
         "Union on a GPU", window},
        {"exposed" + material.each("a step") + each, durationPerStep(copies.exposedNs, steps),
         "The part of it during which nothing else ran on that GPU", window},
        {"rate" + std::string(gpus == 1 ? "" : " of a GPU"),
         fmt::format("{:.1f} GB/s", static_cast<double>(bytes) /
                                        (static_cast<double>(std::max<TimeNs>(1, copies.ns)) *
                                         static_cast<double>(gpus))),
         "Bytes divided by the time of the copies", window}};
    return {{std::move(finding)}, {}};
}

}  // namespace

Rule exposedCopiesRule() {
    return {{"exposed-copies", "Exposed copies",
             "Copies between host and GPU run while the GPU computes nothing."},
            findExposedCopies};
}

}  // namespace kinetoscope::advise
