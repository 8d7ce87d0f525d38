// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/analysis/Steps.h"
#include "core/query/GpuTimeline.h"
#include "core/query/LaunchLinks.h"

namespace kinetoscope::ranks::parts {

/// The steps of a recording that marks none, numbered from 1: each ends where the optimizer's does
/// ("Optimizer.step#AdamW.step"), or with the last work that `row` got until then; null: of no GPU.
/// Empty where the optimizer was not there twice. Only number and times are set.
[[nodiscard]] std::vector<analysis::Step> countSteps(const trace::Trace& trace,
                                                     const query::GpuRow* row,
                                                     const query::LaunchLinks& links);

}  // namespace kinetoscope::ranks::parts
