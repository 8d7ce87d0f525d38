// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/trace/Trace.h"

namespace kinetoscope::query {

/// ROCm's tracer (6.0 to 6.2) gives the kernels of communication no correlation, or 0, while their
/// launches have one that nothing else has. Where all such kernels of a file run on one stream,
/// which keeps the order of its launches, the n-th belongs to the n-th; kernels that began before
/// the first such launch are older than the recording. They are joined only if they are then as
/// many and none began before its launch. `apiCall` by GPU operation, kNoSlice where it is not
/// known.
void linkOrphans(const trace::Trace& trace, std::vector<trace::SliceId>& apiCall);

}  // namespace kinetoscope::query
