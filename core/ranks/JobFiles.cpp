// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/JobFiles.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/ranks/Partial.h"
#include "core/stream/CaptureFolder.h"
#include "core/text/Format.h"

namespace kinetoscope::ranks {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> kEndings{".json",   ".json.gz",   ".json.zst",
                                                   ".kscope", ".kscope.gz", ".kscope.zst"};

bool mayBeRank(const fs::path& path) {
    const std::string name = text::lowered(path.filename().string());
    return std::ranges::any_of(kEndings,
                               [&](std::string_view ending) { return name.ends_with(ending); });
}

bool mayBePartial(const fs::path& path) {
    return path.filename().string().ends_with(kPartialEnding);
}

// The files of one folder that may belong to a job, and its subfolders.
struct Listing {
    std::vector<std::string> traces;
    std::vector<std::string> partials;
    std::vector<fs::path> folders;
};

std::error_code listFolder(const fs::path& folder, Listing& listing) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code kind;
        if (at->is_directory(kind)) {
            listing.folders.push_back(at->path());
        } else if (!at->is_regular_file(kind)) {
            continue;
        } else if (mayBeRank(at->path()) && !stream::holdsCountersOnly(at->path())) {
            listing.traces.push_back(at->path().string());
        } else if (mayBePartial(at->path())) {
            listing.partials.push_back(at->path().string());
        }
    }
    return error;
}

// Of folders that hold none, those of the folders inside: programs make one for each rank or step.
Result<void> addFolder(const std::string& folder, std::vector<std::string>& files) {
    constexpr int kMaxDepth = 3;
    constexpr std::size_t kMaxFolders = 1U << 14U;  // of one depth
    Listing found;
    if (const std::error_code error = listFolder(folder, found)) {
        return fail("'" + folder + "': cannot be listed: " + error.message());
    }
    for (int depth = 1; depth < kMaxDepth && found.traces.empty() && found.partials.empty() &&
                        found.folders.size() <= kMaxFolders;
         ++depth) {
        for (const fs::path& inside : std::exchange(found.folders, {})) {
            listFolder(inside, found);  // one that cannot be listed holds nothing for us
        }
    }
    // Beside traces, partials are of the same ranks.
    std::vector<std::string>& chosen = found.traces.empty() ? found.partials : found.traces;
    if (chosen.empty()) {
        return fail("'" + folder +
                    "': contains no trace (.json, .json.gz, .json.zst), capture (.kscope) or "
                    "partial (.ranks)");
    }
    std::ranges::sort(chosen);
    files.insert(files.end(), chosen.begin(), chosen.end());
    return {};
}

/// Each number in a name as one "#".
std::string withoutNumbers(std::string_view name) {
    std::string text;
    for (const char letter : name) {
        const bool isDigit = letter >= '0' && letter <= '9';
        if (!isDigit) {
            text += letter;
        } else if (!text.ends_with('#')) {
            text += '#';
        }
    }
    return text;
}

}  // namespace

Result<std::vector<std::string>> listJobFiles(const std::vector<std::string>& paths) {
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        std::error_code error;
        if (fs::is_directory(path, error)) {
            if (auto added = addFolder(path, files); !added) {
                return tl::unexpected(added.error());
            }
        } else {
            files.push_back(path);
        }
    }
    return files;
}

std::vector<std::string> numberedAlike(const std::string& path) {
    const std::string form = withoutNumbers(fs::path(path).filename().string());
    const fs::path folder = fs::path(path).parent_path();
    std::vector<std::string> files;
    std::error_code error;
    for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end;
         at.increment(error)) {
        std::error_code kind;
        const std::string name = at->path().filename().string();
        if (withoutNumbers(name) == form && at->is_regular_file(kind)) {
            files.push_back((folder / name).string());
        }
    }
    std::ranges::sort(files);
    return files.empty() ? std::vector{path} : files;
}

std::string findTrace(const std::string& file, const std::vector<std::string>& read) {
    constexpr std::size_t kMaxFolders = 16;
    std::error_code error;
    if (fs::exists(file, error)) {
        return file;
    }
    std::vector<fs::path> folders;
    for (const std::string& one : read) {
        fs::path folder = fs::path(one).parent_path();
        if (folders.size() < kMaxFolders && std::ranges::count(folders, folder) == 0) {
            folders.push_back(std::move(folder));
        }
    }
    for (const fs::path& folder : folders) {
        const fs::path there = folder / fs::path(file).filename();
        if (fs::is_regular_file(there, error)) {
            return there.string();
        }
    }
    return file;
}

}  // namespace kinetoscope::ranks
