// SPDX-License-Identifier: Apache-2.0
#include "core/stream/CaptureFolder.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace kinetoscope::stream {

namespace fs = std::filesystem;

bool holdsCountersOnly(const std::string& path) {
    return fs::path(path).filename().string().starts_with(kCountersName);
}

CaptureList listCaptures(const std::string& folder) {
    CaptureList list;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() == ".kscope") {
            list.captures.push_back(entry->path().string());
        }
    }
    std::ranges::sort(list.captures, {}, [](const std::string& path) {
        return std::pair(holdsCountersOnly(path), std::string_view(path));
    });
    std::error_code none;
    if (error && fs::is_directory(folder, none)) {
        list.problem = "'" + folder + "': cannot be read to its end: " + error.message();
    }
    return list;
}

std::vector<std::string> capturesIn(const std::string& folder) {
    return listCaptures(folder).captures;
}

}  // namespace kinetoscope::stream
