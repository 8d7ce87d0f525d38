// SPDX-License-Identifier: Apache-2.0
#include "core/base/UserFolders.h"

#include <cstdlib>

namespace kinetoscope {

namespace {

std::string ours(const char* variable, const char* underHome) {
    const std::string chosen = environment(variable);
    return (chosen.starts_with('/') ? chosen : environment("HOME") + underHome) + "/kinetoscope";
}

}  // namespace

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

std::string userDataFolder() {
    return ours("XDG_DATA_HOME", "/.local/share");
}

std::string userCacheFolder() {
    return ours("XDG_CACHE_HOME", "/.cache");
}

}  // namespace kinetoscope
