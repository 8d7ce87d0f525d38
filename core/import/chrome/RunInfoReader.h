// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/RunInfo.h"

namespace kinetoscope::import::chrome {

/// Fills baseTimeNs, devices and distributed of `info` from its fields. What cannot be understood
/// is left out; the fields keep it as written.
void readKnownFields(trace::RunInfo& info);

}  // namespace kinetoscope::import::chrome
