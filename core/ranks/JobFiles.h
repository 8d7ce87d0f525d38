// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/Result.h"

namespace kinetoscope::ranks {

/// The files that may be ranks of a job: files as they are, of folders the traces and captures
/// directly inside, by name. Fails for what is not there and for a folder without any.
[[nodiscard]] Result<std::vector<std::string>> listJobFiles(const std::vector<std::string>& paths);

}  // namespace kinetoscope::ranks
