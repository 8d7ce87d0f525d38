// SPDX-License-Identifier: Apache-2.0
#include "app/kscope/bench/BenchOptions.h"

#include "app/kscope/Command.h"
#include "app/kscope/ResultOutput.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/TerminalConsole.h"
#include "core/bench/plan/PlanJson.h"
#include "core/bench/results/KernelText.h"
#include "core/bench/workers/KernelsRun.h"

namespace kinetoscope::app {

namespace {

std::string planOutput(const KernelsOptions& options, const bench::plan::CachePlan& plan) {
    return options.format == OutputFormat::Json
               ? bench::plan::planJson(plan)
               : bench::results::planText(plan, textStyle(!options.output.empty(), false));
}

std::string output(const KernelsOptions& options, const bench::results::ResultDocument& document) {
    const text::TextStyle style = textStyle(!options.output.empty(), false);
    return options.compat ? bench::results::kernelCompat(
                                document, {options.allConfigs, options.name}, style.colour)
                          : resultOutput(document, options.format, style, options.allConfigs);
}

}  // namespace

void declareMeasuring(CLI::App& app, bench::workers::KernelsRun& run) {
    bench::run::MeasureOptions& measure = run.bench.measure;
    app.add_option_function<std::string>(
           "--method",
           [&run](const std::string& name) {
               run.bench.measure.method =
                   bench::run::benchMethod(name).value_or(run.bench.measure.method);
               run.methodChosen = true;
           },
           bench::run::benchMethodNames())
        ->check([](const std::string& name) {
            return bench::run::benchMethod(name)
                       ? std::string()
                       : "unknown method '" + name + "'; the methods are " +
                             bench::run::benchMethodNames();
        });
    app.add_option("--gpu", run.gpu, "Index of the GPU (default: 0)");
    app.add_option("--min-samples", measure.minSamples, "Minimum number of samples (default: 32)")
        ->check(CLI::Range(1, 1000000));
    app.add_option("--time-limit", measure.timeLimitS,
                   "Time limit per configuration in seconds (default: 3)")
        ->check(plainNumber(0.01, 3600.0));
    app.add_option_function<double>(
           "--max-width", [&measure](double percent) { measure.maxWidth = percent / 100.0; },
           "Stop once the median's 95 % interval is below this % (default: 0.5)")
        ->check(plainNumber(0.0, 100.0));
    app.add_option("--placements", measure.placements,
                   "At so many places in memory (default: 8; 1: where it first lies)")
        ->check(CLI::Range(1, 1000));
    app.add_flag("--accuracy", run.bench.accuracy,
                 "Compare the outputs of all configurations with each other");
    app.add_option("--dump", run.bench.dumpFolder,
                   "Write a launch's arguments, before and after, to this folder");
}

KernelsOutputOptions declareKernelsOutput(CLI::App& app, KernelsOptions& options) {
    KernelsOutputOptions declared{};
    declared.plan = app.add_flag("--plan", options.plan,
                                 "Print what would be launched, and exit; needs no GPU");
    app.add_option("--name", options.name, "Benchmark name in PyTorch's lines");
    declared.compat =
        app.add_flag("--compat", options.compat, "Print the lines of PyTorch's kernel benchmark");
    declared.formats =
        addFormats(app, options.format, "Print the whole result as JSON, with every sample",
                   "Print one row per configuration as CSV", "Print the table as Markdown");
    excludeAll(declared.compat,
               {declared.formats.json, declared.formats.csv, declared.formats.markdown});
    excludeAll(declared.plan, {declared.compat, declared.formats.csv, declared.formats.markdown});
    app.add_flag("--no-save,--no-keep", options.noSave, "Do not save the result");
    return declared;
}

int benchPlan(const KernelsOptions& options, const bench::plan::CachePlan& plan,
              const std::vector<std::size_t>& selected) {
    if (options.plan) {
        return writeOutput(options.output,
                           planOutput(options, bench::workers::partOf(plan, selected)));
    }
    bench::workers::KernelsRun run = options.run;
    run.save = !options.noSave;
    TerminalConsole console;
    const auto document = bench::workers::runKernels(run, plan, selected, console);
    if (!document) {
        return reportError(document.error());
    }
    return run.stream ? kExitGood : writeOutput(options.output, output(options, *document));
}

}  // namespace kinetoscope::app
