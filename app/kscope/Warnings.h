// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/Trace.h"

namespace kinetoscope::app {

/// One line on standard error when something of the file is not in the trace.
void warnOfSkipped(const trace::Trace& trace);

}  // namespace kinetoscope::app
