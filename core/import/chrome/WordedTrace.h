// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/import/Importer.h"
#include "core/trace/ImportLog.h"

namespace kinetoscope::import::chrome {

/// What the file of another tool says, in Kineto's words. It stays in memory as long as the trace.
struct WordedTrace {
    std::string format;    ///< "Proton"
    std::string json;      ///< a whole document with "traceEvents"
    trace::ImportLog log;  ///< about the file; so are the counts of events
};

/// Reads the words as a trace of the file behind `input`, which has `textBytes` of text. Fails like
/// Importer::read().
[[nodiscard]] Result<std::shared_ptr<const trace::Trace>> readWorded(const ImportInput& input,
                                                                     std::uint64_t textBytes,
                                                                     WordedTrace worded);

}  // namespace kinetoscope::import::chrome
