// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/analysis/Steps.h"
#include "core/query/GpuTimeline.h"
#include "core/query/LaunchLinks.h"
#include "core/trace/Trace.h"

namespace kinetoscope::path {

inline constexpr trace::GpuOpId kNoOperation = std::numeric_limits<trace::GpuOpId>::max();

/// What all parts of a graph are made from.
struct Tables {
    explicit Tables(const trace::Trace& of)
        : trace(of), timeline(of), links(of), steps(analysis::findSteps(of, timeline, links)) {}

    [[nodiscard]] trace::SliceId sliceOf(trace::GpuOpId operation) const {
        return trace.gpuOperations()[operation].slice;
    }
    /// When the operation was put into its stream; its own start if unknown.
    [[nodiscard]] TimeNs launched(trace::GpuOpId operation) const {
        const trace::SliceId call = links.apiCall(operation);
        return trace.start(call == trace::kNoSlice ? sliceOf(operation) : call);
    }

    const trace::Trace& trace;
    query::GpuTimeline timeline;
    query::LaunchLinks links;
    std::vector<analysis::Step> steps;
};

using StreamId = std::uint32_t;
inline constexpr StreamId kNoStream = 0xffffffff;

/// The operations put into each stream, in that order.
class Launches {
public:
    explicit Launches(const Tables& tables);

    [[nodiscard]] StreamId streamOf(trace::GpuOpId operation) const { return m_stream[operation]; }
    [[nodiscard]] std::size_t streams() const { return m_launches.size(); }
    /// kNoStream where nothing ran on it.
    [[nodiscard]] StreamId find(std::uint16_t source, std::int64_t gpu, std::int64_t stream) const;
    /// The last one put into the stream before the time: of a graph's operations the one that ended
    /// last, on whatever stream.
    [[nodiscard]] trace::GpuOpId lastBefore(StreamId stream, TimeNs time) const;
    /// The first one put into it from the time on.
    [[nodiscard]] trace::GpuOpId firstFrom(StreamId stream, TimeNs time) const;
    /// Of operations of that file put into streams before `launched` those that ended last, at most
    /// one a stream, no later than `end`: the latest first.
    [[nodiscard]] std::vector<trace::GpuOpId> lastEnded(std::uint16_t source, TimeNs launched,
                                                        TimeNs end) const;

private:
    struct Launch {
        TimeNs time;  ///< when it was put into its stream
        trace::GpuOpId operation;
    };

    const Tables& m_tables;
    std::map<std::tuple<std::uint16_t, std::int64_t, std::int64_t>, StreamId> m_streams;
    std::vector<StreamId> m_stream;                                    ///< by operation
    std::vector<std::vector<Launch>> m_launches;                       ///< by stream
    std::unordered_map<trace::SliceId, trace::GpuOpId> m_lastOfGraph;  ///< by launching call
    std::map<std::uint16_t, std::vector<Launch>> m_byEnd;  ///< by source; the time is its end
};

}  // namespace kinetoscope::path
