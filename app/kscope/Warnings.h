// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/Trace.h"

namespace kinetoscope {

/// One line on standard error when something of the file is not in the trace.
void warnOfSkipped(const Trace& trace);

}  // namespace kinetoscope
