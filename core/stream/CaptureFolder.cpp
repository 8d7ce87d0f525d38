// SPDX-License-Identifier: Apache-2.0
#include "core/stream/CaptureFolder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace kinetoscope::stream {

namespace fs = std::filesystem;

bool holdsCountersOnly(const std::string& path) {
    return fs::path(path).filename().string().starts_with(kCountersName);
}

namespace {

// Compressed ones too, so that whoever reads the folder says what it does not read.
bool isNamedLikeCapture(std::string_view name) {
    constexpr std::array<std::string_view, 3> kEndings{".kscope", ".kscope.gz", ".kscope.zst"};
    return std::ranges::any_of(kEndings, [name](std::string_view ending) {
        return name.size() > ending.size() && name.ends_with(ending);
    });
}

}  // namespace

CaptureList listCaptures(const std::string& folder) {
    CaptureList list;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (isNamedLikeCapture(entry->path().filename().string())) {
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
