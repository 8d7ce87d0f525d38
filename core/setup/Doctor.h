// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/about/About.h"
#include "core/setup/Places.h"

namespace kinetoscope::setup {

/// One thing that something of Kinetoscope needs, and what to do about it.
struct Check {
    about::Component part;
    std::string remedy;  ///< what to do; empty: nothing

    /// "good", "missing", or "look": it is there, but something is to be done.
    [[nodiscard]] std::string state() const;
};

/// Looks at the driver, its libraries and permissions, PyTorch, kscope-torch, the recorder and the
/// window. Starts Python, kscope-torch and the window's program for their versions: seconds.
[[nodiscard]] std::vector<Check> diagnose(const Places& places);

[[nodiscard]] std::string doctorText(const std::vector<Check>& checks);
[[nodiscard]] std::string doctorJson(const std::vector<Check>& checks);

}  // namespace kinetoscope::setup
