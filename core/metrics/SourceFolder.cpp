// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/SourceFolder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

namespace kinetoscope::metrics {

namespace fs = std::filesystem;

namespace {

// Generated modules reach a few MB; a larger .py is something else.
constexpr std::size_t kMaxSourceBytes = 64U << 20U;

std::vector<std::string> pythonFiles(const fs::path& root, SourceFolder& found) {
    std::vector<std::string> paths;
    std::error_code error;
    constexpr auto kOptions = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator it(root, kOptions, error), end; it != end;
         it.increment(error)) {
        std::error_code statError;
        if (it->is_directory(statError)) {
            if (fs::directory_iterator(it->path(), statError); statError) {
                found.problems.push_back(
                    fmt::format("'{}': {}", it->path().string(), statError.message()));
                it.disable_recursion_pending();
            }
        } else if (it->path().extension() == ".py" && it->is_regular_file(statError)) {
            paths.push_back(it->path().string());
        }
    }
    if (error) {
        found.problems.push_back(fmt::format("'{}': {}", root.string(), error.message()));
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

void addSource(SourceFolder& found, std::set<std::string>& keys, const std::string& path) {
    auto text = readSmallFile(path, kMaxSourceBytes);
    if (!text) {
        found.problems.push_back(text.error().message);
        return;
    }
    if (text->find("async_compile.triton(") != std::string::npos) {
        found.modules.push_back(path);
        return;
    }
    if (!looksLikeKernelSource(*text)) {
        return;
    }
    auto kernel = parseKernelSource(std::move(*text), path);
    if (!kernel) {
        found.problems.push_back(fmt::format("'{}': {}", path, kernel.error().message));
    } else if (keys.insert(kernel->key).second) {
        if (kernel->kernelsInFile > 1) {
            found.problems.push_back(fmt::format("'{}': holds {} kernels; only {} is read", path,
                                                 kernel->kernelsInFile, kernel->name));
        }
        found.kernels.push_back(std::move(*kernel));
    }
}

}  // namespace

Result<std::string> readSmallFile(const std::string& path, std::size_t most) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) {
        return fail(fmt::format("'{}': no such file", path));
    }
    const auto size = fs::file_size(path, error);
    if (error || size > most) {
        return fail(fmt::format("'{}': is larger than {} bytes, too large for this kind of file",
                                path, most));
    }
    std::ifstream file(path, std::ios::binary);
    std::string text(static_cast<std::size_t>(size), '\0');
    file.read(text.data(), static_cast<std::streamsize>(size));
    if (!file) {
        return fail(fmt::format("'{}': cannot be read: {}", path, std::strerror(errno)));
    }
    return text;
}

Result<SourceFolder> readSources(const std::string& path) {
    SourceFolder found;
    std::set<std::string> keys;
    std::error_code error;
    if (fs::is_directory(path, error)) {
        for (const std::string& file : pythonFiles(path, found)) {
            addSource(found, keys, file);
        }
    } else if (fs::is_regular_file(path, error)) {
        addSource(found, keys, path);
    } else {
        return fail(fmt::format("'{}': no such file or folder", path));
    }
    return found;
}

std::int64_t bytesAccessed(const std::vector<KernelSource>& kernels) {
    std::int64_t bytes = 0;
    for (const KernelSource& kernel : kernels) {
        const PyValue* value = kernel.inductorMeta("kernel_num_gb");
        const auto gigabytes = value != nullptr ? value->asNumber() : std::nullopt;
        // Anything above an exabyte is not a count of bytes.
        if (gigabytes && *gigabytes >= 0.0 && *gigabytes < 1e9) {
            bytes += std::llround(*gigabytes * 1e9);
        }
    }
    return bytes;
}

std::vector<std::pair<std::string, std::int64_t>> kernelsByCategory(
    const std::vector<KernelSource>& kernels) {
    std::vector<std::pair<std::string, std::int64_t>> counts;
    for (const KernelSource& kernel : kernels) {
        const auto known = std::find_if(counts.begin(), counts.end(), [&](const auto& entry) {
            return entry.first == kernel.category;
        });
        if (known == counts.end()) {
            counts.emplace_back(kernel.category, 1);
        } else {
            ++known->second;
        }
    }
    return counts;
}

}  // namespace kinetoscope::metrics
