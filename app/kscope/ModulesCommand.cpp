// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/ModulesArguments.h"
#include "app/kscope/Terminal.h"
#include "core/bench/operators/InputParser.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kFooter =
    R"(Without FILE the recurrent and convolutional modules of PyTorch's fastrnns run, forward and backward
apart. A FILE is TorchScript (.pt) or an AOTInductor package (.pt2); a package holds machine code: run
only those that you trust. Times are milliseconds on every device.

Examples
  kscope bench modules --group rnns --rnns aten jit --nloops 20
  kscope bench modules --print-json pep
  kscope bench modules mlp.pt --input 'T([64, 256], f32)')";

/// What the options write into, before it is checked.
struct Raw {
    ModulesArguments arguments;
    bool json = false;
    bool csv = false;
    bool markdown = false;
    bool noKeep = false;
};

void declareSizes(CLI::App& app, ModulesArguments& arguments) {
    const auto size = [&](const char* name, std::int64_t& value, const char* help, int least) {
        app.add_option(name, value, help)->check(CLI::Range(least, 1000000000));
    };
    size("--seqLength", arguments.seqLength, "Steps of a sequence (default: 100)", 1);
    size("--numLayers", arguments.numLayers, "Layers (default: 1)", 1);
    size("--inputSize", arguments.inputSize, "Values per step (default: 512)", 1);
    size("--hiddenSize", arguments.hiddenSize, "Values of the hidden state (default: 512)", 1);
    size("--miniBatch", arguments.miniBatch, "Sequences at a time (default: 64)", 1);
    size("--images", arguments.images, "Images at a time for the ResNets (default: 32)", 1);
    size("--warmup", arguments.warmup, "Loops before measuring (default: 10)", 0);
    size("--nloops", arguments.nloops, "Loops measured (default: 100)", 1);
}

void declareRunners(CLI::App& app, ModulesArguments& arguments) {
    app.add_flag("--variable-lstms,--variable_lstms", arguments.variableLstms,
                 "Also sequences of different lengths; slow, and --seqLength is ignored");
    app.add_option("--rnns", arguments.rnns,
                   "cudnn, aten, jit, jit_premul, jit_premul_bias, jit_simple, jit_multilayer, py")
        ->expected(0, -1);
    app.add_option("--cnns", arguments.cnns, "resnet18, resnet18_jit, resnet50, resnet50_jit")
        ->expected(0, -1);
    app.add_option("--group", arguments.groups, "cnns, rnns (default: both)")->expected(0, -1);
    app.add_option("--fuser", arguments.fuser, "te, old, none or default (default: te)");
    app.add_option("--executor", arguments.executor, "legacy, simple, profiling or default");
    app.add_option("--cuda-pointwise-loop-level,--cuda_pointwise_loop_level", arguments.loopLevel,
                   "Loop levels of fused pointwise kernels");
    app.add_option("--cuda-pointwise-block-count,--cuda_pointwise_block_count",
                   arguments.blockCount, "Blocks of fused pointwise kernels");
    app.add_option("--cuda-pointwise-block-size,--cuda_pointwise_block_size", arguments.blockSize,
                   "Threads per block of fused pointwise kernels");
}

void declareProfile(CLI::App& app, ModulesArguments& arguments) {
    app.add_flag("--profile", arguments.profile,
                 "Also record runs and report on the trace; needs one runner or a FILE");
    app.add_option("--runs", arguments.runs, "Recorded runs (default: 1)")
        ->check(CLI::Range(1, 1000000));
    app.add_option("--trace-folder", arguments.traceFolder, "Where the trace goes (default: .)");
    app.add_option("--trace-name", arguments.traceName,
                   "Its name without .json (default: tmp_chrome_trace)");
}

std::string unknownOf(const std::vector<std::string>& given, const std::vector<std::string>& known,
                      const char* option) {
    for (const std::string& name : given) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            return fmt::format("unknown {} '{}'; there are {}", option, name,
                               fmt::join(known, ", "));
        }
    }
    return {};
}

std::string problemOfInputs(const ModulesArguments& arguments) {
    for (const std::string& input : arguments.inputs) {
        const bench::operators::ValueOrProblem parsed = bench::operators::parseInputValue(input);
        if (parsed.problem) {
            return fmt::format("--input, column {}: {}", parsed.problem->column,
                               parsed.problem->message);
        }
        if (!std::holds_alternative<bench::operators::TensorInput>(parsed.value.data)) {
            return "--input takes a tensor such as T([32, 256], f32)";
        }
    }
    for (const std::string& file : arguments.files) {
        if (!file.ends_with(".pt") && !file.ends_with(".pt2")) {
            return file + ": neither a TorchScript file (.pt) nor an AOTInductor package (.pt2)";
        }
    }
    return arguments.files.empty() && !arguments.inputs.empty() ? "--input goes with a FILE" : "";
}

std::string problemOf(const Raw& raw) {
    const ModulesArguments& arguments = raw.arguments;
    const ModulesArguments all;
    if (raw.json + raw.csv + raw.markdown + arguments.stream + !arguments.printJson.empty() > 1) {
        return "--json, --csv, --markdown, --stream and --print-json exclude each other";
    }
    for (const std::string& problem :
         {problemOfInputs(arguments), unknownOf(arguments.rnns, all.rnns, "--rnns"),
          unknownOf(arguments.cnns, all.cnns, "--cnns"),
          unknownOf(arguments.groups, all.groups, "--group"),
          unknownOf({arguments.fuser}, {"te", "old", "none", "default"}, "--fuser"),
          unknownOf({arguments.executor}, {"", "legacy", "simple", "profiling", "default"},
                    "--executor"),
          unknownOf({arguments.printJson}, {"", "oss", "pep"}, "--print-json")}) {
        if (!problem.empty()) {
            return problem;
        }
    }
    return {};
}

int checked(Raw& raw, const std::string& command) {
    // An option without a value means none of them; the parser gives an empty one.
    for (auto* names : {&raw.arguments.groups, &raw.arguments.rnns, &raw.arguments.cnns}) {
        std::erase(*names, "");
    }
    if (const std::string problem = problemOf(raw); !problem.empty()) {
        printError(problem);
        return kExitInput;
    }
    raw.arguments.command = command;
    raw.arguments.keep = !raw.noKeep;
    raw.arguments.format = raw.json       ? BenchFormat::Json
                           : raw.csv      ? BenchFormat::Csv
                           : raw.markdown ? BenchFormat::Markdown
                                          : BenchFormat::Text;
    return runBenchModules(raw.arguments);
}

}  // namespace

std::function<int(const std::string&)> declareBenchModules(CLI::App& app) {
    auto raw = std::make_shared<Raw>();
    ModulesArguments& arguments = raw->arguments;
    app.add_option("FILE", arguments.files, "TorchScript files and AOTInductor packages");
    app.add_option("--input", arguments.inputs,
                   "An input of FILE, once for each, such as T([32, 256], f32)")
        ->expected(1)
        ->take_all();
    declareSizes(app, arguments);
    declareRunners(app, arguments);
    declareProfile(app, arguments);
    app.add_option("--device", arguments.device, "cpu or cuda (default: cuda where there is one)");
    app.add_option("--seed", arguments.seed, "Of weights and inputs (default: 17)");
    app.add_option("--sep", arguments.sep, "Between the columns of the table (default: a blank)");
    CLI::Option* printJson =
        app.add_option("--print-json", arguments.printJson,
                       "oss or pep: fastrnns' JSON instead of its table (default: oss)")
            ->expected(0, 1);
    app.add_flag("--json", raw->json, "The whole result as JSON, every loop in it");
    app.add_flag("--csv", raw->csv, "One row per runner and direction as CSV");
    app.add_flag("--markdown", raw->markdown, "The table as Markdown");
    app.add_flag("--stream", arguments.stream,
                 "Each runner as a line of JSON as soon as it is measured");
    app.add_option("-o,--output", arguments.output, "Write to this file");
    app.add_flag("--no-keep", raw->noKeep, "Don't keep the result for kscope results");
    app.footer(kFooter);
    return [raw, printJson](const std::string& command) {
        if (printJson->count() > 0 && raw->arguments.printJson.empty()) {
            raw->arguments.printJson = "oss";
        }
        return checked(*raw, command);
    };
}

}  // namespace kinetoscope::app
