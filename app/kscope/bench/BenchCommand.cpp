// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/TerminalConsole.h"
#include "app/kscope/bench/BenchOptions.h"
#include "core/bench/workers/KernelsRun.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kBenchFooter =
    R"(DIR is an Inductor cache, a Triton cache, or a folder that holds both. No source code in it is
executed. The default method is cupti-cold, or event-cold where there is no CUPTI.

Examples
  kscope bench kernels --plan ~/torchinductor_cache
  kscope bench kernels --all-configs --accuracy ~/torchinductor_cache
  kscope bench kernels --compat --method benchmarker --name resnet50 cache)";

struct BenchArguments : KernelsOptions {
    std::string match;
    std::vector<std::string> keys;
};

int runKernels(const BenchArguments& written) {
    const auto plan = bench::plan::planCaches(written.run.folders);
    return plan ? benchPlan(written, *plan,
                            bench::workers::selectKernels(*plan, written.match, written.keys))
                : reportError(plan.error());
}

std::function<int()> declareKernels(CLI::App& app) {
    auto written = std::make_shared<BenchArguments>();
    app.add_option("DIR", written->run.folders, "Cache folders")->required();
    app.add_option("--match", written->match, "Only kernels whose name contains this");
    app.add_option("--key", written->keys, "Only the kernel with this key; repeatable")
        ->expected(1);
    app.add_flag("--all-configs", written->allConfigs,
                 "One row per configuration instead of the best only");
    const KernelsOutputOptions output = declareKernelsOutput(app, *written);
    CLI::Option* stream = app.add_flag("--stream", written->run.stream,
                                       "Print a line of JSON when a kernel starts and ends");
    excludeAll(stream, {output.plan, output.compat, output.formats.json, output.formats.csv,
                        output.formats.markdown});
    app.add_option("-o,--output", written->output, "Write to this file");
    declareMeasuring(app, written->run);
    app.footer(kBenchFooter);
    return [written] { return runKernels(*written); };
}

// Numbers of "3,0,12", up to the first that is not one.
std::vector<std::size_t> numbersIn(const std::string& text) {
    std::vector<std::size_t> numbers;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end) {
        std::size_t number = 0;
        const auto [next, error] = std::from_chars(at, end, number);
        if (error != std::errc()) {
            break;
        }
        numbers.push_back(number);
        at = next < end ? next + 1 : end;
    }
    return numbers;
}

// A process of its own per run of kernels: what a kernel breaks ends with it.
std::function<int()> declareWorker(CLI::App& app) {
    struct Work {
        bench::workers::KernelsRun run;
        std::string indices;  ///< with commas: a list would take the folders as well
    };
    auto work = std::make_shared<Work>();
    app.group("");
    app.add_option("DIR", work->run.folders)->required();
    app.add_option("--indices", work->indices)->required();
    declareMeasuring(app, work->run);
    return [work] {
        TerminalConsole console;
        const auto good =
            bench::workers::runKernelWorker(work->run, numbersIn(work->indices), console);
        return !good ? reportError(good.error()) : *good ? kExitGood : kExitOutput;
    };
}

}  // namespace

std::function<int()> declareBench(CLI::App& app) {
    struct Part {
        const char* name;
        const char* summary;
        std::function<int()> (*declare)(CLI::App&);
    };
    static constexpr Part kParts[] = {
        {"kernels", "Time the kernels that Inductor and Triton left in their caches",
         declareKernels},
        {"operators", "Time recorded calls of PyTorch's operators, eager and compiled",
         declareBenchOperators},
        {"modules", "Time RNNs, ResNets and compiled modules, forward and backward",
         declareBenchModules},
        {"module", "Time or record an Inductor-compiled module, or time its kernels",
         declareBenchModule},
        {"roof", "Measure this GPU's peak rates, and save them", declareBenchRoof},
        {"worker", "", declareWorker}};
    std::vector<std::pair<CLI::App*, std::function<int()>>> parts;
    for (const Part& part : kParts) {
        CLI::App* sub = app.add_subcommand(part.name, part.summary);
        parts.emplace_back(sub, part.declare(*sub));
    }
    return [parts] {
        for (const auto& [part, run] : parts) {
            if (part->parsed()) {
                return run();
            }
        }
        printError(
            "no subcommand; the subcommands are kernels, module, operators, modules and roof");
        return static_cast<int>(kExitInput);
    };
}

}  // namespace kinetoscope::app
