// SPDX-License-Identifier: Apache-2.0
#include "core/path/InnermostCalls.h"

#include "core/base/SortRuns.h"
#include "core/base/Threads.h"
#include "core/query/StepSpans.h"

namespace kinetoscope::path {

using trace::Category;
using trace::SliceId;

namespace {

bool isCall(Category category) {
    return category == Category::CpuOp || trace::isApiCall(category);
}

}  // namespace

InnermostCalls::InnermostCalls(const trace::Trace& trace, const std::set<trace::TrackId>& tracks,
                               const std::stop_token& stop)
    : m_trace(trace) {
    std::map<trace::TrackId, std::vector<SliceId>> slices;
    std::vector<std::vector<SliceId>*> ofTrack(trace.tracks().size());
    for (const trace::TrackId track : tracks) {
        ofTrack[track] = &slices[track];
    }
    std::set<SliceId> steps;
    for (const query::StepSpan& step : query::findStepSpans(trace)) {
        steps.insert(step.slice);
    }
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        const Category category = trace.category(slice);
        const bool isNamed = isCall(category) || category == Category::PythonFunction ||
                             (category == Category::UserAnnotation && !steps.contains(slice));
        if (std::vector<SliceId>* of = ofTrack[trace.trackOf(slice)]; of != nullptr && isNamed) {
            of->push_back(slice);
        }
    }
    for (auto& [track, some] : slices) {
        throwIfStopped(stop);
        addTrack(some, m_changes[track]);
    }
}

void InnermostCalls::addTrack(std::vector<SliceId>& slices, Changes& changes) const {
    struct Open {
        TimeNs end;
        SliceId shown;
    };
    sortRuns(std::span(slices), [this](SliceId a, SliceId b) {
        return m_trace.start(a) != m_trace.start(b) ? m_trace.start(a) < m_trace.start(b)
                                                    : m_trace.end(a) > m_trace.end(b);
    });
    std::vector<Open> open;
    const auto closeUntil = [&](TimeNs time) {
        while (!open.empty() && open.back().end <= time) {
            const TimeNs end = open.back().end;
            open.pop_back();
            while (!open.empty() && open.back().end <= end) {
                open.pop_back();
            }
            changes.emplace_back(end, open.empty() ? trace::kNoSlice : open.back().shown);
        }
    };
    for (const SliceId slice : slices) {
        closeUntil(m_trace.start(slice));
        const bool hides = !isCall(m_trace.category(slice)) && !open.empty() &&
                           open.back().shown != trace::kNoSlice &&
                           isCall(m_trace.category(open.back().shown));
        const SliceId shown = hides ? open.back().shown : slice;
        open.push_back({m_trace.end(slice), shown});
        changes.emplace_back(m_trace.start(slice), shown);
    }
    closeUntil(std::numeric_limits<TimeNs>::max());
}

}  // namespace kinetoscope::path
