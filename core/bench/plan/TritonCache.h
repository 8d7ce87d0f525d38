// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/bench/plan/BlockSizes.h"
#include "core/bench/plan/Cubin.h"

namespace kinetoscope::bench::plan {

/// One compiled kernel in a Triton cache: a cubin and the contents of the JSON next to it.
struct TritonEntry {
    std::string key;   ///< name of its folder
    std::string path;  ///< of the cubin
    std::string name;  ///< of the function in the cubin
    std::string cubinBytes;
    CubinKernel record;  ///< of this function
    std::uint32_t architecture = 0;
    int numWarps = 0;
    int numStages = 0;
    int numCtas = 1;
    int warpSize = 32;
    std::uint32_t sharedBytes = 0;  ///< dynamic, per block
    bool cooperative = false;
    bool programmaticLaunch = false;
    std::int64_t globalScratchBytes = 0;   ///< per block
    std::int64_t profileScratchBytes = 0;  ///< per block
    std::array<std::int64_t, 3> clusterDims{1, 1, 1};
    IrBlocks ir;
    bool irIsOptimised = false;  ///< from .ttir, where products with 1 are gone
};

/// The winner of an autotuning, as Inductor notes it beside a source.
struct BestConfig {
    std::string path;
    std::string tritonKey;  ///< empty in older caches
    BlockSizes blocks;      ///< block sizes only
    int numWarps = 0;
    int numStages = 0;
};

struct TritonCache {
    std::vector<TritonEntry> entries;     ///< ordered by path
    std::vector<BestConfig> bestConfigs;  ///< ordered by path
    std::vector<std::string> problems;    ///< one line each, beginning with a path
};

/// Everything compiled under a folder, wherever in it; folders of writes in flight (tmp.*) and
/// links to folders are left out. Fails when the folder cannot be opened.
[[nodiscard]] Result<TritonCache> readTritonCache(const std::string& folder);

}  // namespace kinetoscope::bench::plan
