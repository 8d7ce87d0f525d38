// SPDX-License-Identifier: Apache-2.0
#include "core/base/TemporaryFiles.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace kinetoscope {

namespace {

// What the C library replaces.
constexpr std::size_t kLetters = 6;

}  // namespace

std::string makeUniqueFolder(const std::string& begin) {
    std::string path = begin + std::string(kLetters, 'X');
    return ::mkdtemp(path.data()) != nullptr ? path : std::string();
}

int openUniqueFile(const std::string& begin, std::string& path) {
    path = begin + std::string(kLetters, 'X');
    return ::mkostemp(path.data(), O_CLOEXEC);
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
