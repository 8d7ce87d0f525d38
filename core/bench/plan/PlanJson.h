// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/bench/plan/KernelPlan.h"

namespace kinetoscope::bench::plan {

/// What would be launched, as a JSON document "kinetoscope.plan/1".
[[nodiscard]] std::string planJson(const CachePlan& plan);

}  // namespace kinetoscope::bench::plan
