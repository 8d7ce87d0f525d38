// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/metrics/KernelSource.h"

namespace kinetoscope::metrics {

/// Relevant files under a folder, and the ones that could not be read.
struct SourceFolder {
    std::vector<KernelSource> kernels;  ///< ordered by path; each file name once
    std::vector<std::string> modules;   ///< paths of compiled modules, ordered
    std::vector<std::string> problems;  ///< one line each: path and what is wrong
};

/// All generated kernels under the folder or in the file `path`. Symbolic links to folders are
/// not followed. Fails when `path` cannot be opened.
[[nodiscard]] Result<SourceFolder> readSources(const std::string& path);

/// Reads a file of at most `most` bytes. Fails in one line that names the path.
[[nodiscard]] Result<std::string> readSmallFile(const std::string& path, std::size_t most);

/// Sum over the kernels with a figure: one run of each.
[[nodiscard]] std::int64_t bytesAccessed(const std::vector<KernelSource>& kernels);

/// Number of kernels per category, in the order of first occurrence.
[[nodiscard]] std::vector<std::pair<std::string, std::int64_t>> kernelsByCategory(
    const std::vector<KernelSource>& kernels);

}  // namespace kinetoscope::metrics
