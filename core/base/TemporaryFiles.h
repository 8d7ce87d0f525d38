// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kinetoscope {

/// Makes a folder whose path is `begin` and six letters that nothing else has; empty when that
/// fails, and errno says why.
[[nodiscard]] std::string makeUniqueFolder(const std::string& begin);

/// Makes the folder `path`, or `path`-2, `path`-3 and so on: the first that nothing has, whoever
/// else asks at the same time. Empty when that fails, and errno says why.
[[nodiscard]] std::string makeNumberedFolder(const std::string& path);

/// makeUniqueFolder() with a file, open for reading and writing; -1 when that fails. `path` becomes
/// its path. removeTemporaryFiles() removes it until it is released.
[[nodiscard]] int openUniqueFile(const std::string& begin, std::string& path);

/// The file of this path has another name by now, or is gone.
void releaseTemporaryFile(const std::string& path);

/// Removes every file of openUniqueFile() that was not released. For signal handlers, after which
/// the process ends.
void removeTemporaryFiles();

/// $TMPDIR, or /tmp.
[[nodiscard]] std::string temporaryFolder();

/// A folder for temporary files that goes with its owner.
class TemporaryFolder {
public:
    TemporaryFolder() : m_path(makeUniqueFolder(temporaryFolder() + "/kscope-")) {}
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    /// Empty when it could not be made.
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] std::string file(const char* name) const { return m_path + "/" + name; }

private:
    std::string m_path;
};

}  // namespace kinetoscope
