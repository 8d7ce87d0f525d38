// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/Result.h"

namespace kinetoscope::baseline {

/// "'PATH': WHAT: " and what the error number says.
[[nodiscard]] tl::unexpected<Error> storeError(const std::string& path, const std::string& what,
                                               int code, ErrorKind kind = ErrorKind::Output);

/// A folder that is removed unless it was given its name.
class FolderInMaking {
public:
    explicit FolderInMaking(const std::string& in);
    FolderInMaking(const FolderInMaking&) = delete;
    FolderInMaking& operator=(const FolderInMaking&) = delete;
    ~FolderInMaking();
    [[nodiscard]] const std::string& path() const { return m_path; }
    /// False when something has the name; it is whole then, as this one is.
    [[nodiscard]] Result<bool> giveName(const std::string& name);

private:
    std::string m_path;
};

/// Names of our folders in there; those starting with "." are being made or removed.
[[nodiscard]] Result<std::vector<std::string>> foldersIn(const std::string& path);

/// Under a name of its own first, so that no reader sees half of it. Another process may have
/// removed it.
[[nodiscard]] Result<void> removeFolder(const std::string& store, const std::string& path);

[[nodiscard]] Result<void> makeFolder(const std::string& path);

/// Of savings and removals that were ended half-way. A day is longer than any takes.
void removeLeftovers(const std::string& store);

}  // namespace kinetoscope::baseline
