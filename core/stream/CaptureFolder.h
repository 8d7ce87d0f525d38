// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kinetoscope::stream {

struct CaptureList {
    /// Paths of all that is called *.kscope, by name, whether it can be opened or not.
    std::vector<std::string> captures;
    /// Why there may be more of them; empty when the folder was read to its end, or is none.
    std::string problem;
};

[[nodiscard]] CaptureList listCaptures(const std::string& folder);

/// Its captures alone; empty when there is no such folder.
[[nodiscard]] std::vector<std::string> capturesIn(const std::string& folder);

}  // namespace kinetoscope::stream
