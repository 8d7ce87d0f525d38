// SPDX-License-Identifier: Apache-2.0
#include "core/query/sql/Nesting.h"

#include <algorithm>
#include <span>

#include "core/base/SortRuns.h"
#include "core/base/Threads.h"

namespace kinetoscope::query::sql {

namespace {

// Operations of a GPU run beside each other: none is inside of another.
bool nests(const trace::Trace& trace, trace::SliceId slice) {
    const trace::Category category = trace.category(slice);
    return !trace::isGpuOperation(category) && category != trace::Category::GpuUserAnnotation &&
           trace.tracks()[trace.trackOf(slice)].kind == trace::TrackKind::Thread;
}

}  // namespace

Nesting::Nesting(const trace::Trace& trace, const std::stop_token& stop)
    : m_parent(trace.sliceCount(), trace::kNoSlice),
      m_depth(trace.sliceCount(), 0),
      m_self(trace.sliceCount()) {
    std::vector<std::vector<trace::SliceId>> tracks(trace.tracks().size());
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        m_self[slice] = trace.duration(slice);
        if (nests(trace, slice)) {
            tracks[trace.trackOf(slice)].push_back(slice);
        }
    }
    for (auto& track : tracks) {
        throwIfStopped(stop);
        nest(trace, track);
    }
}

void Nesting::nest(const trace::Trace& trace, std::vector<trace::SliceId>& track) {
    struct Open {
        trace::SliceId slice;
        TimeNs end;
        TimeNs childEnd;  // of the part of it that children have covered
    };
    sortRuns(std::span(track), [&](trace::SliceId a, trace::SliceId b) {
        const TimeNs first = trace.start(a);
        const TimeNs second = trace.start(b);
        return first != second ? first < second : trace.duration(a) > trace.duration(b);
    });
    std::vector<Open> open;
    for (const trace::SliceId slice : track) {
        const TimeSpan span = trace.span(slice);
        while (!open.empty() && (open.back().end <= span.start || open.back().end < span.end)) {
            open.pop_back();
        }
        if (!open.empty()) {
            Open& parent = open.back();
            m_parent[slice] = parent.slice;
            m_depth[slice] = m_depth[parent.slice] + 1;
            m_self[parent.slice] -=
                std::max<TimeNs>(0, span.end - std::max(span.start, parent.childEnd));
            parent.childEnd = std::max(parent.childEnd, span.end);
        }
        open.push_back({slice, span.end, span.start});
    }
}

}  // namespace kinetoscope::query::sql
