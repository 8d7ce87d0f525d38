// SPDX-License-Identifier: Apache-2.0
#include "core/base/TemporaryFiles.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>

namespace kinetoscope {

namespace {

// What the C library replaces.
constexpr std::size_t kLetters = 6;

// Paths that a signal handler can read without a lock. No program of ours writes more files at a
// time; one that did would merely leave those beyond.
std::array<std::atomic<char*>, 64> temporaryFiles{};
std::mutex filesMutex;  // of adding and releasing, never of the handler

void registerFile(const std::string& path) {
    const std::scoped_lock lock(filesMutex);
    for (auto& slot : temporaryFiles) {
        if (slot.load() == nullptr) {
            slot.store(::strdup(path.c_str()));
            return;
        }
    }
}

}  // namespace

std::string makeUniqueFolder(const std::string& begin) {
    std::string path = begin + std::string(kLetters, 'X');
    return ::mkdtemp(path.data()) != nullptr ? path : std::string();
}

std::string makeNumberedFolder(const std::string& path) {
    constexpr mode_t kAnyRights = 0777;  // but for the process's mask
    std::string folder = path;
    for (int number = 2; ::mkdir(folder.c_str(), kAnyRights) != 0; ++number) {
        if (errno != EEXIST) {
            return {};
        }
        folder = path + "-" + std::to_string(number);
    }
    return folder;
}

int openUniqueFile(const std::string& begin, std::string& path) {
    path = begin + std::string(kLetters, 'X');
    // A signal between making and registering would leave the file.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const int descriptor = ::mkostemp(path.data(), O_CLOEXEC);
    if (descriptor >= 0) {
        registerFile(path);
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return descriptor;
}

void releaseTemporaryFile(const std::string& path) {
    const std::scoped_lock lock(filesMutex);
    for (auto& slot : temporaryFiles) {
        // Whoever takes a path out of its slot owns it: the handler, if it was first.
        if (const char* known = slot.load(); known != nullptr && path == known) {
            std::free(slot.exchange(nullptr));
            return;
        }
    }
}

void removeTemporaryFiles() {
    for (auto& slot : temporaryFiles) {
        if (const char* path = slot.exchange(nullptr); path != nullptr) {
            ::unlink(path);
        }
    }
}

std::string temporaryFolder() {
    std::error_code error;
    const auto folder = std::filesystem::temp_directory_path(error);
    return error ? "/tmp" : folder.string();
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code error;
    if (!m_path.empty()) {
        std::filesystem::remove_all(m_path, error);
    }
}

}  // namespace kinetoscope
