// SPDX-License-Identifier: Apache-2.0
#include "core/bench/plan/KernelPlan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/bench/plan/KernelArguments.h"
#include "core/metrics/SourceFolder.h"

namespace kinetoscope::bench::plan {

namespace {

constexpr const char* kNoGetArgs =
    "its source has no get_args; compile with config.benchmark_kernel=True";
constexpr const char* kNoSource = "its source is not in the given folders";
constexpr const char* kUserKernel =
    "a user-defined kernel: no source with get_args has its arguments";

// Inductor's prefixes of fused kernels; other triton_ kernels without get_args were only tried.
constexpr std::array<std::string_view, 7> kFused{"triton_poi_", "triton_red_", "triton_per_",
                                                 "triton_for_", "triton_tem_", "triton_spl_",
                                                 "triton_unk_"};

bool isCandidateName(std::string_view name) {
    return name.starts_with("triton_") && name != "triton_" &&
           std::none_of(kFused.begin(), kFused.end(),
                        [&](std::string_view prefix) { return name.starts_with(prefix); });
}

const BestConfig* bestFor(const TritonEntry& entry, const std::vector<BestConfig>& bestConfigs) {
    for (const BestConfig& best : bestConfigs) {
        if (!best.tritonKey.empty() && best.tritonKey == entry.key) {
            return &best;
        }
    }
    return nullptr;
}

// Block sizes in the intermediate representation, by name.
BlockSizes blocksOfIr(const metrics::KernelSource& source, const TritonEntry& entry,
                      const std::string& type) {
    BlockSizes blocks;
    const auto names = axisBlockNames(type, source);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (names[axis].empty()) {
            continue;
        }
        if (entry.ir.perAxis[axis]) {
            blocks[names[axis]] = *entry.ir.perAxis[axis];
        } else if (entry.irIsOptimised && entry.ir.namesAxis[axis]) {
            blocks[names[axis]] = 1;
        }
    }
    if (entry.ir.rsplit) {
        blocks["RSPLIT"] = *entry.ir.rsplit;
    }
    for (const metrics::KernelParameter& parameter : source.parameters) {
        const bool reduction = parameter.name == "R0_BLOCK" || parameter.name == "RBLOCK";
        if (reduction && entry.ir.reductionRange && !blocks.contains(parameter.name)) {
            blocks[parameter.name] = *entry.ir.reductionRange;
        }
    }
    return blocks;
}

// Sizes fixed by the source itself: the configuration of combined kernels.
BlockSizes blocksOfSource(const metrics::KernelSource& source) {
    BlockSizes blocks;
    const metrics::PyValue* combo = source.inductorMeta("combo_grid_meta");
    const metrics::PyValue* fixed = combo != nullptr ? combo->find("default_config") : nullptr;
    if (fixed != nullptr) {
        for (const auto& [key, value] : fixed->entries) {
            if (const auto size = value.asInt()) {
                blocks[key.text] = *size;
            }
        }
    }
    return blocks;
}

Result<BlockSizes> blockSizes(const metrics::KernelSource& source, const TritonEntry& entry,
                              const BestConfig* best, const std::string& type) {
    BlockSizes blocks = blocksOfSource(source);
    if (!blocks.empty()) {
        return blocks;
    }
    blocks = blocksOfIr(source, entry, type);
    if (best == nullptr) {
        return blocks;
    }
    for (const auto& [name, size] : best->blocks) {
        const auto known = blocks.find(name);
        if (known != blocks.end() && known->second != size) {
            return fail(fmt::format("{} is {} in {}, but the compiled kernel has {}", name, size,
                                    best->path, known->second));
        }
        blocks[name] = size;
    }
    return blocks;
}

std::string configLabel(const metrics::KernelSource& source, const BlockSizes& blocks,
                        const TritonEntry& entry) {
    std::string label;
    for (const metrics::KernelParameter& parameter : source.parameters) {
        const auto size = blocks.find(parameter.name);
        if (size != blocks.end()) {
            label += fmt::format("{}: {}, ", parameter.name, size->second);
        }
    }
    return label + fmt::format("num_warps: {}, num_ctas: {}, num_stages: {}, maxnreg: None",
                               entry.numWarps, entry.numCtas, entry.numStages);
}

// Appends the scratch pointers, and checks everything against the cubin's own record.
Result<void> matchRecord(std::vector<ParameterPlan>& parameters, const TritonEntry& entry) {
    const auto& recorded = entry.record.parameters;
    if (recorded.size() < parameters.size() || recorded.size() > parameters.size() + 2) {
        return fail(fmt::format("the source has {} parameters, the cubin {}", parameters.size(),
                                recorded.size()));
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (recorded[i].size != parameters[i].size) {
            return fail(fmt::format("{} has {} bytes in the source and {} in the cubin",
                                    parameters[i].name, parameters[i].size, recorded[i].size));
        }
    }
    for (std::size_t i = parameters.size(); i < recorded.size(); ++i) {
        if (recorded[i].size != 8) {
            return fail("the cubin takes a parameter that the source does not give");
        }
        const bool first = parameters.empty() ||
                           parameters.back().kind == ParameterPlan::Kind::Buffer ||
                           parameters.back().kind == ParameterPlan::Kind::Value;
        ParameterPlan scratch;
        scratch.kind = first && entry.globalScratchBytes > 0 ? ParameterPlan::Kind::GlobalScratch
                                                             : ParameterPlan::Kind::Null;
        scratch.name = first ? "global_scratch" : "profile_scratch";
        parameters.push_back(scratch);
    }
    return {};
}

Result<ConfigPlan> planConfig(const metrics::KernelSource& source, const TritonEntry& entry,
                              const ArgumentPlan& arguments,
                              const std::vector<BestConfig>& bestConfigs) {
    ConfigPlan config;
    config.entry = entry;
    config.parameters = arguments.parameters;
    if (const auto matched = matchRecord(config.parameters, entry); !matched) {
        return tl::unexpected(matched.error());
    }
    if (entry.profileScratchBytes > 0) {
        return fail("it was compiled for in-kernel profiling, which needs a buffer");
    }
    config.threads = static_cast<std::uint32_t>(entry.numWarps * entry.warpSize);
    if (entry.record.requiredThreads != 0 && entry.record.requiredThreads != config.threads) {
        return fail(fmt::format("the JSON has {} threads a block, the cubin requires {}",
                                config.threads, entry.record.requiredThreads));
    }
    const BestConfig* best = bestFor(entry, bestConfigs);
    config.winner = best != nullptr;
    auto blocks = blockSizes(source, entry, best, gridType(source));
    if (!blocks) {
        return tl::unexpected(blocks.error());
    }
    config.blocks = std::move(*blocks);
    const auto grid =
        launchGrid(source, arguments.integers, config.blocks, arguments.launcherArguments);
    if (!grid) {
        return tl::unexpected(grid.error());
    }
    config.grid = *grid;
    config.label = configLabel(source, config.blocks, entry);
    return config;
}

bool sameLaunch(const ConfigPlan& a, const ConfigPlan& b) {
    return a.entry.cubinBytes == b.entry.cubinBytes && a.grid == b.grid && a.threads == b.threads &&
           a.entry.sharedBytes == b.entry.sharedBytes && a.entry.numCtas == b.entry.numCtas &&
           a.blocks == b.blocks;
}

void addConfig(std::vector<ConfigPlan>& configs, ConfigPlan config) {
    for (ConfigPlan& known : configs) {
        if (sameLaunch(known, config)) {
            ++known.copies;
            known.winner = known.winner || config.winner;
            return;
        }
    }
    configs.push_back(std::move(config));
}

// Binaries made from this very file; else those whose file belongs to no other source.
std::vector<const TritonEntry*> entriesOf(const metrics::KernelSource& source,
                                          const std::vector<TritonEntry>& entries,
                                          const std::set<std::string>& files) {
    std::vector<const TritonEntry*> own;
    std::vector<const TritonEntry*> possible;
    for (const TritonEntry& entry : entries) {
        if (entry.name != source.name) {
            continue;
        }
        if (entry.ir.sourceFile == source.key + ".py") {
            own.push_back(&entry);
        } else if (entry.ir.sourceFile.empty() || !files.contains(entry.ir.sourceFile)) {
            possible.push_back(&entry);
        }
    }
    return own.empty() ? possible : own;
}

// Binaries that belong to no source, one line per kernel.
void addOrphans(CachePlan& plan, const std::vector<TritonEntry>& entries,
                const std::set<std::string>& used, const std::set<std::string>& sourceNames) {
    std::map<std::string, const TritonEntry*> orphans;
    for (const TritonEntry& entry : entries) {
        if (used.contains(entry.path)) {
            continue;
        }
        if (isCandidateName(entry.name)) {
            ++plan.candidates;
        } else if (!sourceNames.contains(entry.name)) {
            orphans.emplace(entry.name, &entry);
        }
    }
    for (const auto& [name, entry] : orphans) {
        KernelPlan kernel;
        kernel.name = name;
        kernel.key = entry->key;
        kernel.category = "unknown";
        kernel.reason = name.starts_with("triton_") ? kNoSource : kUserKernel;
        plan.kernels.push_back(std::move(kernel));
    }
}

}  // namespace

bool lacksBenchmark(std::string_view reason) {
    return reason == kNoGetArgs || reason == kNoSource || reason == kUserKernel;
}

std::int64_t KernelPlan::memoryBytes() const {
    std::int64_t bytes = 0;
    for (const BufferPlan& buffer : buffers) {
        bytes += buffer.bytes() * (buffer.mutated ? 2 : 1);
    }
    return bytes;
}

KernelPlan planKernel(const metrics::KernelSource& source,
                      const std::vector<const TritonEntry*>& entries,
                      const std::vector<BestConfig>& bestConfigs) {
    KernelPlan plan;
    plan.name = source.name;
    plan.key = source.key;
    plan.category = source.category;
    plan.sourcePath = source.path;
    plan.gridType = gridType(source);
    plan.gigabytes = kernelGigabytes(source);
    if (const metrics::PyValue* flop = source.inductorMeta("kernel_flop"); flop != nullptr) {
        plan.flop = flop->asNumber();
    }
    if (!source.hasBenchmark) {
        plan.reason = kNoGetArgs;
        return plan;
    }
    auto arguments = planArguments(source);
    if (!arguments) {
        plan.reason = arguments.error().message;
        return plan;
    }
    plan.buffers = arguments->buffers;
    std::string failure = "its binary is not in the given folders";
    for (const TritonEntry* entry : entries) {
        auto config = planConfig(source, *entry, *arguments, bestConfigs);
        if (config) {
            addConfig(plan.configs, std::move(*config));
        } else {
            failure = config.error().message;
        }
    }
    plan.reason = plan.configs.empty() ? failure : std::string();
    std::stable_sort(plan.configs.begin(), plan.configs.end(),
                     [](const ConfigPlan& a, const ConfigPlan& b) { return a.label < b.label; });
    return plan;
}

Result<CachePlan> planCaches(const std::vector<std::string>& folders) {
    CachePlan plan;
    std::vector<metrics::KernelSource> sources;
    TritonCache cache;
    for (const std::string& folder : folders) {
        auto read = metrics::readSources(folder);
        auto compiled = read ? readTritonCache(folder) : Result<TritonCache>(TritonCache());
        if (!read || !compiled) {
            return tl::unexpected(read ? compiled.error() : read.error());
        }
        std::move(read->kernels.begin(), read->kernels.end(), std::back_inserter(sources));
        std::move(compiled->entries.begin(), compiled->entries.end(),
                  std::back_inserter(cache.entries));
        std::move(compiled->bestConfigs.begin(), compiled->bestConfigs.end(),
                  std::back_inserter(cache.bestConfigs));
        for (auto* problems : {&read->problems, &compiled->problems}) {
            std::move(problems->begin(), problems->end(), std::back_inserter(plan.problems));
        }
    }
    std::set<std::string> files;
    std::set<std::string> names;
    for (const metrics::KernelSource& source : sources) {
        files.insert(source.key + ".py");
        names.insert(source.name);
    }
    std::set<std::string> used;
    std::set<std::string> keys;
    for (const metrics::KernelSource& source : sources) {
        const auto entries = entriesOf(source, cache.entries, files);
        for (const TritonEntry* entry : entries) {
            used.insert(entry->path);
        }
        if (!source.hasBenchmark && source.heuristic == "template") {
            ++plan.candidates;
        } else if (keys.insert(source.key).second) {
            plan.kernels.push_back(planKernel(source, entries, cache.bestConfigs));
        }
    }
    addOrphans(plan, cache.entries, used, names);
    std::stable_sort(plan.kernels.begin(), plan.kernels.end(),
                     [](const KernelPlan& a, const KernelPlan& b) {
                         return std::tie(a.key, a.name) < std::tie(b.key, b.name);
                     });
    return plan;
}

}  // namespace kinetoscope::bench::plan
