// SPDX-License-Identifier: Apache-2.0
#include "core/setup/Places.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/base/UserFolders.h"
#include "core/setup/ProgramOutput.h"

namespace kinetoscope::setup {

namespace fs = std::filesystem;

namespace {

bool isFont(const fs::path& path) {
    constexpr std::array<const char*, 4> kEndings{".ttf", ".otf", ".ttc", ".pfb"};
    return std::ranges::find(kEndings, path.extension().string()) != kEndings.end();
}

std::string fontBelow(const fs::path& folder) {
    constexpr int kMaxEntries = 100000;  // of a folder that is something else
    std::error_code error;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                        error);
    for (int i = 0; !error && at != fs::recursive_directory_iterator() && i < kMaxEntries; ++i) {
        if (isFont(at->path())) {
            return at->path().string();
        }
        at.increment(error);
    }
    return {};
}

}  // namespace

std::string readSystemFile(const std::string& path) {
    std::string text(65536, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

std::string windowProgram(const Places& places) {
    if (!places.window.empty()) {
        return findProgram(places.window);
    }
    std::error_code error;
    const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path() / "kinetoscope";
    const std::string found = findProgram(beside.string());
    return found.empty() ? findProgram("kinetoscope") : found;
}

std::string findFont(const Places& places) {
    const std::string home = environment("HOME");
    const std::string data = environment("XDG_DATA_HOME");
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const std::string& folder :
         {places.root + "/usr/share/fonts", places.root + "/usr/local/share/fonts",
          (program / "../share/kinetoscope/fonts").lexically_normal().string(),
          (data.empty() ? home + "/.local/share" : data) + "/fonts", home + "/.fonts"}) {
        if (std::string font = fontBelow(folder); !font.empty()) {
            return font;
        }
    }
    return {};
}

bool isAdministrator(const Places& places) {
    constexpr std::string_view kSet = "CapEff:";
    constexpr unsigned kSysAdmin = 21;
    const std::string status = readSystemFile(places.root + "/proc/self/status");
    const std::size_t at = status.find(kSet);
    return at != std::string::npos &&
           (std::strtoull(status.c_str() + at + kSet.size(), nullptr, 16) >> kSysAdmin & 1U) != 0;
}

}  // namespace kinetoscope::setup
