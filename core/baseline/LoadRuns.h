// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/baseline/Entry.h"
#include "core/compare/CompareInput.h"

namespace kinetoscope::baseline {

/// The source of one run in an entry.
struct RunSource {
    std::string from;                 ///< path of the file, or name of the saved result
    std::optional<std::string> text;  ///< of a result; else the file is copied
};

/// A trace, or several runs of one bench, ready to be compared and to be saved.
struct LoadedRuns {
    compare::CompareInput input;
    Entry entry;                     ///< without name, id and files
    std::vector<RunSource> sources;  ///< one for each run
};

/// The runs in these traces, or paths or names of results: results of one bench together, each
/// trace alone. Fails in one line, also for a mixture of traces and results, and for folders.
[[nodiscard]] Result<std::vector<LoadedRuns>> loadRuns(const std::vector<std::string>& paths,
                                                       const import::LoadOptions& options = {});

}  // namespace kinetoscope::baseline
