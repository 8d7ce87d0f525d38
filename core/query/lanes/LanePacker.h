// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/Time.h"

namespace kinetoscope::query {

/// Gives each span of a track a lane, in order of start (the longer first). A span goes below the
/// lowest open parent that contains it, on the first lane there that is free. O(log lanes) each.
class LanePacker {
public:
    LanePacker();

    /// `parent`: spans inside this one belong below it.
    [[nodiscard]] std::uint32_t place(TimeSpan span, bool parent);
    [[nodiscard]] std::uint32_t laneCount() const { return m_lanes; }

private:
    void grow();
    void set(std::uint32_t lane, TimeNs end, TimeNs parentEnd);
    [[nodiscard]] std::int64_t lastContaining(TimeNs end) const;
    [[nodiscard]] std::uint32_t firstFree(std::uint32_t from, TimeNs start) const;

    std::uint32_t m_lanes = 0;
    std::uint32_t m_open = 0;      ///< every lane from here on is free
    std::uint32_t m_capacity = 0;  ///< leaves of both trees, a power of two
    // Leaves are the second half; the first is kept only when there are many lanes.
    std::vector<TimeNs> m_end;        ///< tree of minima: end of the last span on a lane
    std::vector<TimeNs> m_parentEnd;  ///< tree of maxima: the same where that span is a parent
};

}  // namespace kinetoscope::query
