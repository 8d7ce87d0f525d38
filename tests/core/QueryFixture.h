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
    TrackId track(std::int64_t pid, std::int64_t tid) {
        return m_builder.track({false, pid}, {false, tid});
    }
    SliceId slice(TrackId track, TimeNs start, TimeNs end, std::string_view name = "op",
                  Category category = Category::CpuOp, std::int64_t correlation = kNoId) {
        SliceInput input;
        input.track = track;
        input.start = start;
        input.duration = end - start;
        input.name = m_builder.name(name);
        input.category = static_cast<CategoryId>(category);
        input.correlation = correlation;
        return m_builder.addSlice(input);
    }
    SliceId kernel(TrackId track, TimeNs start, TimeNs end, std::int64_t correlation = kNoId) {
        return slice(track, start, end, "kernel", Category::Kernel, correlation);
    }
    void flow(std::int64_t id, TimeNs time, TrackId track, char phase,
              Category category = Category::FwdBwd) {
        FlowPoint point;
        point.id = id;
        point.time = time;
        point.track = track;
        point.phase = phase;
        point.name = m_builder.name("fwdbwd");
        point.category = static_cast<CategoryId>(category);
        m_builder.addFlow(point);
    }
    [[nodiscard]] TraceBuilder& builder() { return m_builder; }
    [[nodiscard]] std::shared_ptr<const Trace> finish() { return m_builder.finish(); }

private:
    TraceBuilder m_builder;
};

}  // namespace kinetoscope
