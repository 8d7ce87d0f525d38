// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bench/plan/KernelArguments.h"
#include "core/bench/plan/LaunchGrid.h"
#include "core/bench/plan/TritonCache.h"

namespace kinetoscope::bench::plan {

/// One compiled configuration, ready to be launched.
struct ConfigPlan {
    TritonEntry entry;
    BlockSizes blocks;
    Grid grid{1, 1, 1};
    std::uint32_t threads = 0;  ///< per block
    std::vector<ParameterPlan> parameters;
    std::string label;    ///< as Inductor prints a configuration
    bool winner = false;  ///< an autotuning chose it
    int copies = 1;       ///< copies of the same binary in the cache
};

/// Whether a kernel cannot be run because its arguments are unknown.
[[nodiscard]] bool lacksBenchmark(std::string_view reason);

struct KernelPlan {
    std::string name;
    std::string key;  ///< file name of the source without ".py"; of the Triton folder without one
    std::string category;
    std::string sourcePath;  ///< empty without a source
    std::string gridType;
    std::optional<double> gigabytes;  ///< read and written by one launch
    std::optional<double> flop;
    std::vector<BufferPlan> buffers;
    std::vector<ConfigPlan> configs;  ///< ordered by label
    std::string reason;               ///< why it cannot be run; empty when it can

    [[nodiscard]] bool runnable() const { return reason.empty(); }
    /// Of all buffers, copies for restoring included.
    [[nodiscard]] std::int64_t memoryBytes() const;
};

/// The contents of a cache.
struct CachePlan {
    std::vector<KernelPlan> kernels;  ///< ordered by key, then name
    std::int64_t candidates = 0;      ///< template kernels that only autotuning ran
    std::vector<std::string> problems;
};

/// Reads the caches under `folders`, each an Inductor cache, a Triton cache or a folder with both,
/// links sources to binaries and works out every launch. Fails when a folder cannot be opened.
[[nodiscard]] Result<CachePlan> planCaches(const std::vector<std::string>& folders);

/// Plans one kernel from its source and the binaries that may belong to it.
[[nodiscard]] KernelPlan planKernel(const metrics::KernelSource& source,
                                    const std::vector<const TritonEntry*>& entries,
                                    const std::vector<BestConfig>& bestConfigs);

}  // namespace kinetoscope::bench::plan
