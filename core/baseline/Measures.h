// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/baseline/Entry.h"
#include "core/bench/results/BenchResult.h"
#include "core/compare/ComparedRun.h"
#include "core/compare/MeasuredResult.h"

namespace kinetoscope::baseline {

/// Of a trace: the kernel time of a step, or of the run if it has none; the duration of a step; and
/// one launch of each kernel, by its name without the parts that vary between builds. Most kernel
/// time first, and no more than is readable.
[[nodiscard]] std::vector<Measure> measuresOf(const compare::ComparedRun& run);

/// Of several runs of one bench: the sum of all that every run measured, and each of these.
[[nodiscard]] std::vector<Measure> measuresOf(const std::vector<compare::MeasuredResult>& runs);

/// The SM clock while they ran, in MHz; 0 where it was not sampled.
[[nodiscard]] double clockOf(const trace::Trace& trace);
[[nodiscard]] double clockOf(const std::vector<compare::MeasuredResult>& runs);

}  // namespace kinetoscope::baseline
