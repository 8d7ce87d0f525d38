// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kinetoscope::bench::workers {

/// Options of a bench of modules. Names and defaults are those of fastrnns.
struct ModulesRun {
    std::vector<std::string> files;    ///< .pt and .pt2
    std::vector<std::string> inputs;   ///< T([32, 256], f32), 2, scale=0.5
    std::string function = "forward";  ///< of a .pt
    bool backward = true;              ///< where there is something to train
    std::int64_t seqLength = 100;
    std::int64_t numLayers = 1;
    std::int64_t inputSize = 512;
    std::int64_t hiddenSize = 512;
    std::int64_t miniBatch = 64;
    std::int64_t images = 32;
    std::int64_t warmup = 10;
    std::int64_t nloops = 100;
    std::string device;  ///< empty: a GPU where there is one
    /// Runners of the groups; null or empty: the usual ones.
    std::optional<std::vector<std::string>> namedRnns;
    std::optional<std::vector<std::string>> namedCnns;
    bool variableLstms = false;
    std::string sep = " ";
    std::string printJson;  ///< "oss", "pep" or empty
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
    bool compat = false;  ///< seconds on a CPU; a runner that fails ends the run, or is left out
    bool stream = false;  ///< events as JSON lines while it runs
    bool save = true;
};

}  // namespace kinetoscope::bench::workers
