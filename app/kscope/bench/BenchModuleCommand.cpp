// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/Conversion.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/TerminalConsole.h"
#include "app/kscope/Warnings.h"
#include "app/kscope/bench/BenchOptions.h"
#include "core/bench/plan/ModuleKernels.h"
#include "core/bench/workers/CompiledModule.h"
#include "core/bench/workers/KernelsRun.h"
#include "core/metrics/SourceFolder.h"
#include "core/report/ModuleProfileText.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kBenchModuleFooter =
    R"(Without -k, -c or -p, prints the wall time of one run in seconds: the median of 10 times 10 runs.
Your Python runs the module as its own main would. With -k or -c the module is only read, not run,
and the default method is do-bench.

Examples
  kscope bench module output_code.py
  kscope bench module -k -c --cache ~/torchinductor_cache output_code.py
  kscope bench module -p -o module.json.gz --name resnet50 output_code.py)";

struct BenchModuleArguments : KernelsOptions {
    std::string module;
    std::string python = "python3";
    bool kernels = false;
    bool profile = false;
    bool table = false;
};

// What PyTorch's own main prints for its profile.
Result<std::string> profileText(const BenchModuleArguments& written, const std::string& path,
                                double wallS) {
    CommandWatch watch;
    const auto trace = loadWatched(watch, path);
    if (!trace) {
        return tl::unexpected(trace.error());
    }
    warnOfSkipped(**trace);
    analysis::CompatOptions options;
    options.wallMs = wallS * 1e3;
    options.runs = bench::workers::kModuleRuns;
    options.name = written.name;
    return report::moduleProfileText(**trace, options, path, watch.token());
}

int runProfile(const BenchModuleArguments& written) {
    std::error_code error;
    const std::string path =
        written.output.empty()
            ? (std::filesystem::temp_directory_path(error) / "compiled_module_profile.json")
                  .string()
            : written.output;
    TerminalConsole console;
    bench::workers::CompiledModule module(written.module, written.python);
    const auto recorded = module.record(path, console);
    if (!recorded) {
        return reportError(recorded.error());
    }
    if (recorded->captures.empty()) {  // without a GPU, PyTorch's profiler wrote it
        const auto done = profileText(written, path, recorded->wallS).and_then(printOut);
        return done ? kExitGood : reportError(done.error());
    }
    if (const int converted = convertCaptures(recorded->captures, path); converted != kExitGood) {
        return converted;
    }
    const auto done = profileText(written, path, recorded->wallS).and_then(printOut);
    return done ? kExitGood : reportError(done.error());
}

int runKernels(BenchModuleArguments& written, const std::string& text) {
    TerminalConsole console;
    const auto found =
        bench::workers::planModule(written.module, text, written.run.folders, console);
    return found ? benchPlan(written, found->plan, found->selected) : reportError(found.error());
}

int runModule(BenchModuleArguments& written) {
    const bool kernels = written.kernels || written.allConfigs;
    const bool shown =
        written.format != OutputFormat::Text || written.compat || written.table || written.plan;
    if (!kernels && shown) {
        printError("--plan, --table, --compat, --json, --csv and --markdown belong to -k and -c");
        return kExitInput;
    }
    written.compat = written.compat || !shown;
    const auto text = metrics::readSmallFile(written.module, bench::workers::kMaxModuleBytes);
    if (!text) {
        return reportError(text.error());
    }
    if (written.name.empty()) {
        written.name = bench::plan::benchmarkName(*text);
    }
    if (kernels) {
        return runKernels(written, *text);
    }
    if (written.profile) {
        return runProfile(written);
    }
    const auto wall = bench::workers::CompiledModule(written.module, written.python).time();
    return wall ? kExitGood : reportError(wall.error());
}

}  // namespace

std::function<int()> declareBenchModule(CLI::App& app) {
    auto written = std::make_shared<BenchModuleArguments>();
    written->name.clear();
    written->run.bench.measure.method = bench::run::BenchMethod::DoBench;  // as PyTorch's own main
    app.add_option("OUTPUT_CODE", written->module, "A module that Inductor compiled")->required();
    CLI::Option* kernels =
        app.add_flag("-k,--benchmark-kernels", written->kernels, "Time each of its kernels");
    CLI::Option* configs = app.add_flag("-c,--benchmark-all-configs", written->allConfigs,
                                        "Time its kernels in all configurations");
    CLI::Option* profile = app.add_flag("-p,--profile", written->profile,
                                        "Profile the module; print its operators and GPU work");
    excludeAll(profile, {kernels, configs});
    app.add_option("--cache", written->run.folders,
                   "Caches of its kernels (default: where the module says)")
        ->expected(1);
    app.add_option("--python", written->python, "Python with PyTorch (default: python3)");
    app.add_flag("--table", written->table, "-k: a table instead of PyTorch's lines");
    declareKernelsOutput(app, *written);
    app.add_option("-o,--output", written->output,
                   "-k: write to this file; -p: the trace, .json or .json.gz");
    declareMeasuring(app, written->run);
    app.footer(kBenchModuleFooter);
    return [written] { return runModule(*written); };
}

}  // namespace kinetoscope::app
