// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope {

/// The number that an API call shares with the GPU operations it launched: the argument
/// "correlation". On ROCm the profiler wrote none until 2024 and put the same number into
/// "External id", which of operators says something else. So in a file without any call that has a
/// correlation, the External id of calls and GPU operations is it, unless that of the first call is
/// the operator's around it.
class LaunchIds {
public:
    explicit LaunchIds(const Trace& trace);

    [[nodiscard]] std::int64_t of(SliceId slice) const {
        const std::int64_t correlation = m_trace.correlation(slice);
        return correlation == kNoId && m_anyExternal ? externalOf(slice) : correlation;
    }
    /// External ids of the file of this slice join launches, and do not name operators.
    [[nodiscard]] bool areExternal(SliceId slice) const {
        return m_anyExternal && m_external[sourceOf(slice)];
    }

private:
    [[nodiscard]] std::uint16_t sourceOf(SliceId slice) const;
    [[nodiscard]] std::int64_t externalOf(SliceId slice) const;
    [[nodiscard]] bool namesOperator(SliceId call) const;

    const Trace& m_trace;
    std::vector<bool> m_external;  ///< by source
    bool m_anyExternal = false;
};

}  // namespace kinetoscope
