// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/base/Time.h"

namespace kinetoscope::ranks::parts {

/// The parts of `spans` that `other` leaves free; both disjoint and by start.
[[nodiscard]] std::vector<TimeSpan> without(const std::vector<TimeSpan>& spans,
                                            const std::vector<TimeSpan>& other);

}  // namespace kinetoscope::ranks::parts
