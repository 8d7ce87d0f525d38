// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "app/kscope/BenchArguments.h"
#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/Conversion.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/Warnings.h"
#include "core/analysis/Compat.h"
#include "core/base/TemporaryFiles.h"
#include "core/bench/plan/ModuleKernels.h"
#include "core/bench/results/JsonFields.h"
#include "core/capture/ChildProcess.h"
#include "core/capture/RecordRun.h"
#include "core/metrics/SourceFolder.h"
#include "core/report/OperatorText.h"
#include "core/text/OutputFile.h"
#include "core/text/Printable.h"

namespace kinetoscope {

extern const std::string_view kModuleDriver;

}  // namespace kinetoscope

namespace kinetoscope::app {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestModule = 64U << 20U;
constexpr std::uint64_t kRuns = 100;  // 10 times 10
constexpr const char* kDriverFile = "module_driver.py";
constexpr const char* kResultFile = "result.json";

std::vector<std::string> driverCommand(const ModuleArguments& arguments,
                                       const TemporaryFolder& work, const char* mode) {
    return {arguments.python, work.file(kDriverFile), arguments.module, work.file(kResultFile),
            mode};
}

// Runs a program to its end and gives its exit code as a shell has it.
Result<int> runToEnd(std::vector<std::string> command) {
    capture::ChildStart start;
    start.program = command.front();
    start.words = std::move(command);
    start.mask = capture::StopSignals::maskBefore();
    pid_t process = -1;
    if (const int error = capture::startChild(start, process); error != 0) {
        return fail(fmt::format("cannot run '{}': {}; --python names another one", start.program,
                                std::strerror(error)));
    }
    const int exitCode = capture::exitCodeOf(capture::waitForChild(process));
    return capture::StopSignals::came() == 0 ? Result<int>(exitCode)
                                             : fail("cancelled", ErrorKind::Cancelled);
}

// Seconds of one run, as the driver wrote them.
Result<double> wallSeconds(const TemporaryFolder& work) {
    const auto text = metrics::readSmallFile(work.file(kResultFile), 1U << 20U);
    const auto json = bench::results::fields::jsonObject(text ? *text : std::string());
    const double wall = json ? bench::results::fields::number(*json, "wall_s") : 0.0;
    if (!(wall > 0.0)) {
        return fail("the module's benchmark gave no wall time", ErrorKind::Output);
    }
    return wall;
}

Result<void> endedWell(const ModuleArguments& arguments, int exitCode) {
    if (exitCode == 0) {
        return {};
    }
    return fail(
        fmt::format("{}: {} ended with exit code {}", arguments.module, arguments.python, exitCode),
        ErrorKind::Output);
}

int runWall(const ModuleArguments& arguments, const TemporaryFolder& work) {
    const auto exitCode = runToEnd(driverCommand(arguments, work, "wall"));
    if (!exitCode) {
        return reportError(exitCode.error());
    }
    if (const auto good = endedWell(arguments, *exitCode); !good) {
        return reportError(good.error());
    }
    const auto wall = wallSeconds(work);
    return wall ? kExitGood : reportError(wall.error());
}

Result<std::vector<std::string>> recordModule(const ModuleArguments& arguments,
                                              const TemporaryFolder& work) {
    const auto injection = capture::findInjectLibrary();
    if (!injection) {
        return tl::unexpected(injection.error());
    }
    std::error_code error;
    capture::RecordRun run;
    run.command = driverCommand(arguments, work, "profile");
    run.options.folder = work.file("captures");
    run.options.control = run.options.folder + "/" + capture::kControlName;
    run.options.paused = true;
    run.injection = *injection;
    run.isOurs = true;
    run.onNote = [](const std::string& text) { printWarning(text); };
    fs::create_directory(run.options.folder, error);
    auto outcome = capture::runRecorded(run);
    if (!outcome) {
        return tl::unexpected(outcome.error());
    }
    if (const auto good = endedWell(arguments, outcome->exitCode); !good) {
        return tl::unexpected(good.error());
    }
    if (outcome->captures.empty()) {
        return fail("nothing was recorded: the module has not started CUDA", ErrorKind::Output);
    }
    return std::move(outcome->captures);
}

// What PyTorch's own main prints for its profile.
Result<std::string> profileText(const ModuleArguments& arguments, const std::string& path,
                                double wallS) {
    CommandWatch watch;
    const auto trace = loadWatched(watch, path);
    if (!trace) {
        return tl::unexpected(trace.error());
    }
    warnOfSkipped(**trace);
    const auto operators = analysis::makeOperatorTable(**trace, watch.token());
    if (!operators) {
        return tl::unexpected(operators.error());
    }
    analysis::CompatOptions options;
    options.wallMs = wallS * 1e3;
    options.runs = kRuns;
    options.name = arguments.bench.name;
    return fmt::format(
        "Profiling result for a compiled module of benchmark {}:\n"
        "Chrome trace for the profile is written to {}\n{}\n{}",
        text::printable(options.name), text::printable(path),
        text::printableLines(report::operatorText(*operators)),
        text::printableLines(analysis::makeCompatReport(**trace, options).text));
}

int runProfile(const ModuleArguments& arguments, const TemporaryFolder& work, std::string& output) {
    std::error_code error;
    const std::string path =
        arguments.trace.empty()
            ? (fs::temp_directory_path(error) / "compiled_module_profile.json").string()
            : arguments.trace;
    const auto captures = recordModule(arguments, work);
    if (!captures) {
        return reportError(captures.error());
    }
    const auto wall = wallSeconds(work);
    if (!wall) {
        return reportError(wall.error());
    }
    if (const int converted = convertCaptures(*captures, path); converted != kExitGood) {
        return converted;
    }
    auto text = profileText(arguments, path, *wall);
    if (!text) {
        return reportError(text.error());
    }
    output = std::move(*text);
    return kExitGood;
}

// All that needs a folder, which is gone afterwards, also when a signal asks us to end.
int runInFolder(const ModuleArguments& arguments, std::string& output) {
    const capture::StopSignals stopping;
    const TemporaryFolder work;
    if (work.path().empty()) {
        return reportError({fmt::format("cannot make a temporary folder: {}", std::strerror(errno)),
                            ErrorKind::Output});
    }
    if (const auto written = text::writeFile(work.file(kDriverFile), kModuleDriver); !written) {
        return reportError(written.error());
    }
    return arguments.task == ModuleTask::Profile ? runProfile(arguments, work, output)
                                                 : runWall(arguments, work);
}

int runKernels(const ModuleArguments& arguments, const std::string& text) {
    BenchArguments bench = arguments.bench;
    if (bench.folders.empty()) {
        bench.folders = bench::plan::moduleCaches(arguments.module, text);
    }
    if (bench.folders.empty()) {
        return reportError(
            {arguments.module + ": no cache of its kernels was found; --cache names it"});
    }
    auto plan = bench::plan::planCaches(bench.folders);
    if (!plan) {
        return reportError(plan.error());
    }
    const auto kernels = bench::plan::findModuleKernels(text, *plan);
    if (!kernels) {
        return reportError({arguments.module + ": " + kernels.error().message});
    }
    if (kernels->missing > 0) {
        printWarning(fmt::format("{} of {} kernels are not in the caches; --cache names others",
                                 kernels->missing, kernels->indices.size()));
    }
    return runBenchPlan(bench, *plan, kernels->indices);
}

}  // namespace

int runBenchModule(const ModuleArguments& arguments) {
    const auto text = metrics::readSmallFile(arguments.module, kLargestModule);
    if (!text) {
        return reportError(text.error());
    }
    if (arguments.task == ModuleTask::Kernels) {
        return runKernels(arguments, *text);
    }
    std::string output;
    if (const int code = runInFolder(arguments, output); code != kExitGood) {
        return code;
    }
    const auto done = printOut(output);
    return done ? kExitGood : reportError(done.error());
}

}  // namespace kinetoscope::app
