// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/results/ResultSheet.h"

namespace kinetoscope::bench::results {

/// Each call of a document whose inputs come from a trace: its time there beside the bench's, in
/// its own and other types, and whether the same kernels ran; below it what was left out.
[[nodiscard]] ResultSheet::Section tracedSection(const ResultDocument& document);

}  // namespace kinetoscope::bench::results
