// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kinetoscope::stream {

/// How the names of captures begin that hold counters of the GPUs, of no process.
inline constexpr std::string_view kCountersName = "counters.";
[[nodiscard]] bool holdsCountersOnly(const std::string& path);

struct CaptureList {
    /// Paths of all that is called *.kscope, *.kscope.gz or *.kscope.zst, by name, whether it can
    /// be opened or not; counters last, since a process describes its GPUs best.
    std::vector<std::string> captures;
    /// Why there may be more of them; empty if the folder was read to its end, or is not one.
    std::string problem;
};

[[nodiscard]] CaptureList listCaptures(const std::string& folder);

/// Its captures alone; empty if there is no such folder.
[[nodiscard]] std::vector<std::string> capturesIn(const std::string& folder);

}  // namespace kinetoscope::stream
