// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/bench/results/ModuleResult.h"
#include "core/bench/results/ModuleRunners.h"
#include "core/bench/workers/BenchConsole.h"

namespace kinetoscope::bench::workers {

/// What a bench of modules is asked for. Names and defaults are those of fastrnns.
struct ModulesRun {
    std::vector<std::string> files;   ///< .pt and .pt2
    std::vector<std::string> inputs;  ///< T([32, 256], f32)
    std::int64_t seqLength = 100;
    std::int64_t numLayers = 1;
    std::int64_t inputSize = 512;
    std::int64_t hiddenSize = 512;
    std::int64_t miniBatch = 64;
    std::int64_t images = 32;
    std::int64_t warmup = 10;
    std::int64_t nloops = 100;
    std::string device;  ///< empty: a GPU where there is one
    bool variableLstms = false;
    std::string sep = " ";
    std::string printJson;  ///< "oss", "pep" or empty
    std::vector<std::string> rnns{results::kRnnRunners.begin(), results::kRnnRunners.end()};
    std::vector<std::string> cnns{results::kCnnRunners.begin(), results::kCnnRunners.end()};
    std::vector<std::string> groups{"cnns", "rnns"};
    std::string fuser = "te";
    std::string executor;
    std::optional<int> loopLevel;
    std::optional<int> blockCount;
    std::optional<int> blockSize;
    std::uint64_t seed = 17;
    bool profile = false;
    std::int64_t runs = 1;
    std::string traceFolder = ".";
    std::string traceName = "tmp_chrome_trace";
    bool stream = false;  ///< events as JSON lines while it runs
    bool save = true;
};

/// Measures each runner in a worker of its own, and keeps the result. What fastrnns prints comes as
/// notes. Fails when no worker can work at all.
[[nodiscard]] Result<results::ModuleDocument> runModules(const ModulesRun& run,
                                                         BenchConsole& console);

/// The figures of the traces that were recorded, as `kscope report` has them, as notes.
void reportProfiles(const results::ModuleDocument& document, BenchConsole& console);

}  // namespace kinetoscope::bench::workers
