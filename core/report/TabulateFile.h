// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/Compat.h"
#include "core/base/Result.h"
#include "core/report/TabulateText.h"

namespace kinetoscope::report {

/// The rows of a text file, one for each line that parseTabulateLine() knows, however large it is;
/// nothing where the file looks like a trace or cannot be read. Fails on any other text.
[[nodiscard]] Result<std::optional<std::vector<TabulateRow>>> readTabulateFile(
    const std::string& path);

/// The row of a trace. Fails when the trace has no time.
[[nodiscard]] Result<TabulateRow> tabulateRow(const analysis::CompatReport& compat,
                                              const std::string& path);

/// The default name of a trace in its row: its file's, up to the first dot.
[[nodiscard]] std::string tabulateName(const std::string& path);

}  // namespace kinetoscope::report
