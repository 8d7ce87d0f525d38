// SPDX-License-Identifier: Apache-2.0
#include "core/advise/Exposed.h"

#include <algorithm>

#include "core/base/SaturatedTime.h"
#include "core/query/Intervals.h"

namespace kinetoscope::advise {

Exposed findExposed(const Material& material, const std::function<bool(trace::GpuOpId)>& isMeant) {
    Exposed found;
    double ns = 0.0;  // of several GPUs it may be more than a time can be
    double exposedNs = 0.0;
    for (const query::GpuRow& row : material.timeline().gpus()) {
        std::vector<TimeSpan> meant;
        std::vector<TimeSpan> other;
        for (const query::OperationTime& time : row.operations) {
            const bool is = isMeant(time.operation);
            (is ? meant : other).push_back(time.span);
            if (is) {
                found.operations.push_back(time.operation);
            }
        }
        found.gpus += meant.empty() ? 0 : 1;
        const query::CoveredTime beside(query::unionOf(other));
        for (const TimeSpan span : query::unionOf(meant)) {
            ns += static_cast<double>(span.duration());
            exposedNs += static_cast<double>(span.duration() - beside.inside(span));
        }
    }
    const auto gpus = static_cast<double>(std::max<TimeNs>(1, found.gpus));
    found.ns = saturatedTime(ns / gpus);
    found.exposedNs = saturatedTime(exposedNs / gpus);
    return found;
}

void dropOperations(const Material& material, const std::vector<trace::GpuOpId>& operations,
                    Finding& finding) {
    std::vector<trace::SliceId> slices;
    for (const trace::GpuOpId id : operations) {
        finding.changes.push_back({.node = material.nodeOf(id), .scale = 0.0F});
        slices.push_back(material.sliceOf(id));
    }
    finding.events = longestEvents(material.trace(), std::move(slices));
}

}  // namespace kinetoscope::advise
