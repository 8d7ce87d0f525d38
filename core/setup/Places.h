// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kinetoscope::setup {

/// Where Doctor looks; as it is made, on this machine.
struct Places {
    std::string root;                ///< before /proc and /usr/share; empty: the real ones
    std::string python = "python3";  ///< whose PyTorch is meant
    std::string window;  ///< path of kinetoscope; empty: beside this program, or in PATH
};

/// The file's first 64 KiB; empty where it cannot be read.
[[nodiscard]] std::string readSystemFile(const std::string& path);

/// Path of the window's program; empty if it is not installed.
[[nodiscard]] std::string windowProgram(const Places& places);

/// A font in the system's or the user's folders; empty if there is none.
[[nodiscard]] std::string findFont(const Places& places);

/// Whether this process may do what the driver allows to administrators alone (CAP_SYS_ADMIN).
[[nodiscard]] bool isAdministrator(const Places& places);

}  // namespace kinetoscope::setup
