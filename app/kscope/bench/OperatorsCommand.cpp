// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/Options.h"
#include "app/kscope/ResultOutput.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/TerminalConsole.h"
#include "app/kscope/bench/FromTrace.h"
#include "core/bench/results/OperatorText.h"
#include "core/bench/workers/OperatorsRun.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kOperatorsFooter =
    R"(Each operator runs in its own worker process, in libtorch without Python. A speedup is the eager
time divided by the implementation's time on the same input; shown are its 20, 50 and 80 %
quantiles.

Examples
  kscope bench operators --suite huggingface --op all --dtype float16 --max-samples 3
  kscope bench operators --op aten.mm.default --device cpu --accuracy-checking
  kscope bench operators --inp-file mine.txt --plan
  kscope bench operators --from trace.json.gz --top 5)";

constexpr std::size_t kRepeats = 8;
constexpr std::size_t kCompatRepeats = 3;  // operatorbench's

struct OperatorsArguments {
    TraceChoice from;
    bench::workers::OperatorsRun run;
    OutputFormat format = OutputFormat::Text;
    bool nvfuser = false;
    std::vector<std::string> implementations{"jit", "inductor"};
    bool plan = false;
    bool noSave = false;
    std::string output;  ///< empty: standard output
    CLI::Option* resumeOption = nullptr;
};

// The baseline first, each once.
std::vector<std::string> implementationsOf(const OperatorsArguments& written) {
    std::vector<std::string> names{bench::results::kBaseline};
    for (const std::string& name : written.implementations) {
        if (!name.empty() && std::ranges::find(names, name) == names.end()) {
            names.push_back(name);
        }
    }
    if (written.nvfuser) {
        names.emplace_back("nvfuser");
    }
    return names;
}

bench::workers::OperatorsRun runOf(const OperatorsArguments& written) {
    bench::workers::OperatorsRun run = written.run;
    run.save = !written.noSave;
    bench::results::OperatorOptions& options = run.document.options;
    options.implementations = implementationsOf(written);
    options.means = run.compat;
    if (options.repeats == 0) {
        options.repeats = run.compat ? kCompatRepeats : kRepeats;
    }
    if (options.accuracyChecking) {
        options.repeats = 1;
    }
    if (options.operatorName.starts_with("torch.ops.")) {
        options.operatorName.erase(0, 10);
    }
    if (written.resumeOption->count() > 0 && run.resume.empty()) {
        run.resume = "last";
    }
    return run;
}

std::string output(const OperatorsArguments& written,
                   const bench::results::ResultDocument& document) {
    const text::TextStyle style = textStyle(!written.output.empty(), false);
    return written.plan && written.format == OutputFormat::Text
               ? bench::results::operatorPlanText(document, style)
               : resultOutput(document, written.format, style);
}

int runWritten(const OperatorsArguments& written) {
    bench::workers::OperatorsRun run = runOf(written);
    if (!written.from.path.empty()) {
        if (const auto taken = takeFromTrace(written.from, run); !taken) {
            return reportError(taken.error());
        }
    }
    TerminalConsole console;
    const auto document = written.plan ? bench::workers::planOperators(run)
                                       : bench::workers::runOperators(run, console);
    if (!document) {
        return reportError(document.error());
    }
    const bool said = run.stream || run.compat;  // it came out as it ran
    const int code =
        said && !written.plan ? kExitGood : writeOutput(written.output, output(written, *document));
    if (const std::size_t count = document->inaccurate(run.compat);
        code == kExitGood && count > 0) {
        printError(fmt::format("{} results differ from eager's", count));
        return kExitOutput;
    }
    return code;
}

void declareInputs(CLI::App& app, bench::workers::OperatorsRun& run) {
    bench::results::OperatorOptions& options = run.document.options;
    app.add_option("--suite", options.suite,
                   "Recorded inputs: timm, huggingface or torchbench (default: torchbench)");
    app.add_option("--inp-file", options.inputFile, "Your own inputs instead of a suite");
    app.add_option("--op", options.operatorName,
                   "Overloads, such as aten.add.Tensor,aten.mm.default, or all (default: all)");
    app.add_option("--dtype", options.dtype,
                   "float16, float32, bfloat16 or recorded (default: float32)")
        ->check(oneOf({"float16", "float32", "bfloat16", "recorded"}));
    app.add_option("--max-samples", options.maxSamples,
                   "Number of samples per operator (default: 15)")
        ->check(notNegative());
    app.add_option("--start-idx", options.startIndex, "Index of the first sample (default: 0)")
        ->check(notNegative());
    app.add_flag("--channels-last", options.channelsLast, "Use channels-last for 4D tensors");
    app.add_flag("--shrink", run.shrink,
                 "Shrink shapes where possible, for tests; times mean little");
}

// Their options in the order in which they exclude each other.
void declareTrace(CLI::App& app, TraceChoice& from) {
    CLI::Option* trace =
        app.add_option("--from", from.path,
                       "Take the inputs from the most expensive operators of this trace")
            ->type_name("TRACE");
    app.add_option("--top", from.top, "With --from: number of operator calls (default: 10)")
        ->needs(trace)
        ->check(CLI::Range(1, 10000));
    app.add_option("--input-shapes", from.shapes,
                   "With --from and --op: only calls of these, as kscope report prints them")
        ->needs(trace);
    app.add_option("--event", from.event,
                   "With --from: only calls like the one whose event is at this byte offset")
        ->needs(trace)
        ->type_name("OFFSET")
        ->excludes(app.get_option("--input-shapes"), app.get_option("--op"));
    for (const char* other : {"--suite", "--inp-file", "--dtype", "--max-samples", "--start-idx",
                              "--channels-last", "--shrink"}) {
        trace->excludes(app.get_option(other));
    }
}

void declareOutput(CLI::App& app, OperatorsArguments& written) {
    CLI::Option* plan =
        app.add_flag("--plan", written.plan, "Print what would be run, and exit; needs no PyTorch");
    CLI::Option* compat =
        app.add_flag("--compat", written.run.compat,
                     "Like PyTorch's operatorbench: its output, means, unchecked results");
    const FormatOptions formats =
        addFormats(app, written.format, "Print the whole result as JSON",
                   "Print one row per operator as CSV", "Print the table as Markdown");
    CLI::Option* stream =
        app.add_flag("--stream", written.run.stream,
                     "Print each sample as a line of JSON as soon as it is measured");
    excludeAll(compat, {formats.json, formats.csv, formats.markdown, stream});
    excludeAll(stream, {formats.json, formats.csv, formats.markdown, plan});
    app.add_option("-o,--output", written.output, "Write to this file");
    app.add_flag("--no-save,--no-keep", written.noSave, "Do not save the result");
}

}  // namespace

std::function<int()> declareBenchOperators(CLI::App& app) {
    auto written = std::make_shared<OperatorsArguments>();
    bench::results::OperatorOptions& options = written->run.document.options;
    options.suite = "torchbench";
    options.dtype = "float32";
    options.maxSamples = 15;
    options.timeLimitS = 3.0;
    options.seed = 1337;
    declareInputs(app, written->run);
    addSwitch(app, "--accuracy-checking", options.accuracyChecking,
              "Compare results with eager's, once; exit code 1 if they differ");
    addSwitch(app, "--measure-nvfuser", written->nvfuser,
              "Also TorchScript in the older script's slot for it");
    app.add_option("--implementations", written->implementations,
                   "What to time besides eager (default: jit,inductor)")
        ->delimiter(',')
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false)
        ->check(oneOf({"", "eager", "jit", "inductor", "nvfuser"}));
    app.add_option("--repeats", options.repeats,
                   "Turns of all implementations, each elsewhere in memory (default: 8)")
        ->check(CLI::Range(1, 1000));
    app.add_option("--device", written->run.document.device,
                   "cpu or cuda (default: cuda if there is a GPU)");
    app.add_option("--time-limit", options.timeLimitS,
                   "Time limit per sample in seconds (default: 3)")
        ->check(plainNumber(0.001, 3600.0));
    app.add_option("--seed", options.seed, "Random seed for the values (default: 1337)");
    written->resumeOption = app.add_option("--resume", written->run.resume,
                                           "Resume this interrupted result (default: the last one)")
                                ->expected(0, 1)
                                ->default_str("last");
    declareTrace(app, written->from);
    app.get_option("--from")->excludes(written->resumeOption);
    declareOutput(app, *written);
    app.get_option("--from")->excludes(app.get_option("--compat"));
    app.footer(kOperatorsFooter);
    return [written] { return runWritten(*written); };
}

}  // namespace kinetoscope::app
