// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/bench/results/BenchResult.h"
#include "core/bench/run/KernelBench.h"

namespace kinetoscope::app {

enum class BenchFormat : std::uint8_t { Text, Json, Csv, Markdown, Compat };

/// The options of `kscope bench kernels`, checked.
struct BenchArguments {
    std::vector<std::string> folders;
    bool plan = false;
    bool stream = false;  ///< events as JSON lines while it runs
    BenchFormat format = BenchFormat::Text;
    bool allConfigs = false;
    bool keep = true;  ///< the result goes into the store
    std::string name = "None";
    std::string match;              ///< only kernels whose name contains it
    std::vector<std::string> keys;  ///< only kernels with these keys; empty: all
    std::string output;             ///< empty: standard output
    std::string command;            ///< as typed, for the result document
    int gpu = 0;
    bench::run::KernelBenchOptions bench;
    std::vector<std::size_t> indices;  ///< worker: kernels of the plan to run, in this order
};

/// What `kscope bench module` does with the module.
enum class ModuleTask : std::uint8_t { Wall, Profile, Kernels };

struct ModuleArguments {
    std::string module;
    ModuleTask task = ModuleTask::Wall;
    std::string python = "python3";
    std::string trace;     ///< of Profile; empty: a fixed name in the folder for temporary files
    BenchArguments bench;  ///< of Kernels; folders empty: where Inductor puts its caches
};

/// Each gives an ExitCode.
[[nodiscard]] int runBenchKernels(const BenchArguments& arguments);
[[nodiscard]] int runBenchModule(const ModuleArguments& arguments);
[[nodiscard]] int runBenchWorker(const BenchArguments& arguments);

/// Prints or runs these kernels of the plan, in this order, and writes and keeps the result.
[[nodiscard]] int runBenchPlan(const BenchArguments& arguments, const bench::plan::CachePlan& plan,
                               const std::vector<std::size_t>& selected);

/// Runs kernels of `plan` in worker processes and fills document.kernels, one for each selected
/// kernel, and document.gpu. A worker that ends early costs the kernel it was at. Fails when no
/// worker can work at all.
[[nodiscard]] Result<void> runWorkers(const BenchArguments& arguments,
                                      const bench::plan::CachePlan& plan,
                                      const std::vector<std::size_t>& selected,
                                      bench::results::BenchDocument& document);

/// One JSON object on a line of standard output, at once.
void sayLine(const std::string& line);

}  // namespace kinetoscope::app
