// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/import/Importer.h"
#include "core/trace/ImportLog.h"

namespace kinetoscope::import::chrome {

/// The contents of another tool's file as Kineto events, in memory as long as the trace.
struct WordedTrace {
    std::string format;    ///< "Proton"
    std::string json;      ///< a whole document with "traceEvents"
    trace::ImportLog log;  ///< about the file; so are the counts of events
};

/// Reads the whole text of the file behind `input`, lets `reword` turn it into Kineto events, and
/// reads those as its trace. The text does not outlive `reword`, whose error messages follow a
/// path, which is put before them. Fails like Importer::read().
[[nodiscard]] Result<std::shared_ptr<const trace::Trace>> readReworded(
    ImportInput& input, const std::function<Result<WordedTrace>(std::string_view)>& reword);

}  // namespace kinetoscope::import::chrome
