// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kinetoscope {

/// The variable's value; empty where it is not set.
[[nodiscard]] std::string environment(const char* name);

/// Where our files of this user are: $XDG_DATA_HOME/kinetoscope, else ~/.local/share/kinetoscope.
[[nodiscard]] std::string userDataFolder();

/// What may be lost: $XDG_CACHE_HOME/kinetoscope, else ~/.cache/kinetoscope.
[[nodiscard]] std::string userCacheFolder();

}  // namespace kinetoscope
