// SPDX-License-Identifier: Apache-2.0
#include "core/import/execution/ExecutionImporter.h"

#include <fmt/format.h>

#include "core/import/execution/ExecutionTrace.h"

namespace kinetoscope::import::execution {

bool ExecutionImporter::recognises(std::string_view head) const {
    return isExecutionTrace(head);
}

Result<std::shared_ptr<const trace::Trace>> ExecutionImporter::read(ImportInput& input) const {
    return fail(
        fmt::format("'{}': is an execution trace of PyTorch, which has tensors and no times; open "
                    "the profiler's "
                    "trace of the same run with it: kscope report TRACE --execution-trace FILE",
                    input.path));
}

}  // namespace kinetoscope::import::execution
