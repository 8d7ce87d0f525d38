// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/kscope/Command.h"
#include "app/kscope/Conversion.h"
#include "app/kscope/Options.h"
#include "app/kscope/Terminal.h"
#include "core/base/TemporaryFiles.h"
#include "core/capture/KernelFilter.h"
#include "core/capture/RecordRun.h"
#include "core/capture/counters/CounterRecording.h"
#include "core/stream/CaptureFolder.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* kRecordFooter = R"(Levels
  0  whole CUDA graphs, copies          3  + runtime calls, NVTX ranges, CUPTI's overhead
  1  kernels, copies, memsets           4  + driver calls, waits, events, device memory
  2  + the calls that launch kernels

Every process that uses CUDA writes one capture into the folder OUT; kinetoscope and all kscope
commands open that folder. If OUT ends in .json or .json.gz, the captures become one trace in
Kineto's format. The exit code is the program's.

Examples
  kscope record -- python train.py --epochs 1
  kscope record -o step.json.gz --range step_3 -- python train.py
  kscope record --delay 30s --duration 5s -o run -- torchrun --nproc-per-node 8 train.py
  kscope record --send stop -o run)";

struct RecordArguments {
    std::string output;
    int level = capture::kDefaultDetail;
    std::string delay;
    std::string duration;
    std::string maxSize;
    std::string kernel;
    std::string range;
    std::string send;
    std::string counters;
    bool paused = false;
    std::vector<std::string> command;
};

struct Unit {
    std::string_view suffix;
    double factor;
};

// "1.5s" with the given units; the first is the default.
std::optional<double> quantity(std::string_view text, const std::vector<Unit>& units) {
    double value = 0.0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    // "nan" and "inf" are numbers, too.
    if (end.ec != std::errc() || !std::isfinite(value) || value < 0.0) {
        return std::nullopt;
    }
    const std::string_view suffix = text.substr(static_cast<std::size_t>(end.ptr - text.data()));
    for (const Unit& unit : units) {
        if (suffix == unit.suffix || (suffix.empty() && &unit == units.data())) {
            return value * unit.factor;
        }
    }
    return std::nullopt;
}

Result<std::int64_t> milliseconds(const char* option, const std::string& text) {
    if (text.empty()) {
        return 0;
    }
    const auto value = quantity(text, {{"s", 1000.0}, {"ms", 1.0}, {"min", 60'000.0}});
    if (!value || *value > 1e12) {
        return fail(fmt::format("{} '{}' is not a time; write 500ms, 10s or 2min", option, text));
    }
    return static_cast<std::int64_t>(*value);
}

Result<std::uint64_t> bytes(const char* option, const std::string& text) {
    if (text.empty()) {
        return 0;
    }
    constexpr double kMega = 1 << 20;
    const auto value =
        quantity(text, {{"M", kMega}, {"MiB", kMega}, {"G", kMega * 1024}, {"GiB", kMega * 1024}});
    if (!value || *value < 1.0 || *value > 1e18) {
        return fail(fmt::format("{} '{}' is not a size; write 500M or 2G", option, text));
    }
    return static_cast<std::uint64_t>(*value);
}

Result<capture::RecordOptions> checked(const RecordArguments& written) {
    capture::RecordOptions options;
    options.level = written.level;
    const auto delay = milliseconds("--delay", written.delay);
    const auto duration = milliseconds("--duration", written.duration);
    const auto size = bytes("--max-size", written.maxSize);
    if (!delay || !duration) {
        return tl::unexpected(delay ? duration.error() : delay.error());
    }
    if (!size) {
        return tl::unexpected(size.error());
    }
    if (!written.duration.empty() && *duration == 0) {
        return fail(fmt::format("--duration '{}' is shorter than a millisecond", written.duration));
    }
    if (const capture::KernelFilter kernels(written.kernel); !kernels.problem().empty()) {
        return fail(fmt::format("--kernel '{}' is not a regular expression: {}", written.kernel,
                                kernels.problem()));
    }
    options.delayMs = *delay;
    options.durationMs = *duration;
    options.mostBytes = *size;
    options.kernel = written.kernel;
    options.range = written.range;
    options.paused = written.paused;
    return options;
}

// Several recordings may begin in one second.
Result<std::string> makeDefaultFolder() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    std::array<char, 64> text{};
    std::strftime(text.data(), text.size(), "kscope-%Y%m%d-%H%M%S", &local);
    const std::string folder = makeNumberedFolder(text.data());
    if (folder.empty()) {
        return fail(
            fmt::format("'{}': cannot create this folder: {}", text.data(), std::strerror(errno)),
            ErrorKind::Output);
    }
    return fs::absolute(folder).string();
}

bool isJson(const std::string& output) {
    return output.ends_with(".json") || output.ends_with(".json.gz");
}

// The folder of the captures: the requested one, or a temporary one next to the trace.
Result<std::string> makeFolder(const std::string& output) {
    std::error_code error;
    if (!isJson(output)) {
        fs::create_directories(output, error);
        if (error) {
            return fail(fmt::format("'{}': cannot create this folder: {}", output, error.message()),
                        ErrorKind::Output);
        }
        if (!stream::capturesIn(output).empty()) {
            return fail(fmt::format("'{}': holds captures already; name another folder", output));
        }
        return fs::absolute(output).string();
    }
    std::string folder = makeUniqueFolder(fs::absolute(output).string() + ".");
    if (folder.empty()) {
        return fail(
            fmt::format("'{}': cannot write to its folder: {}", output, std::strerror(errno)),
            ErrorKind::Output);
    }
    return folder;
}

void printCaptures(const std::vector<std::string>& captures) {
    for (const std::string& capture : captures) {
        std::error_code error;
        const auto size = fs::file_size(capture, error);
        const std::string near = fs::relative(capture, error).string();
        printNote(fmt::format("recorded {}, {}",
                              text::printable(near.starts_with("..") ? capture : near),
                              text::formatBytes(error ? 0 : size)));
    }
}

// The program has ended well or not; what is left is ours, and its failure is worth a code.
int finishJson(const std::string& output, const std::string& folder,
               const capture::RecordOutcome& outcome) {
    const int converted = convertCaptures(outcome.captures, output);
    if (converted != kExitGood) {
        printWarning("the captures are still in " + folder);
        return outcome.exitCode != 0 ? outcome.exitCode : converted;
    }
    std::error_code error;
    fs::remove_all(folder, error);
    return outcome.exitCode;
}

int runProgram(const RecordArguments& written, const capture::RecordOptions& options,
               const capture::counters::CounterRequest& counters) {
    const auto injection = capture::findInjectLibrary();
    if (!injection) {
        return reportError(injection.error());
    }
    auto folder = written.output.empty() ? makeDefaultFolder() : makeFolder(written.output);
    if (!folder) {
        return reportError(folder.error());
    }
    capture::RecordRun run;
    run.command = written.command;
    run.options = options;
    run.options.folder = *folder;
    run.options.control = *folder + "/" + capture::kControlName;
    const std::string other = capture::otherTool(written.command);
    capture::counters::CounterRecording sampling(
        {counters, run.command, run.options.folder, run.options.control});
    if (other.empty()) {
        run.injection = *injection;
        run.companion = &sampling;
    } else {
        printWarning("not recording: " + other +
                     " is in CUPTI's place; run the program without it to record");
    }
    run.onNote = [](const std::string& text) { printWarning(text); };
    const auto outcome = capture::runRecorded(run);
    std::error_code error;
    if (!outcome) {
        fs::remove(*folder, error);  // only when it is empty
        return reportError(outcome.error());
    }
    if (outcome->captures.empty()) {
        fs::remove(*folder, error);
        if (!other.empty()) {
            return outcome->exitCode;
        }
        const bool later = options.paused || options.delayMs > 0 || !options.range.empty();
        printWarning(later ? "nothing was recorded: no process of the program has started CUDA, or "
                             "the recording was never started"
                           : "nothing was recorded: no process of the program has started CUDA");
        return outcome->exitCode;
    }
    if (isJson(written.output)) {
        return finishJson(written.output, *folder, *outcome);
    }
    printCaptures(outcome->captures);
    return outcome->exitCode;
}

int runRecord(const RecordArguments& written) {
    if (!written.send.empty()) {
        const auto sent = capture::sendControl(written.output, written.send);
        return sent ? static_cast<int>(kExitGood) : reportError(sent.error());
    }
    if (written.command.empty()) {
        printError("no program given; usage: kscope record [OPTIONS] -- PROGRAM [ARGUMENTS]");
        return kExitInput;
    }
    const auto options = checked(written);
    if (!options) {
        return reportError(options.error());
    }
    capture::counters::CounterRequest counters;  // empty: the GPUs' sensors alone
    if (!written.counters.empty()) {
        auto request = capture::counters::parseCounterRequest(written.counters);
        if (!request) {
            return reportError(request.error());
        }
        counters = std::move(*request);
    }
    return runProgram(written, *options, counters);
}

}  // namespace

std::function<int(const std::vector<std::string>&)> declareRecord(CLI::App& app) {
    auto written = std::make_shared<RecordArguments>();
    app.footer(kRecordFooter);
    app.add_option("-o,--output", written->output,
                   "Folder for the captures, or a trace file (.json or .json.gz)")
        ->type_name("OUT");
    app.add_option("--level", written->level, "How much to record, 0 to 4 (default: 3)")
        ->type_name("N")
        ->check(CLI::Range(0, capture::kMaxDetail).description(""));
    app.add_option("--delay", written->delay,
                   "Start recording this long after CUDA starts: 500ms, 10s, 2min")
        ->type_name("TIME");
    app.add_option("--duration", written->duration, "Stop recording after this long")
        ->type_name("TIME");
    app.add_option("--max-size", written->maxSize,
                   "Stop when a capture reaches this size: 500M, 2G")
        ->type_name("SIZE");
    app.add_option("--kernel", written->kernel,
                   "Record only kernels whose name matches this regular expression")
        ->type_name("REGEX");
    app.add_option("--range", written->range,
                   "Record only while an NVTX range of this name is open")
        ->type_name("NAME");
    app.add_option("--counters", written->counters,
                   "Sample GPU counters: dram, sm, tensor, nvlink, pcie; e.g. dram,pcie:20us")
        ->type_name("LIST[:TIME]");
    app.add_flag("--paused", written->paused,
                 "Wait for the program (kinetoscope.h) or --send start before recording");
    app.add_option("--send", written->send,
                   "start or stop the running recording whose folder is -o OUT")
        ->type_name("WORD")
        ->check(oneOf({"start", "stop"}));
    return [written](const std::vector<std::string>& program) {
        written->command = program;
        return runRecord(*written);
    };
}

}  // namespace kinetoscope::app
