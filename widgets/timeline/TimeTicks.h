// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/Time.h"

namespace kinetoscope::timeline {

struct TimeTick {
    TimeNs time = 0;
    std::string label;
};

/// Where a time axis has its lines. Labels count from `anchor`.
struct TimeTicks {
    TimeNs step = 1;          ///< 1, 2 or 5 times a power of ten
    TimeNs anchor = 0;        ///< the origin, or a round time near the view where labels get long
    std::string anchorLabel;  ///< "12.345 s" since the origin; empty when the anchor is the origin
    std::vector<TimeTick> ticks;
};

/// Ticks inside `visible`, at least `spacing` of `width` pixels apart. Labels count from `origin`.
[[nodiscard]] TimeTicks timeTicks(TimeSpan visible, TimeNs origin, double width, double spacing);

/// The smallest of 1, 2, 5, 10, 20 … nanoseconds that is not below `least`.
[[nodiscard]] TimeNs niceStep(double least);

}  // namespace kinetoscope::timeline
