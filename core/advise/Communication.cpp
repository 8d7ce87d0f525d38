// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/advise/Exposed.h"
#include "core/advise/Rule.h"
#include "core/text/Format.h"

namespace kinetoscope::advise {

namespace {

Found findCommunication(const Material& material) {
    const Exposed collectives = findExposed(material, [&](trace::GpuOpId operation) {
        return analysis::isCommunication(material.trace(), material.names(), operation);
    });
    if (collectives.operations.empty()) {
        return {};
    }
    const auto steps = static_cast<TimeNs>(material.steps());
    Finding finding;
    finding.title =
        fmt::format("Communication is exposed for {}{}",
                    text::formatDuration(collectives.exposedNs / steps), material.each("a step"));
    finding.todo =
        "Overlap it with the backward pass (bucket_cap_mb, gradient_as_bucket_view), send fewer "
        "bytes; the traces of all ranks tell which rank the others waited for: kscope advise "
        "FOLDER.";
    finding.whatIf = "communication kernels take no time, and neither does waiting for other ranks";
    finding.evidence = {
        {"communication kernels" + material.each("per step"),
         perStep(collectives.operations.size(), material.steps()), "", "whole trace"},
        {"time of them" + material.each("a step"), text::formatDuration(collectives.ns / steps),
         "Union, of a GPU on average; with waiting for other ranks, as the kernels have it",
         "whole trace"},
        {"exposed" + material.each("a step"), text::formatDuration(collectives.exposedNs / steps),
         "The part of it during which nothing else ran on the GPU", "whole trace"},
        {"of it exposed", shareOf(collectives.exposedNs, collectives.ns), "", "whole trace"}};
    dropOperations(material, collectives.operations, finding);
    return {{std::move(finding)}, {}};
}

}  // namespace

Rule communicationRule() {
    return {{"exposed-communication", "Exposed communication",
             "Communication kernels run while the GPU computes nothing."},
            findCommunication};
}

}  // namespace kinetoscope::advise
