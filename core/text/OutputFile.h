// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/Result.h"

namespace kinetoscope::text {

/// A file that appears completely or not at all: written as a temporary next to `path`, renamed by
/// commit(). Anything but a regular file (a device, a pipe) is written directly.
class OutputFile {
public:
    /// Errors are ErrorKind::Output and name the path.
    [[nodiscard]] static Result<OutputFile> create(const std::string& path);

    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    /// Removes the temporary when commit() was not reached.
    ~OutputFile();

    [[nodiscard]] Result<void> write(std::string_view bytes);
    /// Everything is on the disk and has its name afterwards, with the rights of a new file or
    /// those of the one it replaces.
    [[nodiscard]] Result<void> commit();
    /// The same under the name `path`, in the same folder, unless something has it: false then,
    /// and another one can be tried. Nobody can come in between. Not for what is written directly.
    [[nodiscard]] Result<bool> commitNew(const std::string& path);
    [[nodiscard]] std::uint64_t written() const { return m_written; }
    /// Where it is until commit(), for libraries that write files themselves; empty for what is
    /// written directly.
    [[nodiscard]] const std::string& temporary() const { return m_temporary; }

private:
    OutputFile(std::string path, std::string temporary, int descriptor);
    [[nodiscard]] Result<void> store();
    [[nodiscard]] Result<void> failed(int code) const;

    std::string m_path;
    std::string m_temporary;  ///< empty: written directly
    int m_descriptor = -1;
    std::uint64_t m_written = 0;
};

/// All of `text` to `path` by OutputFile.
[[nodiscard]] Result<void> writeFile(const std::string& path, std::string_view text);

}  // namespace kinetoscope::text
