// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/base/Result.h"
#include "core/import/LoadOptions.h"
#include "core/import/source/TextSource.h"
#include "core/trace/Trace.h"

namespace kinetoscope::import {

/// Reads any file that a registered importer knows, or standard input for the path "-". The one way
/// in for window, terminal and tests.
/// Fails when nothing of it can be read as a trace; what was merely a problem is in Trace::log().
[[nodiscard]] Result<std::shared_ptr<const trace::Trace>> loadTrace(
    const std::string& path, const LoadOptions& options = {});

/// loadTrace() behind the opening of the file: chooses the importer and runs it. `path` is only
/// named in messages and RunInfo.
[[nodiscard]] Result<std::shared_ptr<const trace::Trace>> importSource(
    source::TextSource& source, const std::string& path, const LoadOptions& options = {},
    const ReadTuning& tuning = {});

}  // namespace kinetoscope::import
