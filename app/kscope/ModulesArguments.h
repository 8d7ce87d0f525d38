// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/kscope/BenchArguments.h"
#include "core/bench/modules/ModuleResult.h"
#include "core/bench/modules/ModuleRunners.h"

namespace kinetoscope::app {

/// The options of `kscope bench modules`, checked. Names and defaults are those of fastrnns.
struct ModulesArguments {
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
    std::vector<std::string> rnns{bench::modules::kRnnRunners.begin(),
                                  bench::modules::kRnnRunners.end()};
    std::vector<std::string> cnns{bench::modules::kCnnRunners.begin(),
                                  bench::modules::kCnnRunners.end()};
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
    BenchFormat format = BenchFormat::Text;
    bool stream = false;  ///< events as JSON lines while it runs
    bool keep = true;
    std::string output;   ///< empty: standard output
    std::string command;  ///< as typed
};

/// Gives an ExitCode; 1 also when a runner did not run or results differ.
[[nodiscard]] int runBenchModules(const ModulesArguments& arguments);

}  // namespace kinetoscope::app
