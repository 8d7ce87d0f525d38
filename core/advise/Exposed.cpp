// SPDX-License-Identifier: Apache-2.0
#include "core/advise/Exposed.h"

#include <algorithm>

#include "core/query/Intervals.h"

namespace kinetoscope::advise {

Exposed findExposed(const Material& material, const std::function<bool(trace::GpuOpId)>& isMeant) {
    Exposed found;
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
            found.ns += span.duration();
            found.exposedNs += span.duration() - beside.inside(span);
        }
    }
    found.ns /= std::max<TimeNs>(1, found.gpus);
    found.exposedNs /= std::max<TimeNs>(1, found.gpus);
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
