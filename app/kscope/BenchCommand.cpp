// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>

#include "app/kscope/BenchArguments.h"
#include "app/kscope/Command.h"
#include "app/kscope/MachineFacts.h"
#include "app/kscope/Terminal.h"

namespace kinetoscope {

namespace {

constexpr const char* kFooter =
    R"(A folder is an Inductor cache, a Triton cache, or one that holds both. No source of it is executed.

Examples
  kscope bench kernels --plan ~/torchinductor_cache
  kscope bench kernels --all-configs --accuracy ~/torchinductor_cache
  kscope bench kernels --compat --method seed-parity --name resnet50 cache)";

/// What the options write into, before it is checked.
struct Raw {
    BenchArguments arguments;
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
    MeasureOptions& measure = raw->arguments.bench.measure;
    app.add_option(
        "--method", raw->method,
        "event-cold, event-batch, graph-cold, do-bench or seed-parity (default: event-cold)");
    app.add_option("--gpu", raw->arguments.gpu, "Number of the GPU (default: 0)");
    app.add_option("--min-samples", measure.minSamples, "At least so many samples (default: 32)")
        ->check(CLI::Range(1, 1000000));
    app.add_option("--time-limit", measure.timeLimitS,
                   "Seconds per configuration at most (default: 3)")
        ->check(CLI::Range(0.01, 3600.0));
    app.add_option("--max-width", raw->maxWidthPercent,
                   "Stop when the median's 95 % interval is narrower, in percent (default: 0.5)")
        ->check(CLI::Range(0.0, 100.0));
    app.add_flag("--accuracy", raw->arguments.bench.accuracy,
                 "Compare the outputs of all configurations with each other");
    app.add_option("--dump", raw->arguments.bench.dumpFolder,
                   "Write the arguments before and after one launch as raw files into this folder");
}

int checked(Raw& raw, int (*run)(const BenchArguments&)) {
    BenchArguments& arguments = raw.arguments;
    const auto method = benchMethod(raw.method);
    if (!method) {
        printError(
            "unknown method '" + raw.method +
            "'; the methods are event-cold, event-batch, graph-cold, do-bench and seed-parity");
        return kExitInput;
    }
    if (raw.json + raw.csv + raw.markdown + raw.compat > 1) {
        printError("--json, --csv, --markdown and --compat exclude each other");
        return kExitInput;
    }
    if (arguments.plan && (raw.csv || raw.markdown || raw.compat)) {
        printError("--plan prints a table or, with --json, a document");
        return kExitInput;
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
    return run(arguments);
}

void declareKernels(CLI::App& app, const std::shared_ptr<Raw>& raw) {
    app.add_option("DIR", raw->arguments.folders, "Cache folders")->required();
    app.add_flag("--plan", raw->arguments.plan, "Print what would be launched; needs no GPU");
    app.add_option("--match", raw->arguments.match, "Only kernels whose name contains this");
    app.add_flag("--all-configs", raw->arguments.allConfigs,
                 "One row per configuration instead of the best one");
    app.add_flag("--compat", raw->compat, "The lines of PyTorch's kernel benchmark");
    app.add_option("--name", raw->arguments.name, "Benchmark's name in those lines");
    app.add_flag("--json", raw->json, "The whole result as JSON, every sample in it");
    app.add_flag("--csv", raw->csv, "One row per configuration as CSV");
    app.add_flag("--markdown", raw->markdown, "The table as Markdown");
    app.add_option("-o,--output", raw->arguments.output, "Write to this file");
    app.add_flag("--no-keep", raw->noKeep, "Don't keep the result for kscope results");
    declareMeasuring(app, raw);
    app.footer(kFooter);
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
    CLI::App* worker = app.add_subcommand("worker", "");
    declareWorker(*worker, raw);
    return [kernels, operators, runOperators, modules, runModules, worker, raw] {
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
        if (!kernels->parsed()) {
            printError("bench needs to know what: kscope bench kernels DIR…, operators or modules");
            return static_cast<int>(kExitInput);
        }
        return checked(*raw, runBenchKernels);
    };
}

}  // namespace kinetoscope
