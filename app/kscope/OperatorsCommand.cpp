// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/OperatorArguments.h"
#include "app/kscope/PlainNumber.h"
#include "app/kscope/Terminal.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kFooter =
    R"(Each operator runs in a worker process of its own, on PyTorch's engine without Python. Speedups are
eager time over the implementation's time on the same input; 20, 50 and 80 % quantiles over samples.

Examples
  kscope bench operators --suite huggingface --op all --dtype float16 --max-samples 3
  kscope bench operators --op aten.mm.default --device cpu --accuracy-checking
  kscope bench operators --inp-file mine.txt --plan)";

/// What the options write into, before it is checked.
struct Raw {
    OperatorArguments arguments;
    std::string accuracy;
    std::string nvfuser;
    std::string implementations = "eager,jit,inductor";
    bool json = false;
    bool csv = false;
    bool markdown = false;
    bool compat = false;
    bool noKeep = false;
};

// "--accuracy-checking" alone, or with True or False behind it, as the older script has it.
bool isOn(const CLI::Option* option, std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return option->count() > 0 && text != "false" && text != "0" && text != "no";
}

std::vector<std::string> splitNames(const std::string& text) {
    std::vector<std::string> names{"eager"};
    std::size_t at = 0;
    while (at <= text.size()) {
        const std::size_t stop = std::min(text.find(',', at), text.size());
        const std::string name = text.substr(at, stop - at);
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(name);
        }
        at = stop + 1;
    }
    return names;
}

std::string problemOf(const Raw& raw) {
    const bench::operators::OperatorDocument& document = raw.arguments.document;
    const bool stream = raw.arguments.stream;
    if (raw.json + raw.csv + raw.markdown + raw.compat + stream > 1) {
        return "--json, --csv, --markdown, --compat and --stream exclude each other";
    }
    if (stream && raw.arguments.plan) {
        return "--plan and --stream exclude each other";
    }
    static constexpr const char* kTypes[] = {"float16", "float32", "bfloat16", "recorded"};
    if (std::find(std::begin(kTypes), std::end(kTypes), document.dtype) == std::end(kTypes)) {
        return "unknown --dtype '" + document.dtype +
               "'; it is float16, float32, bfloat16 or recorded";
    }
    for (const std::string& name : document.implementations) {
        if (name != "eager" && name != "jit" && name != "inductor" && name != "nvfuser") {
            return "unknown implementation '" + name + "'; there are eager, jit and inductor";
        }
    }
    return {};
}

int checked(Raw& raw, const CLI::Option* accuracy, const CLI::Option* nvfuser,
            const std::string& command) {
    bench::operators::OperatorDocument& document = raw.arguments.document;
    document.command = command;
    document.accuracyChecking = isOn(accuracy, raw.accuracy);
    document.implementations = splitNames(raw.implementations);
    if (isOn(nvfuser, raw.nvfuser)) {
        document.implementations.emplace_back("nvfuser");
    }
    if (document.accuracyChecking) {
        document.repeats = 1;
    }
    if (document.operatorName.starts_with("torch.ops.")) {
        document.operatorName.erase(0, 10);
    }
    if (const std::string problem = problemOf(raw); !problem.empty()) {
        printError(problem);
        return kExitInput;
    }
    raw.arguments.keep = !raw.noKeep;
    raw.arguments.format = raw.json       ? BenchFormat::Json
                           : raw.csv      ? BenchFormat::Csv
                           : raw.markdown ? BenchFormat::Markdown
                           : raw.compat   ? BenchFormat::Compat
                                          : BenchFormat::Text;
    return runBenchOperators(raw.arguments);
}

void declareInputs(CLI::App& app, Raw& raw) {
    bench::operators::OperatorDocument& document = raw.arguments.document;
    app.add_option("--suite", document.suite,
                   "Recorded inputs: timm, huggingface or torchbench (default: torchbench)");
    app.add_option("--inp-file", document.inputFile, "Inputs of your own instead of a suite");
    app.add_option("--op", document.operatorName,
                   "One overload, such as aten.add.Tensor, or all (default: all)");
    app.add_option("--dtype", document.dtype,
                   "float16, float32, bfloat16 or recorded (default: float32)");
    app.add_option("--max-samples", document.maxSamples, "Samples per operator (default: 15)");
    app.add_option("--start-idx", document.startIndex, "First sample (default: 0)");
    app.add_flag("--channels-last", document.channelsLast,
                 "Tensors of four dimensions with channels last");
    app.add_flag("--shrink", raw.arguments.shrink,
                 "Smaller shapes where they run, for tests; times mean little");
}

}  // namespace

std::function<int(const std::string&)> declareBenchOperators(CLI::App& app) {
    auto raw = std::make_shared<Raw>();
    bench::operators::OperatorDocument& document = raw->arguments.document;
    document.suite = "torchbench";
    document.dtype = "float32";
    document.maxSamples = 15;
    document.repeats = 3;
    document.timeLimitS = 3.0;
    document.seed = 1337;
    declareInputs(app, *raw);
    CLI::Option* accuracy =
        app.add_option("--accuracy-checking", raw->accuracy,
                       "Compare results with eager's; one repeat; exit code 1 when they differ")
            ->expected(0, 1);
    CLI::Option* nvfuser = app.add_option("--measure-nvfuser", raw->nvfuser,
                                          "Also TorchScript in the older script's slot for it")
                               ->expected(0, 1);
    app.add_option("--implementations", raw->implementations,
                   "Beside eager (default: jit,inductor)");
    app.add_option("--repeats", document.repeats, "Turns of all implementations (default: 3)")
        ->check(CLI::Range(1, 1000));
    app.add_option("--device", document.device, "cpu or cuda (default: cuda where there is one)");
    app.add_option("--time-limit", document.timeLimitS, "Seconds per sample at most (default: 3)")
        ->check(plainNumber(0.001, 3600.0));
    app.add_option("--seed", document.seed, "Of the random values (default: 1337)");
    app.add_option("--resume", raw->arguments.resume,
                   "Go on with this interrupted result, or with the last one")
        ->expected(0, 1)
        ->default_str("last");
    app.add_flag("--plan", raw->arguments.plan, "Print what would be run; needs no PyTorch");
    app.add_flag("--compat", raw->compat, "The lines of PyTorch's operatorbench, and its file");
    app.add_flag("--json", raw->json, "The whole result as JSON");
    app.add_flag("--csv", raw->csv, "One row per operator as CSV");
    app.add_flag("--markdown", raw->markdown, "The table as Markdown");
    app.add_flag("--stream", raw->arguments.stream,
                 "Each sample as a line of JSON as soon as it is measured");
    app.add_option("-o,--output", raw->arguments.output, "Write to this file");
    app.add_flag("--no-keep", raw->noKeep, "Don't keep the result for kscope results");
    app.footer(kFooter);
    return
        [raw, accuracy, nvfuser, resume = app.get_option("--resume")](const std::string& command) {
            if (resume->count() > 0 && raw->arguments.resume.empty()) {
                raw->arguments.resume = "last";
            }
            return checked(*raw, accuracy, nvfuser, command);
        };
}

}  // namespace kinetoscope::app
