// SPDX-License-Identifier: Apache-2.0
#include "core/bench/plan/ModuleKernels.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "core/metrics/PyLexer.h"
#include "core/metrics/SourceFolder.h"

namespace kinetoscope::bench::plan {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxSourceBytes = 64U << 20U;

std::string_view stripped(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n\f\v";
    const auto first = text.find_first_not_of(kBlank);
    return first == std::string_view::npos
               ? std::string_view()
               : text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// Kernels of the plan by the text of their sources.
std::map<std::string, std::size_t> bySource(const CachePlan& plan) {
    std::map<std::string, std::size_t> known;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
        const std::string& path = plan.kernels[i].sourcePath;
        if (const auto text = metrics::readSmallFile(path, kMaxSourceBytes);
            !path.empty() && text) {
            known.emplace(stripped(*text), i);
        }
    }
    return known;
}

KernelPlan missingKernel(const metrics::EmbeddedKernel& kernel) {
    KernelPlan plan;
    plan.name = kernel.name;
    plan.key = fs::path(kernel.path).stem().string();
    plan.category = metrics::kernelCategory(kernel.text);
    plan.reason = "its source is not in the caches; --cache names others";
    return plan;
}

// Inductor's layout: FOLDER/ab/cab….py.
fs::path cacheOf(const fs::path& file) {
    const std::string folder = file.parent_path().filename().string();
    const bool inductor =
        folder.size() == 2 && file.filename().string().substr(0, 3).ends_with(folder);
    return inductor ? file.parent_path().parent_path() : fs::path();
}

void addFolder(std::vector<std::string>& folders, const fs::path& folder) {
    std::error_code error;
    if (fs::is_directory(folder, error) &&
        std::ranges::find(folders, folder.string()) == folders.end()) {
        folders.push_back(folder.string());
    }
}

std::string userName() {
    const char* name = std::getenv("USER");
    const passwd* user = name == nullptr ? ::getpwuid(::getuid()) : nullptr;
    std::string text = name != nullptr ? name : user != nullptr ? user->pw_name : "";
    constexpr std::string_view kReplaced = R"(\/:*?"<>|)";
    std::ranges::replace_if(
        text, [&](char c) { return kReplaced.find(c) != std::string_view::npos; }, '_');
    return text;
}

}  // namespace

Result<ModuleKernels> findModuleKernels(const std::string& moduleText, CachePlan& plan) {
    const auto embedded = metrics::embeddedKernels(moduleText);
    if (!embedded) {
        return tl::unexpected(embedded.error());
    }
    const auto known = bySource(plan);
    ModuleKernels found;
    std::set<std::string_view> seen;
    for (const metrics::EmbeddedKernel& kernel : *embedded) {
        if (!seen.insert(kernel.text).second) {
            continue;
        }
        const auto source = known.find(std::string(stripped(kernel.text)));
        found.indices.push_back(source != known.end() ? source->second : plan.kernels.size());
        if (source == known.end()) {
            ++found.missing;
            plan.kernels.push_back(missingKernel(kernel));
        }
    }
    return found;
}

std::vector<std::string> moduleCaches(const std::string& modulePath,
                                      const std::string& moduleText) {
    std::error_code error;
    std::vector<fs::path> places{fs::absolute(modulePath, error)};
    if (const auto embedded = metrics::embeddedKernels(moduleText)) {
        for (const metrics::EmbeddedKernel& kernel : *embedded) {
            places.emplace_back(kernel.path);
        }
    }
    std::vector<std::string> folders;
    for (const fs::path& place : places) {
        const fs::path cache = cacheOf(place);
        // Only where the file really is: a comment may name any folder.
        if (cache.has_relative_path() && fs::is_regular_file(place, error)) {
            addFolder(folders, cache);
            addFolder(folders, cache.parent_path() / "triton_cache");
        }
    }
    if (folders.empty()) {
        const char* folder = std::getenv("TORCHINDUCTOR_CACHE_DIR");
        addFolder(folders, folder != nullptr
                               ? fs::path(folder)
                               : fs::temp_directory_path(error) / ("torchinductor_" + userName()));
    }
    if (const char* folder = std::getenv("TRITON_CACHE_DIR")) {
        addFolder(folders, folder);
    }
    return folders;
}

std::string benchmarkName(std::string_view moduleText) {
    const auto tokens = metrics::pyTokens(moduleText);
    for (std::size_t i = 0; tokens && i + 2 < tokens->size(); ++i) {
        const metrics::PyToken* t = tokens->data() + i;
        if (t[0].isName("compiled_module_main") && t[1].is("(") &&
            t[2].kind == metrics::PyToken::Kind::String) {
            return metrics::pyStringValue(t[2].text);
        }
    }
    return "None";
}

}  // namespace kinetoscope::bench::plan
