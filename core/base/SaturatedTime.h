// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>

#include "core/base/Time.h"

namespace kinetoscope {

/// The time without its fraction; the first or last one for what does not fit, 0 for NaN.
[[nodiscard]] constexpr TimeNs saturatedTime(double ns) {
    constexpr double kBeyond = 9'223'372'036'854'775'808.0;  // 2^63, above the last time
    if (ns >= kBeyond) {
        return std::numeric_limits<TimeNs>::max();
    }
    if (ns < -kBeyond) {
        return std::numeric_limits<TimeNs>::min();
    }
    return ns == ns ? static_cast<TimeNs>(ns) : 0;
}

/// The span, as long as it is, moved by that time: at most to the first or to the last one.
[[nodiscard]] constexpr TimeSpan movedSpan(TimeSpan span, TimeNs by) {
    using Limits = std::numeric_limits<TimeNs>;
    const TimeNs inside =
        std::clamp(by, addTime(Limits::min(), -span.start), addTime(Limits::max(), -span.end));
    return {span.start + inside, span.end + inside};
}

}  // namespace kinetoscope
