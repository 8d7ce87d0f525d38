// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/import/scan/VectorLevel.h"

namespace kinetoscope::import::event {

struct EventShape;
struct RawEvent;

/// Behind the event at `at`, or null when it has another shape.
using MatchShape = const char* (*)(EventShape& shape, const char* at, const char* end,
                                   RawEvent& event);

/// Compiled once for each level.
[[nodiscard]] MatchShape matchShapeOf(scan::VectorLevel level);

}  // namespace kinetoscope::import::event
