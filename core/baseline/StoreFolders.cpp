// SPDX-License-Identifier: Apache-2.0
#include "core/baseline/StoreFolders.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/base/TemporaryFiles.h"
#include "core/baseline/Entry.h"
#include "core/text/Printable.h"

namespace kinetoscope::baseline {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSaving = ".saving-";
constexpr const char* kRemoving = ".removing-";

}  // namespace

tl::unexpected<Error> storeError(const std::string& path, const std::string& what, int code,
                                 ErrorKind kind) {
    return fail(fmt::format("'{}': {}: {}", text::printable(path), what, std::strerror(code)),
                kind);
}

FolderInMaking::FolderInMaking(const std::string& in)
    : m_path(makeUniqueFolder(in + "/" + kSaving)) {}

FolderInMaking::~FolderInMaking() {
    std::error_code error;
    if (!m_path.empty()) {
        fs::remove_all(m_path, error);
    }
}

Result<bool> FolderInMaking::giveName(const std::string& name) {
    // Others may read it, as far as the process's mask allows.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::chmod(m_path.c_str(), 0777U & ~mask);
    if (std::rename(m_path.c_str(), name.c_str()) == 0) {
        m_path.clear();
        return true;
    }
    if (errno == EEXIST || errno == ENOTEMPTY) {
        return false;
    }
    return storeError(name, "cannot be made", errno);
}

Result<std::vector<std::string>> foldersIn(const std::string& path) {
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator it(path, error);
    if (error == std::errc::no_such_file_or_directory) {
        return names;
    }
    for (const fs::directory_iterator end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        std::error_code unknown;
        if (isPlainName(name) && it->is_directory(unknown)) {
            names.push_back(name);
        }
    }
    if (error) {
        return storeError(path, "cannot be read", error.value(), ErrorKind::BadInput);
    }
    std::ranges::sort(names);
    return names;
}

Result<void> removeFolder(const std::string& store, const std::string& path) {
    const std::string doomed = makeUniqueFolder(store + "/" + kRemoving);
    if (doomed.empty() || std::rename(path.c_str(), doomed.c_str()) != 0) {
        const int code = errno;
        std::error_code unknown;
        fs::remove(doomed, unknown);
        if (!doomed.empty() && code == ENOENT) {
            return {};
        }
        return storeError(path, "cannot be removed", code);
    }
    std::error_code error;
    fs::remove_all(doomed, error);
    return error ? storeError(doomed, "cannot be removed", error.value()) : Result<void>();
}

Result<void> makeFolder(const std::string& path) {
    std::error_code error;
    fs::create_directories(path, error);
    return error ? storeError(path, "cannot be made", error.value()) : Result<void>();
}

void removeLeftovers(const std::string& store) {
    std::error_code error;
    fs::directory_iterator it(store, error);
    const auto dayAgo = fs::file_time_type::clock::now() - std::chrono::hours(24);
    for (const fs::directory_iterator end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        std::error_code unknown;
        if ((name.starts_with(kSaving) || name.starts_with(kRemoving)) &&
            it->last_write_time(unknown) < dayAgo && !unknown) {
            fs::remove_all(it->path(), unknown);
        }
    }
}

}  // namespace kinetoscope::baseline
