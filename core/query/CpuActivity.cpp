// SPDX-License-Identifier: Apache-2.0
#include "core/query/CpuActivity.h"

#include <algorithm>

#include "core/query/Intervals.h"

namespace kinetoscope::query {

namespace {

bool isWork(trace::Category category) {
    return category == trace::Category::CpuOp || trace::isApiCall(category);
}

bool isElsewhere(trace::Category category) {
    return trace::isGpuOperation(category) || category == trace::Category::GpuUserAnnotation;
}

}  // namespace

std::vector<TimeSpan> cpuActivity(const trace::Trace& trace) {
    const auto count = static_cast<trace::SliceId>(trace.sliceCount());
    const bool hasWork = std::ranges::any_of(
        trace.categoryIds(), [](trace::CategoryId id) { return isWork(trace::categoryKind(id)); });
    // What lies inside of the slice before it on its thread adds nothing, and that is most.
    std::vector<TimeSpan> last(trace.tracks().size(), TimeSpan{0, 0});
    std::vector<TimeSpan> spans;
    for (trace::SliceId slice = 0; slice < count; ++slice) {
        const trace::Category category = trace.category(slice);
        const TimeSpan span = trace.span(slice);
        if (span.empty() || (hasWork ? !isWork(category) : isElsewhere(category))) {
            continue;
        }
        TimeSpan& before = last[trace.trackOf(slice)];
        if (before.start <= span.start && span.end <= before.end) {
            continue;
        }
        before = span;
        spans.push_back(span);
    }
    return unionOfUnsorted(std::move(spans));
}

}  // namespace kinetoscope::query
