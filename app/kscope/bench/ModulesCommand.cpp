// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/Options.h"
#include "app/kscope/ResultOutput.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/TerminalConsole.h"
#include "core/bench/operators/InputParser.h"
#include "core/bench/results/ModuleRunners.h"
#include "core/bench/results/ModuleText.h"
#include "core/bench/workers/ModulesRun.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kModulesFooter =
    R"(Without FILE, times the recurrent and convolutional modules of PyTorch's fastrnns, forward and
backward separately. FILE is TorchScript (.pt) or an AOTInductor package (.pt2). A package contains
machine code: run only packages you trust. Times are in milliseconds on every device.

Examples
  kscope bench modules --group rnns --rnns aten jit --nloops 20
  kscope bench modules --print-json pep
  kscope bench modules mlp.pt --input 'T([64, 256], f32)')";

struct ModulesArguments {
    bench::workers::ModulesRun run;
    OutputFormat format = OutputFormat::Text;
    bool noSave = false;
    std::string output;  ///< empty: standard output
    CLI::Option* printJson = nullptr;
};

void declareSizes(CLI::App& app, bench::workers::ModulesRun& run) {
    const auto size = [&](const char* name, std::int64_t& value, const char* help, int least) {
        app.add_option(name, value, help)->check(CLI::Range(least, 1000000000));
    };
    size("--seqLength", run.seqLength, "Sequence length (default: 100)", 1);
    size("--numLayers", run.numLayers, "Layers (default: 1)", 1);
    size("--inputSize", run.inputSize, "Input size (default: 512)", 1);
    size("--hiddenSize", run.hiddenSize, "Hidden size (default: 512)", 1);
    size("--miniBatch", run.miniBatch, "Batch size (default: 64)", 1);
    size("--images", run.images, "Batch size of the ResNets (default: 32)", 1);
    size("--warmup", run.warmup, "Warm-up loops (default: 10)", 0);
    size("--nloops", run.nloops, "Measured loops (default: 100)", 1);
}

// These names, or none where the option stands alone.
CLI::Validator orNone(std::vector<std::string> names) {
    names.emplace_back();
    return oneOf(std::move(names));
}

// Any may be named behind either option, as there.
std::vector<std::string> allRunners() {
    std::vector<std::string> names;
    const auto add = [&](const auto& more) { names.insert(names.end(), more.begin(), more.end()); };
    add(bench::results::kRnnRunners);
    add(bench::results::kOtherRunners);
    add(bench::results::kVariableRunners);
    add(bench::results::kCnnRunners);
    return names;
}

void declareRunners(CLI::App& app, bench::workers::ModulesRun& run) {
    app.add_flag("--variable-lstms,--variable_lstms", run.variableLstms,
                 "Also sequences of variable length; slow, ignores --seqLength");
    app.add_option("--rnns", run.namedRnns,
                   "Runners of the group rnns: cudnn, aten, jit, jit_premul, jit_premul_bias, "
                   "jit_simple, jit_multilayer, py (default: these); jit_layernorm, "
                   "jit_layernorm_decom, jit_dropout, cudnn_dropout, cudnn_layernorm, vl_cudnn, "
                   "vl_jit, vl_py")
        ->expected(0, -1)
        ->check(orNone(allRunners()));
    app.add_option("--cnns", run.namedCnns,
                   "Runners of the group cnns: resnet18, resnet18_jit, resnet50, resnet50_jit")
        ->expected(0, -1)
        ->check(orNone(allRunners()));
    app.add_option("--group", run.groups, "cnns, rnns (default: both)")
        ->expected(0, -1)
        ->check(orNone(run.groups));
    app.add_option("--fuser", run.fuser, "te, old, none or default (default: te)")
        ->check(oneOf({"te", "old", "none", "default"}));
    app.add_option("--executor", run.executor, "legacy, simple, profiling or default")
        ->check(oneOf({"", "legacy", "simple", "profiling", "default"}));
    app.add_option("--cuda-pointwise-loop-level,--cuda_pointwise_loop_level", run.loopLevel,
                   "Loop levels of fused pointwise kernels");
    app.add_option("--cuda-pointwise-block-count,--cuda_pointwise_block_count", run.blockCount,
                   "Blocks of fused pointwise kernels");
    app.add_option("--cuda-pointwise-block-size,--cuda_pointwise_block_size", run.blockSize,
                   "Threads per block of fused pointwise kernels");
}

void declareProfile(CLI::App& app, bench::workers::ModulesRun& run) {
    app.add_flag("--profile", run.profile,
                 "Also record a trace and report on it; needs one runner or a FILE");
    app.add_option("--runs", run.runs, "Recorded runs (default: 1)")->check(CLI::Range(1, 1000000));
    app.add_option("--trace-folder", run.traceFolder, "Folder of the trace (default: .)");
    app.add_option("--trace-name", run.traceName,
                   "Name of the trace without .json (default: tmp_chrome_trace)");
}

// Of an --input.
std::string problemOfInput(const std::string& input) {
    const auto parsed = bench::operators::parseNamedValue(input);
    return parsed.problem
               ? fmt::format("column {}: {}", parsed.problem->column, parsed.problem->message)
               : "";
}

std::string problemOfFile(const std::string& file) {
    return file.ends_with(".pt") || file.ends_with(".pt2")
               ? ""
               : "'" + file +
                     "': neither a TorchScript file (.pt) nor an AOTInductor package (.pt2)";
}

std::string output(const ModulesArguments& written,
                   const bench::results::ResultDocument& document) {
    if (!written.run.printJson.empty()) {
        const double unit = written.run.compat && document.device == "cpu"
                                ? bench::results::kSecondsUnit
                                : bench::results::kMsUnit;
        return written.run.printJson == "pep" ? bench::results::modulePepJson(document, unit)
                                              : bench::results::moduleOssJson(document, unit);
    }
    return resultOutput(document, written.format, textStyle(!written.output.empty(), false));
}

// Whether all ran and agreed with their reference.
int codeOf(const bench::results::ResultDocument& document) {
    if (const std::size_t count = document.inaccurate(); count > 0) {
        printError(
            fmt::format("outputs or gradients of {} runners differ from their reference", count));
        return kExitOutput;
    }
    if (const std::size_t count = document.failures(); count > 0) {
        printError(fmt::format("{} runners could not run", count));
        return kExitOutput;
    }
    return kExitGood;
}

int runWritten(ModulesArguments& written) {
    bench::workers::ModulesRun& run = written.run;
    // An option without a value means none of them; the parser gives an empty one.
    std::erase(run.groups, "");
    for (auto* names : {&run.namedRnns, &run.namedCnns}) {
        if (*names) {
            std::erase(**names, "");
        }
    }
    if (written.printJson->count() > 0 && run.printJson.empty()) {
        run.printJson = "oss";
    }
    run.save = !written.noSave;
    TerminalConsole console;
    const auto document = bench::workers::runModules(run, console);
    if (!document) {
        return reportError(document.error());
    }
    if (!run.stream) {
        if (const int code = writeOutput(written.output, output(written, *document));
            code != kExitGood) {
            return code;
        }
        bench::workers::reportProfiles(*document, console);
    }
    return run.compat && !run.printJson.empty() ? kExitGood : codeOf(*document);
}

void declareOutput(CLI::App& app, ModulesArguments& written) {
    app.add_option("--sep", written.run.sep, "Column separator of the table (default: a space)");
    written.printJson =
        app.add_option("--print-json", written.run.printJson,
                       "oss or pep: print fastrnns' JSON instead of its table (default: oss)")
            ->expected(0, 1)
            ->check(oneOf({"", "oss", "pep"}));
    app.add_flag("--compat", written.run.compat,
                 "Like fastrnns: CPU times in seconds; a failing runner ends the run");
    const FormatOptions formats =
        addFormats(app, written.format, "Print the whole result as JSON, with every loop",
                   "Print one row per runner and direction as CSV", "Print the table as Markdown");
    CLI::Option* stream =
        app.add_flag("--stream", written.run.stream,
                     "Print each runner as a line of JSON as soon as it is measured");
    excludeAll(stream, {formats.json, formats.csv, formats.markdown, written.printJson});
    excludeAll(written.printJson, {formats.json, formats.csv, formats.markdown});
    app.add_option("-o,--output", written.output, "Write to this file");
    app.add_flag("--no-save,--no-keep", written.noSave, "Do not save the result");
}

}  // namespace

std::function<int()> declareBenchModules(CLI::App& app) {
    auto written = std::make_shared<ModulesArguments>();
    bench::workers::ModulesRun& run = written->run;
    CLI::Option* files =
        app.add_option("FILE", run.files, "TorchScript files and AOTInductor packages")
            ->check(problemOfFile);
    app.add_option("--input", run.inputs,
                   "An input of FILE, repeatable: T([32, 256], f32), 0.5, or scale=0.5")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false)
        ->check(problemOfInput)
        ->needs(files);
    app.add_option("--function", run.function, "Method of FILE (.pt) to run (default: forward)")
        ->needs(files);
    app.add_flag("--no-backward{false}", run.backward,
                 "Forward only; otherwise modules with parameters also run backward");
    declareSizes(app, run);
    declareRunners(app, run);
    declareProfile(app, run);
    app.add_option("--device", run.device, "cpu or cuda (default: cuda if there is a GPU)");
    app.add_option("--seed", run.seed, "Random seed for weights and inputs (default: 17)");
    declareOutput(app, *written);
    app.footer(kModulesFooter);
    return [written] { return runWritten(*written); };
}

}  // namespace kinetoscope::app
