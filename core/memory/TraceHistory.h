// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "core/base/Result.h"
#include "core/memory/History.h"
#include "core/trace/Trace.h"

namespace kinetoscope::memory {

/// The allocations in a trace's [memory] events, each with the operator and the functions around it
/// on its thread. Reads the events' arguments from the file again. Fails for a trace without such
/// events, with how to turn them on.
[[nodiscard]] Result<History> historyOf(const trace::Trace& trace,
                                        const std::stop_token& stop = {});

}  // namespace kinetoscope::memory
