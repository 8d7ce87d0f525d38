// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "core/cut/Cut.h"
#include "core/import/load/LoadTrace.h"
#include "tests/support/MemoryFiles.h"

namespace kinetoscope::test {

/// The JSON of a cut that keeps all of a trace. Throws where there is none.
[[nodiscard]] inline std::string wholeCut(const trace::Trace& trace) {
    Pipe pipe;
    cut::CutOptions options;
    options.window.kind = analysis::WindowKind::Trace;
    options.output = pipe.path();
    const auto summary = cut::cutTrace(trace, options);
    std::string written = pipe.content();
    return summary ? written : throw std::runtime_error(summary.error().message);
}

/// The same, read. Its events' text is not there any more.
[[nodiscard]] inline std::shared_ptr<const trace::Trace> readWholeCut(const trace::Trace& trace) {
    const MemoryFile part(wholeCut(trace));
    const auto read = import::loadTrace(part.path());
    return read ? *read : throw std::runtime_error(read.error().message);
}

}  // namespace kinetoscope::test
