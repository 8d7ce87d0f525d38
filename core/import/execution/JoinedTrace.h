// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/import/execution/ExecutionTrace.h"
#include "core/trace/Trace.h"

namespace kinetoscope::import::execution {

/// The same trace, whose operators have the inputs ("Input Dims", "Input type", "Concrete Inputs",
/// "Input Strides") that the execution trace has for their "Record function id", if the trace
/// itself lacks them. Fails if no operator of the trace is in the execution trace.
[[nodiscard]] Result<std::shared_ptr<const trace::Trace>> joined(
    const std::shared_ptr<const trace::Trace>& trace,
    std::shared_ptr<const ExecutionTrace> execution);

}  // namespace kinetoscope::import::execution
