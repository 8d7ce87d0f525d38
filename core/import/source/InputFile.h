// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/Result.h"

namespace kinetoscope::import::source {

/// Tells whether a file is still the one that was read.
struct FileIdentity {
    std::uint64_t bytes = 0;
    std::int64_t modifiedNs = 0;

    friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// A regular file, or standard input stored as one, open for reading at any place.
class InputFile {
public:
    /// "-" is standard input. Fails for what is missing, a directory, no regular file, or not
    /// permitted.
    [[nodiscard]] static Result<std::shared_ptr<const InputFile>> open(const std::string& path);
    /// The same, but fails if the file is no longer the one it was.
    [[nodiscard]] static Result<std::shared_ptr<const InputFile>> reopen(
        const std::string& path, const FileIdentity& identity);

    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] const FileIdentity& identity() const { return m_identity; }
    /// Whether it was written to, or cut, since it was opened.
    [[nodiscard]] bool changed() const;
    /// Bytes read, 0 at the end, -1 on errors (see errno).
    [[nodiscard]] std::int64_t read(char* to, std::size_t capacity, std::uint64_t offset) const;

private:
    InputFile(std::string path, int descriptor) : m_path(std::move(path)), m_file(descriptor) {}

    std::string m_path;
    int m_file;
    FileIdentity m_identity;
};

}  // namespace kinetoscope::import::source
