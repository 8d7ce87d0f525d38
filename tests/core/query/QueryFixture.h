// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/trace/TraceBuilder.h"

namespace kinetoscope {

/// Traces of a few hand-written slices.
class QueryFixture {
public:
    trace::TrackId track(std::int64_t pid, std::int64_t tid) {
        return m_builder.track({false, pid}, {false, tid});
    }
    trace::SliceId slice(trace::TrackId track, TimeNs start, TimeNs end,
                         std::string_view name = "op",
                         trace::Category category = trace::Category::CpuOp,
                         std::int64_t correlation = trace::kNoId) {
        trace::SliceInput input;
        input.track = track;
        input.start = start;
        input.duration = end - start;
        input.name = m_builder.name(name);
        input.category = static_cast<trace::CategoryId>(category);
        input.correlation = correlation;
        return m_builder.addSlice(input);
    }
    trace::SliceId kernel(trace::TrackId track, TimeNs start, TimeNs end,
                          std::int64_t correlation = trace::kNoId) {
        return slice(track, start, end, "kernel", trace::Category::Kernel, correlation);
    }
    void flow(std::int64_t id, TimeNs time, trace::TrackId track, char phase,
              trace::Category category = trace::Category::FwdBwd) {
        trace::FlowPoint point;
        point.id = id;
        point.time = time;
        point.track = track;
        point.phase = phase;
        point.name = m_builder.name("fwdbwd");
        point.category = static_cast<trace::CategoryId>(category);
        m_builder.addFlow(point);
    }
    [[nodiscard]] trace::TraceBuilder& builder() { return m_builder; }
    [[nodiscard]] std::shared_ptr<const trace::Trace> finish() { return m_builder.finish(); }

private:
    trace::TraceBuilder m_builder;
};

}  // namespace kinetoscope
