// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>

#include "core/base/Time.h"

namespace kinetoscope::import::database {

/// The latest end of all rows that several threads read: what has no end lasts until then.
class LatestEnd {
public:
    /// `reader` tells the threads apart.
    void reach(TimeNs end, const void* reader) {
        constexpr unsigned kPageBits = 12;  // readers stand on stacks of their own
        auto& latest =
            m_shares[(reinterpret_cast<std::uintptr_t>(reader) >> kPageBits) % kShares].end;
        TimeNs known = latest.load(std::memory_order_relaxed);
        while (known < end &&
               !latest.compare_exchange_weak(known, end, std::memory_order_relaxed)) {
        }
    }

    [[nodiscard]] TimeNs time() const {
        TimeNs latest = std::numeric_limits<TimeNs>::min();
        for (const Share& share : m_shares) {
            latest = std::max(latest, share.end.load(std::memory_order_relaxed));
        }
        return latest;
    }

private:
    static constexpr std::size_t kShares = 64;
    // One for all would go from processor to processor with every row.
    struct alignas(64) Share {
        std::atomic<TimeNs> end = std::numeric_limits<TimeNs>::min();
    };
    std::array<Share, kShares> m_shares;
};

}  // namespace kinetoscope::import::database
