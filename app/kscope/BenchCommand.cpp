// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>

#include "app/kscope/BenchArguments.h"
#include "app/kscope/Command.h"
#include "app/kscope/MachineFacts.h"
#include "app/kscope/PlainNumber.h"
#include "app/kscope/Terminal.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kFooter =
    R"(A folder is an Inductor cache, a Triton cache, or one that holds both. No source of it is executed.
Times are event-cold unless --method says otherwise.

Examples
  kscope bench kernels --plan ~/torchinductor_cache
  kscope bench kernels --all-configs --accuracy ~/torchinductor_cache
  kscope bench kernels --compat --method seed-parity --name resnet50 cache)";

constexpr const char* kModuleFooter =
    R"(Without -k, -c or -p: the wall seconds of one run, the median of 10 times 10 runs.
Without -k and -c the module is run by your Python, as its own main would; -k and -c only read it.

Examples
  kscope bench module output_code.py
  kscope bench module -k -c --cache ~/torchinductor_cache output_code.py
  kscope bench module -p -o module.json.gz --name resnet50 output_code.py)";

/// What the options write into, before it is checked.
struct Raw {
    BenchArguments arguments;
    ModuleArguments module;
    bool moduleKernels = false;
    bool moduleConfigs = false;
    bool moduleProfile = false;
    bool table = false;
    std::string method = "event-cold";
    std::string indices;
    double maxWidthPercent = 0.5;
    bool json = false;
    bool csv = false;
    bool markdown = false;
    bool compat = false;
    bool noKeep = false;
};

void declareMeasuring(CLI::App& app, const std::shared_ptr<Raw>& raw) {
    bench::run::MeasureOptions& measure = raw->arguments.bench.measure;
    app.add_option("--method", raw->method, bench::run::benchMethodNames());
    app.add_option("--gpu", raw->arguments.gpu, "Number of the GPU (default: 0)");
    app.add_option("--min-samples", measure.minSamples, "At least so many samples (default: 32)")
        ->check(CLI::Range(1, 1000000));
    app.add_option("--time-limit", measure.timeLimitS,
                   "Seconds per configuration at most (default: 3)")
        ->check(plainNumber(0.01, 3600.0));
    app.add_option("--max-width", raw->maxWidthPercent,
                   "Stop when the median's 95 % interval is narrower, in % (default: 0.5)")
        ->check(plainNumber(0.0, 100.0));
    app.add_flag("--accuracy", raw->arguments.bench.accuracy,
                 "Compare the outputs of all configurations with each other");
    app.add_option("--dump", raw->arguments.bench.dumpFolder,
                   "Write the arguments before and after one launch into this folder");
}

Result<void> check(Raw& raw) {
    BenchArguments& arguments = raw.arguments;
    const auto method = bench::run::benchMethod(raw.method);
    if (!method) {
        return fail("unknown method '" + raw.method + "'; the methods are " +
                    bench::run::benchMethodNames());
    }
    if (raw.json + raw.csv + raw.markdown + raw.compat + arguments.stream > 1) {
        return fail("--json, --csv, --markdown, --compat and --stream exclude each other");
    }
    if (arguments.plan && (raw.csv || raw.markdown || raw.compat || arguments.stream)) {
        return fail("--plan prints a table or, with --json, a document");
    }
    arguments.bench.measure.method = *method;
    arguments.bench.measure.maxWidth = raw.maxWidthPercent / 100.0;
    arguments.keep = !raw.noKeep;
    arguments.format = raw.json       ? BenchFormat::Json
                       : raw.csv      ? BenchFormat::Csv
                       : raw.markdown ? BenchFormat::Markdown
                       : raw.compat   ? BenchFormat::Compat
                                      : BenchFormat::Text;
    arguments.command = typedCommand();
    return {};
}

int checked(Raw& raw, int (*run)(const BenchArguments&)) {
    const auto good = check(raw);
    return good ? run(raw.arguments) : reportError(good.error());
}

void declareOutput(CLI::App& app, const std::shared_ptr<Raw>& raw) {
    app.add_flag("--plan", raw->arguments.plan, "Print what would be launched; needs no GPU");
    app.add_option("--name", raw->arguments.name, "Benchmark's name in PyTorch's lines");
    app.add_flag("--compat", raw->compat, "The lines of PyTorch's kernel benchmark");
    app.add_flag("--json", raw->json, "The whole result as JSON, every sample in it");
    app.add_flag("--csv", raw->csv, "One row per configuration as CSV");
    app.add_flag("--markdown", raw->markdown, "The table as Markdown");
    app.add_flag("--no-keep", raw->noKeep, "Don't keep the result for kscope results");
}

void declareKernels(CLI::App& app, const std::shared_ptr<Raw>& raw) {
    app.add_option("DIR", raw->arguments.folders, "Cache folders")->required();
    app.add_option("--match", raw->arguments.match, "Only kernels whose name contains this");
    app.add_option("--key", raw->arguments.keys, "Only the kernel with this key; may be repeated")
        ->expected(1);
    app.add_flag("--all-configs", raw->arguments.allConfigs,
                 "One row per configuration instead of the best one");
    declareOutput(app, raw);
    app.add_flag("--stream", raw->arguments.stream,
                 "A line of JSON for each kernel that begins and ends");
    app.add_option("-o,--output", raw->arguments.output, "Write to this file");
    declareMeasuring(app, raw);
    app.footer(kFooter);
}

void declareModule(CLI::App& app, const std::shared_ptr<Raw>& raw) {
    app.add_option("OUTPUT_CODE", raw->module.module, "A module that Inductor compiled")
        ->required();
    app.add_flag("-k,--benchmark-kernels", raw->moduleKernels, "Time each of its kernels");
    app.add_flag("-c,--benchmark-all-configs", raw->moduleConfigs,
                 "Time its kernels in every configuration");
    app.add_flag("-p,--profile", raw->moduleProfile,
                 "Record the module; print its operators and what the GPU did");
    app.add_option("--cache", raw->arguments.folders,
                   "Caches of its kernels (default: where the module says)")
        ->expected(1);
    app.add_option("--python", raw->module.python, "Python with PyTorch (default: python3)");
    app.add_flag("--table", raw->table, "-k: a table instead of PyTorch's lines");
    declareOutput(app, raw);
    app.add_option("-o,--output", raw->module.trace,
                   "-k: write to this file; -p: the trace, .json or .json.gz");
    declareMeasuring(app, raw);
    app.footer(kModuleFooter);
}

int runModule(Raw& raw) {
    const bool kernels = raw.moduleKernels || raw.moduleConfigs;
    if (kernels && raw.moduleProfile) {
        printError("-p excludes -k and -c; run the command twice");
        return kExitInput;
    }
    if (!kernels &&
        (raw.json || raw.csv || raw.markdown || raw.compat || raw.table || raw.arguments.plan)) {
        printError("--plan, --table, --compat, --json, --csv and --markdown belong to -k and -c");
        return kExitInput;
    }
    raw.compat =
        raw.compat || !(raw.json || raw.csv || raw.markdown || raw.table || raw.arguments.plan);
    raw.arguments.allConfigs = raw.moduleConfigs;
    if (const auto good = check(raw); !good) {
        return reportError(good.error());
    }
    ModuleArguments arguments = raw.module;
    arguments.task = kernels             ? ModuleTask::Kernels
                     : raw.moduleProfile ? ModuleTask::Profile
                                         : ModuleTask::Wall;
    arguments.bench = raw.arguments;
    arguments.bench.output = kernels ? arguments.trace : std::string();
    return runBenchModule(arguments);
}

// A process of its own per run of kernels: what a kernel breaks ends with it.
void declareWorker(CLI::App& app, const std::shared_ptr<Raw>& raw) {
    app.group("");
    app.add_option("DIR", raw->arguments.folders)->required();
    app.add_option("--indices", raw->indices)->required();
    declareMeasuring(app, raw);
}

bool readIndices(const std::string& text, std::vector<std::size_t>& indices) {
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end) {
        std::size_t index = 0;
        const auto [next, error] = std::from_chars(at, end, index);
        if (error != std::errc() || (next < end && *next != ',')) {
            return false;
        }
        indices.push_back(index);
        at = next < end ? next + 1 : next;
    }
    return true;
}

}  // namespace

std::function<int()> declareBench(CLI::App& app) {
    auto raw = std::make_shared<Raw>();
    CLI::App* kernels = app.add_subcommand(
        "kernels", "Time the kernels that Inductor and Triton left in their caches");
    declareKernels(*kernels, raw);
    CLI::App* operators = app.add_subcommand(
        "operators", "Time recorded calls of PyTorch's operators, eager and compiled");
    auto runOperators = declareBenchOperators(*operators);
    CLI::App* modules = app.add_subcommand(
        "modules", "Time LSTMs, ResNets and compiled modules, forward and backward");
    auto runModules = declareBenchModules(*modules);
    CLI::App* module = app.add_subcommand(
        "module", "Time or record a module that Inductor compiled, or time its kernels");
    declareModule(*module, raw);
    CLI::App* worker = app.add_subcommand("worker", "");
    declareWorker(*worker, raw);
    return [kernels, module, operators, runOperators, modules, runModules, worker, raw] {
        if (modules->parsed()) {
            return runModules(typedCommand());
        }
        if (operators->parsed()) {
            return runOperators(typedCommand());
        }
        if (worker->parsed()) {
            if (!readIndices(raw->indices, raw->arguments.indices)) {
                printError("--indices takes numbers separated by commas");
                return static_cast<int>(kExitInput);
            }
            return checked(*raw, runBenchWorker);
        }
        if (module->parsed()) {
            return runModule(*raw);
        }
        if (!kernels->parsed()) {
            printError(
                "bench needs to know what: kscope bench kernels DIR…, module FILE, operators or "
                "modules");
            return static_cast<int>(kExitInput);
        }
        return checked(*raw, runBenchKernels);
    };
}

}  // namespace kinetoscope::app
