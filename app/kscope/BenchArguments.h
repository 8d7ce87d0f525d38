// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/bench/BenchResult.h"
#include "core/bench/KernelBench.h"

namespace kinetoscope {

enum class BenchFormat : std::uint8_t { Text, Json, Csv, Markdown, Compat };

/// The options of `kscope bench kernels`, checked.
struct BenchArguments {
    std::vector<std::string> folders;
    bool plan = false;
    BenchFormat format = BenchFormat::Text;
    bool allConfigs = false;
    bool keep = true;  ///< the result goes into the store
    std::string name = "None";
    std::string match;    ///< only kernels whose name contains it
    std::string output;   ///< empty: standard output
    std::string command;  ///< as typed, for the result document
    int gpu = 0;
    KernelBenchOptions bench;
    std::vector<std::size_t> indices;  ///< worker: kernels of the plan to run, in this order
};

/// Each gives an ExitCode.
[[nodiscard]] int runBenchKernels(const BenchArguments& arguments);
[[nodiscard]] int runBenchWorker(const BenchArguments& arguments);

/// Runs kernels of `plan` in worker processes and fills document.kernels and document.gpu. A
/// worker that ends early costs the kernel it was at. Fails when no worker can work at all.
[[nodiscard]] Result<void> runWorkers(const BenchArguments& arguments, const CachePlan& plan,
                                      BenchDocument& document);

}  // namespace kinetoscope
