// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/Result.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}

namespace kinetoscope::app {

/// Fails if `output` is one of the files that `words` name, or is in a folder of inputs among them;
/// words may be anything else, too.
[[nodiscard]] Result<void> refuseOwnInput(const std::vector<std::string>& words,
                                          const std::string& output);

/// Fails if a parsed command would write onto a file that it reads, or if it names no file to write
/// to.
[[nodiscard]] Result<void> refuseOwnInput(const CLI::App& app);

}  // namespace kinetoscope::app
