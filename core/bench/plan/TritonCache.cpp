// SPDX-License-Identifier: Apache-2.0
#include "core/bench/plan/TritonCache.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/json/Json.h"
#include "core/metrics/SourceFolder.h"

namespace kinetoscope::bench::plan {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kMaxCubinBytes = 256U << 20U;
constexpr std::size_t kMaxTextBytes = 64U << 20U;

Result<Json> readJson(const std::string& path) {
    const auto text = metrics::readSmallFile(path, kMaxTextBytes);
    if (!text) {
        return tl::unexpected(text.error());
    }
    auto document = json::parseJsonObject(*text);
    if (!document) {
        return fail(fmt::format("'{}': {}", path, document.error().message));
    }
    return document;
}

std::int64_t integer(const Json& object, const char* key, std::int64_t otherwise) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>()
                                                               : otherwise;
}

bool flag(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

std::string text(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// A number of the JSON inside a range that any GPU allows.
Result<std::int64_t> bounded(const Json& object, const char* key, std::int64_t otherwise,
                             std::int64_t least, std::int64_t most) {
    const std::int64_t value = integer(object, key, otherwise);
    if (value < least || value > most) {
        return fail(fmt::format("\"{}\" is {}, which no kernel has", key, value));
    }
    return value;
}

Result<void> readLaunch(TritonEntry& entry, const Json& json) {
    constexpr std::int64_t kMaxShared = 16 << 20;
    constexpr std::int64_t kMaxScratch = std::int64_t{1} << 40;
    const auto warps = bounded(json, "num_warps", 0, 1, 32);
    const auto stages = bounded(json, "num_stages", 1, 0, 1024);
    const auto ctas = bounded(json, "num_ctas", 1, 1, 16);
    const auto shared = bounded(json, "shared", 0, 0, kMaxShared);
    const auto global = bounded(json, "global_scratch_size", 0, 0, kMaxScratch);
    const auto profile = bounded(json, "profile_scratch_size", 0, 0, kMaxScratch);
    for (const auto* value : {&warps, &stages, &ctas, &shared, &global, &profile}) {
        if (!*value) {
            return tl::unexpected(value->error());
        }
    }
    entry.numWarps = static_cast<int>(*warps);
    entry.numStages = static_cast<int>(*stages);
    entry.numCtas = static_cast<int>(*ctas);
    entry.sharedBytes = static_cast<std::uint32_t>(*shared);
    entry.globalScratchBytes = *global;
    entry.profileScratchBytes = *profile;
    entry.cooperative = flag(json, "launch_cooperative_grid");
    entry.programmaticLaunch = flag(json, "launch_pdl");
    const auto dims = json.find("cluster_dims");
    if (dims != json.end() && dims->is_array() && dims->size() == 3) {
        for (std::size_t i = 0; i < 3; ++i) {
            const Json& dim = (*dims)[i];
            const auto value = dim.is_number_integer() ? dim.get<std::int64_t>() : 0;
            if (value < 1 || value > 16) {
                return fail("\"cluster_dims\" is not understood");
            }
            entry.clusterDims[i] = value;
        }
    }
    return {};
}

// The representation before optimisation keeps every product; the other one is the way out.
void readIr(TritonEntry& entry, const fs::path& stem) {
    for (const char* extension : {".source", ".ttir"}) {
        const auto ir = metrics::readSmallFile(stem.string() + extension, kMaxTextBytes);
        if (!ir) {
            continue;
        }
        entry.ir = readIrBlocks(*ir);
        entry.irIsOptimised = std::string_view(extension) == ".ttir";
        return;
    }
}

Result<TritonEntry> readEntry(const fs::path& cubinPath) {
    const auto named = [&](const std::string& what) {
        return fail(fmt::format("'{}': {}", cubinPath.string(), what));
    };
    fs::path stem = cubinPath;
    stem.replace_extension();
    const auto json = readJson(stem.string() + ".json");
    if (!json) {
        return tl::unexpected(json.error());
    }
    TritonEntry entry;
    entry.key = cubinPath.parent_path().filename().string();
    entry.path = cubinPath.string();
    entry.name = text(*json, "name");
    if (entry.name.empty()) {
        return named("its JSON file names no kernel");
    }
    if (const auto launch = readLaunch(entry, *json); !launch) {
        return named("in its JSON file " + launch.error().message);
    }
    auto bytes = metrics::readSmallFile(entry.path, kMaxCubinBytes);
    if (!bytes) {
        return tl::unexpected(bytes.error());
    }
    entry.cubinBytes = std::move(*bytes);
    const auto cubin = readCubin(entry.cubinBytes);
    if (!cubin) {
        return named(cubin.error().message);
    }
    const auto kernel =
        std::find_if(cubin->kernels.begin(), cubin->kernels.end(),
                     [&](const CubinKernel& candidate) { return candidate.name == entry.name; });
    if (kernel == cubin->kernels.end()) {
        return named("contains no kernel with the name in its JSON file");
    }
    entry.record = *kernel;
    entry.architecture = cubin->architecture;
    readIr(entry, stem);
    return entry;
}

bool isBlockName(const std::string& key) {
    return !key.empty() &&
           key.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == std::string::npos;
}

Result<BestConfig> readBestConfig(const std::string& path) {
    const auto json = readJson(path);
    if (!json) {
        return tl::unexpected(json.error());
    }
    BestConfig best;
    best.path = path;
    best.tritonKey = text(*json, "triton_cache_hash");
    best.numWarps =
        static_cast<int>(std::clamp<std::int64_t>(integer(*json, "num_warps", 0), 0, 64));
    best.numStages =
        static_cast<int>(std::clamp<std::int64_t>(integer(*json, "num_stages", 0), 0, 1024));
    for (const auto& [key, value] : json->items()) {
        if (isBlockName(key) && value.is_number_integer()) {
            best.blocks[key] = value.get<std::int64_t>();
        }
    }
    return best;
}

struct Found {
    std::vector<fs::path> cubins;
    std::vector<fs::path> bestConfigs;
    std::set<std::string> stems;      ///< of cubins
    std::vector<fs::path> jsonFiles;  ///< that describe a kernel
    std::vector<std::string> problems;
};

Result<Found> walk(const std::string& folder) {
    Found found;
    std::error_code error;
    constexpr auto kOptions = fs::directory_options::skip_permission_denied;
    fs::recursive_directory_iterator it(folder, kOptions, error);
    if (error) {
        return fail(fmt::format("'{}': {}", folder, error.message()));
    }
    for (const fs::recursive_directory_iterator end; it != end && !error; it.increment(error)) {
        const fs::path& path = it->path();
        const std::string name = path.filename().string();
        std::error_code ignored;
        if (it->is_directory(ignored)) {
            if (name.starts_with("tmp.")) {
                it.disable_recursion_pending();
            } else if (fs::directory_iterator(path, ignored); ignored) {
                found.problems.push_back(fmt::format("'{}': {}", path.string(), ignored.message()));
                it.disable_recursion_pending();
            }
            continue;
        }
        if (path.extension() == ".cubin") {
            found.cubins.push_back(path);
            found.stems.insert(fs::path(path).replace_extension().string());
        } else if (path.extension() == ".best_config") {
            found.bestConfigs.push_back(path);
        } else if (path.extension() == ".json" && !name.starts_with("__grp__")) {
            found.jsonFiles.push_back(path);
        }
    }
    if (error) {
        found.problems.push_back(fmt::format("'{}': {}", folder, error.message()));
    }
    std::sort(found.cubins.begin(), found.cubins.end());
    std::sort(found.bestConfigs.begin(), found.bestConfigs.end());
    std::sort(found.jsonFiles.begin(), found.jsonFiles.end());
    return found;
}

// A description without its cubin: written half, or damaged by hand.
void reportMissingCubins(const Found& found, TritonCache& cache) {
    for (const fs::path& path : found.jsonFiles) {
        const std::string stem = fs::path(path).replace_extension().string();
        std::error_code ignored;
        const bool kernel = fs::exists(stem + ".ttir", ignored) ||
                            fs::exists(stem + ".source", ignored) ||
                            fs::exists(stem + ".ptx", ignored);
        if (kernel && !found.stems.contains(stem)) {
            cache.problems.push_back(fmt::format("{}.cubin: is missing", stem));
        }
    }
}

}  // namespace

Result<TritonCache> readTritonCache(const std::string& folder) {
    const auto found = walk(folder);
    if (!found) {
        return tl::unexpected(found.error());
    }
    TritonCache cache;
    cache.problems = found->problems;
    for (const fs::path& path : found->cubins) {
        auto entry = readEntry(path);
        if (entry) {
            cache.entries.push_back(std::move(*entry));
        } else {
            cache.problems.push_back(entry.error().message);
        }
    }
    for (const fs::path& path : found->bestConfigs) {
        auto best = readBestConfig(path.string());
        if (best) {
            cache.bestConfigs.push_back(std::move(*best));
        } else {
            cache.problems.push_back(best.error().message);
        }
    }
    reportMissingCubins(*found, cache);
    return cache;
}

}  // namespace kinetoscope::bench::plan
