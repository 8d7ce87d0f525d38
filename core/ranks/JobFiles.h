// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/Result.h"

namespace kinetoscope::ranks {

/// The files that may be ranks of a job: files as they are, of folders the traces and captures
/// directly inside, else those of the folders inside, by name. Fails for what is not there and for
/// a folder without any.
[[nodiscard]] Result<std::vector<std::string>> listJobFiles(const std::vector<std::string>& paths);

/// The file and those beside it whose names differ in numbers only, by name: "rank0.json",
/// "rank1.json"…
[[nodiscard]] std::vector<std::string> numberedAlike(const std::string& path);

/// The path of a rank's trace: `file`, else its name in a folder of one of `read`, the files that
/// named it (a partial may have been written elsewhere); `file` if it is nowhere.
[[nodiscard]] std::string findTrace(const std::string& file, const std::vector<std::string>& read);

}  // namespace kinetoscope::ranks
