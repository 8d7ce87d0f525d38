// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "core/stream/CaptureEvent.h"

namespace kinetoscope::stream {

/// Which range each call was made in, by its correlation; both as they are in the trace.
class CallRanges {
public:
    void add(std::int64_t correlation, std::int64_t range) {
        m_calls.push_back({correlation, range});
    }
    void add(const CallRanges& other) {
        m_calls.insert(m_calls.end(), other.m_calls.begin(), other.m_calls.end());
    }
    void dropBefore(std::int64_t correlation) {
        std::erase_if(m_calls,
                      [correlation](const Call& call) { return call.correlation < correlation; });
    }
    /// To be called before of().
    void sort() { std::ranges::stable_sort(m_calls, {}, &Call::correlation); }
    /// The last one said; kNoCaptureId: none.
    [[nodiscard]] std::int64_t of(std::int64_t correlation) const {
        const auto behind = std::ranges::upper_bound(m_calls, correlation, {}, &Call::correlation);
        const bool found =
            behind != m_calls.begin() && std::prev(behind)->correlation == correlation;
        return found ? std::prev(behind)->range : kNoCaptureId;
    }

private:
    struct Call {
        std::int64_t correlation = 0;
        std::int64_t range = 0;
    };

    std::vector<Call> m_calls;
};

}  // namespace kinetoscope::stream
