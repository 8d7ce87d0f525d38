// SPDX-License-Identifier: Apache-2.0
#include "core/stream/CaptureFolder.h"

#include <algorithm>
#include <filesystem>

namespace kinetoscope {

namespace fs = std::filesystem;

std::vector<std::string> capturesIn(const std::string& folder) {
    std::vector<std::string> captures;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".kscope" && entry.is_regular_file(error)) {
            captures.push_back(entry.path().string());
        }
    }
    std::ranges::sort(captures);
    return captures;
}

}  // namespace kinetoscope
