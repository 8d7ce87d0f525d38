// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::query {

/// The file of a merged trace that a track comes from; correlations and ids are one file's own.
[[nodiscard]] inline std::uint16_t sourceOfTrack(const trace::Trace& trace, trace::TrackId track) {
    return trace.processes()[trace.tracks()[track].process].source;
}

/// The same of a slice.
[[nodiscard]] inline std::uint16_t sourceOf(const trace::Trace& trace, trace::SliceId slice) {
    return sourceOfTrack(trace, trace.trackOf(slice));
}

/// The number that an API call shares with the GPU operations it launched: the argument
/// "correlation". On ROCm the profiler wrote none until 2024 and put the same number into "External
/// id", which means something else for operators. So in a file without any call that has a
/// correlation, the External id of calls and GPU operations is it, unless that of the first call is
/// the operator's around it.
class LaunchIds {
public:
    explicit LaunchIds(const trace::Trace& trace);

    [[nodiscard]] std::int64_t of(trace::SliceId slice) const {
        const std::int64_t correlation = m_trace.correlation(slice);
        return correlation == trace::kNoId && m_anyExternal ? externalOf(slice) : correlation;
    }
    /// External ids of the file of this slice join launches, and do not name operators.
    [[nodiscard]] bool areExternal(trace::SliceId slice) const {
        return m_anyExternal && m_external[sourceOf(m_trace, slice)];
    }

private:
    [[nodiscard]] std::int64_t externalOf(trace::SliceId slice) const;
    [[nodiscard]] bool namesOperator(trace::SliceId call) const;

    const trace::Trace& m_trace;
    std::vector<bool> m_external;  ///< by source
    bool m_anyExternal = false;
};

}  // namespace kinetoscope::query
