// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/advise/Rule.h"
#include "core/query/Intervals.h"
#include "core/text/Format.h"

namespace kinetoscope::advise {

namespace {

/// Kernels of communication, and when nothing was computed beside them.
struct Collectives {
    std::vector<trace::GpuOpId> operations;
    TimeNs ns = 0;         ///< union of each GPU, added up
    TimeNs exposedNs = 0;  ///< of it, without any other operation of that GPU
};

Collectives findCollectives(const Material& material) {
    Collectives found;
    for (const query::GpuRow& row : material.timeline().gpus()) {
        std::vector<TimeSpan> communication;
        std::vector<TimeSpan> other;
        for (const query::OperationTime& time : row.operations) {
            const bool communicates =
                analysis::isCommunication(material.trace(), material.names(), time.operation);
            (communicates ? communication : other).push_back(time.span);
            if (communicates) {
                found.operations.push_back(time.operation);
            }
        }
        const query::CoveredTime computed(query::unionOf(other));
        for (const TimeSpan span : query::unionOf(communication)) {
            found.ns += span.duration();
            found.exposedNs += span.duration() - computed.inside(span);
        }
    }
    return found;
}

Found findCommunication(const Material& material) {
    const Collectives collectives = findCollectives(material);
    if (collectives.operations.empty()) {
        return {};
    }
    const auto steps = static_cast<TimeNs>(material.steps());
    Finding finding;
    finding.title = fmt::format("Communication is exposed for {} a step",
                                text::formatDuration(collectives.exposedNs / steps));
    finding.todo =
        "Overlap it with the backward pass (bucket_cap_mb, gradient_as_bucket_view), send fewer "
        "bytes; the traces of all ranks tell who kept whom waiting: kscope advise FOLDER.";
    finding.whatIf = "kernels of communication take no time, waiting for other ranks included";
    finding.evidence = {
        {"kernels of communication a step",
         perStep(collectives.operations.size(), material.steps()), "", "whole trace"},
        {"time of them a step", text::formatDuration(collectives.ns / steps),
         "Union on each GPU; from the launch of the kernel on, so with waiting for other ranks",
         "whole trace"},
        {"exposed a step", text::formatDuration(collectives.exposedNs / steps),
         "Of it, while nothing else ran on the GPU", "whole trace"},
        {"of it exposed", shareOf(collectives.exposedNs, collectives.ns), "", "whole trace"}};
    std::vector<trace::SliceId> slices;
    for (const trace::GpuOpId id : collectives.operations) {
        finding.changes.push_back({.node = material.nodeOf(id), .scale = 0.0F});
        slices.push_back(material.sliceOf(id));
    }
    finding.events = longestEvents(material.trace(), std::move(slices));
    return {{std::move(finding)}, {}};
}

}  // namespace

Rule communicationRule() {
    return {{"exposed-communication", "Exposed communication",
             "Kernels of communication run while the GPU computes nothing."},
            findCommunication};
}

}  // namespace kinetoscope::advise
