// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/advise/Exposed.h"
#include "core/advise/Rule.h"
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
        bytes += trace.gpuOperations()[id].bytes;
    }
    const std::size_t steps = material.steps();
    Finding finding;
    dropOperations(material, copies.operations, finding);
    finding.title =
        fmt::format("Copies are exposed for {} a step: {}",
                    durationPerStep(copies.exposedNs, steps), finding.events.front().name);
    finding.todo =
        "Copy ahead on a separate stream, from pinned memory with non_blocking=True; copy fewer "
        "bytes, or keep offloaded data on the GPU.";
    finding.whatIf = "the copies take no time";
    finding.evidence = {
        {"copies a step", perStep(copies.operations.size(), steps),
         "Between host and GPU; copies from pageable memory belong to the rule pageable-copies",
         "whole trace"},
        {"bytes a step", text::formatBytes(bytes / steps), "", "whole trace"},
        {"time of them a step", durationPerStep(copies.ns, steps), "Union, averaged over GPUs",
         "whole trace"},
        {"exposed a step", durationPerStep(copies.exposedNs, steps),
         "The part of it during which nothing else ran on the GPU", "whole trace"},
        {"rate",
         fmt::format("{:.1f} GB/s",
                     static_cast<double>(bytes) /
                         static_cast<double>(std::max<TimeNs>(1, copies.ns * copies.gpus))),
         "Bytes divided by the time of the copies", "whole trace"}};
    return {{std::move(finding)}, {}};
}

}  // namespace

Rule exposedCopiesRule() {
    return {{"exposed-copies", "Exposed copies",
             "Copies between host and GPU run while the GPU computes nothing."},
            findExposedCopies};
}

}  // namespace kinetoscope::advise
