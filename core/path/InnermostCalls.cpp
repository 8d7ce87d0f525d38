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

/// Which slices count.
class IsMeant {
public:
    IsMeant(const trace::Trace& trace, CallsOf of) : m_trace(trace), m_of(of) {
        for (const query::StepSpan& step : query::findStepSpans(trace)) {
            m_steps.insert(step.slice);
        }
    }
    [[nodiscard]] bool operator()(SliceId slice) const {
        const Category category = m_trace.category(slice);
        switch (m_of) {
            case CallsOf::Operators:
                return category == Category::CpuOp;
            case CallsOf::Modules:
                return category == Category::PythonFunction &&
                       m_trace.name(slice).starts_with("nn.Module");
            case CallsOf::Work:
                break;
        }
        return isCall(category) || category == Category::PythonFunction ||
               (category == Category::UserAnnotation && !m_steps.contains(slice));
    }

private:
    const trace::Trace& m_trace;
    CallsOf m_of;
    std::set<SliceId> m_steps;
};

}  // namespace

InnermostCalls::InnermostCalls(const trace::Trace& trace, const WantedCalls& wanted,
                               const std::stop_token& stop, CallsOf of)
    : m_trace(trace) {
    std::map<trace::TrackId, std::vector<SliceId>> slices;
    std::vector<std::vector<SliceId>*> ofTrack(trace.tracks().size());
    for (const trace::TrackId track : wanted.tracks) {
        ofTrack[track] = &slices[track];
    }
    const IsMeant isMeant(trace, of);
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        std::vector<SliceId>* some = ofTrack[trace.trackOf(slice)];
        if (some != nullptr && trace.start(slice) < wanted.within.end &&
            trace.end(slice) > wanted.within.start && isMeant(slice)) {
            some->push_back(slice);
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
