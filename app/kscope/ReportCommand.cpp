// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/Options.h"
#include "app/kscope/ReportArguments.h"
#include "app/kscope/Terminal.h"

namespace kinetoscope::app {

namespace {

struct UnparsedReport {
    ReportArguments arguments;
    std::string figure;
    CLI::Option* explainOption = nullptr;
    CLI::Option* windowOption = nullptr;
    CLI::Option* groupOption = nullptr;
    CLI::Option* gapsOption = nullptr;
    CLI::Option* runsOption = nullptr;
    CLI::Option* nameOption = nullptr;
    CLI::Option* achievedOption = nullptr;
    CLI::Option* roofOption = nullptr;
    CLI::Option* ncuOption = nullptr;
    FormatOptions formats;
};

constexpr const char* kReportFooter =
    R"(FILE is a torch.profiler or Chrome trace, plain or compressed with gzip or zstd, a recording, or a
file of another tool (docs/formats.md); - is standard input.

WINDOW is one of
  gpu         from each GPU's first operation to its last
  trace       from the first event to the last
  step:N      step N, up to the end of the GPU work it launched
  START..END  relative to the first event, in ns, us, ms or s: 1.5ms..20ms

GROUP is inductor, family, operator or stream. The default is inductor if the trace has Inductor
kernels (triton_*), otherwise family.

--folded prints one line per stack, with all threads merged, as flamegraph.pl and speedscope read
them: "outer;inner NANOSECONDS", where the time is self time. cpu: time of CPU slices in the window;
gpu: time of GPU operations that start in it, under the frames that launched them. In names, ";"
becomes ":" and control characters are escaped like \n.

Examples
  kscope report trace.json.gz
  kscope report --window step:3 --group family trace.json
  kscope report --json rank*.json -o report.json
  ssh host cat trace.json.gz | kscope report -
  kscope report --roofline --by shape trace.json
  kscope report --folded gpu --frames operators trace.json | flamegraph.pl > gpu.svg
  kscope report --compat --wall-ms 0.327 --runs 100 trace.json

Exit code: 0 success (skipped events give a warning), 1 the output could not be written,
2 wrong options or unreadable files.)";

void declareOutput(CLI::App& app, UnparsedReport& written) {
    const char* group = "Output";
    ReportArguments& arguments = written.arguments;
    written.formats =
        addFormats(app, arguments.format, "Print every figure as JSON; an array for several files",
                   "Print the table of kernels, operators or the roofline as CSV",
                   "Print Markdown, for a pull request");
    for (CLI::Option* format :
         {written.formats.json, written.formats.csv, written.formats.markdown}) {
        format->group(group);
    }
    app.add_flag("--figures", arguments.figures, "With --csv: the figures of each GPU instead")
        ->needs(written.formats.csv)
        ->group(group);
    app.add_option("-o,--output", arguments.output,
                   "Write to FILE instead of standard output (atomically)")
        ->type_name("FILE")
        ->group(group);
    app.add_option("--top", arguments.top,
                   "Number of kernels; 0: all (default: 20; all in JSON and CSV)")
        ->type_name("N")
        ->check(notNegative())
        ->group(group);
    app.add_flag("--full-names", arguments.fullNames,
                 "Print kernel names in full, whatever the width")
        ->group(group);
    app.add_flag("--timing", arguments.timing, "Print the time of each phase to standard error")
        ->group(group);
}

void declareAnalysis(CLI::App& app, UnparsedReport& written) {
    const char* group = "Analysis";
    report::ReportOptions& options = written.arguments.report;
    written.windowOption =
        declareWindow(app, options.window, "Time window of all figures, see below (default: gpu)")
            ->group(group);
    written.groupOption =
        addChoice<analysis::GroupBy>(app, "--group", options.group,
                                     {{"inductor", analysis::GroupBy::Inductor},
                                      {"family", analysis::GroupBy::Family},
                                      {"operator", analysis::GroupBy::Operator},
                                      {"stream", analysis::GroupBy::Stream}},
                                     "Group the category table by this, see below")
            ->type_name("GROUP")
            ->group(group);
    written.gapsOption = app.add_option("--gaps", options.gaps,
                                        "List the N longest idle gaps of each GPU, with reasons")
                             ->type_name("N")
                             ->check(notNegative())
                             ->group(group);
    app.add_option("--execution-trace", written.arguments.execution,
                   "Take operator inputs from PyTorch's execution trace of the same run")
        ->type_name("FILE")
        ->group(group);
    written.ncuOption =
        app.add_option("--ncu", written.arguments.ncu,
                       "Add Nsight Compute's counters to kernels: CSV of ncu --csv --page raw")
            ->type_name("CSV")
            ->group(group);
    written.explainOption =
        app.add_option("--explain", written.figure,
                       "Print the definition of FIGURE, or of all; needs no file")
            ->expected(0, 1)
            ->type_name("[FIGURE]")
            ->group(group);
}

CLI::Option* declareRoofline(CLI::App& app, UnparsedReport& written) {
    const char* group = "Distance from the roof";
    std::optional<model::RooflineBy>& by = written.arguments.roofline;
    CLI::Option* roofline =
        app.add_flag_callback(
               "--roofline", [&by] { by = by.value_or(model::RooflineBy::Operator); },
               "Achieved TFLOP/s and GB/s against what the GPU can do")
            ->group(group);
    addChoice<model::RooflineBy>(app, "--by", by,
                                 {{"operator", model::RooflineBy::Operator},
                                  {"shape", model::RooflineBy::Shape},
                                  {"kernel", model::RooflineBy::Kernel},
                                  {"module", model::RooflineBy::Module}},
                                 "With --roofline: rows by operator, shape, kernel or module")
        ->needs(roofline)
        ->type_name("ROWS")
        ->group(group);
    written.achievedOption =
        app.add_flag("--achieved", written.arguments.achieved,
                     "TFLOP/s, GB/s and % of roof of kernels; with --operators of operators")
            ->group(group);
    written.roofOption =
        addChoice<bool>(app, "--roof", written.arguments.measuredRoof,
                        {{"table", false}, {"measured", true}},
                        "Roof: table (data sheet, default) or measured (kscope bench roof)")
            ->type_name("ROOF")
            ->group(group);
    return roofline;
}

CLI::Option* declareFolded(CLI::App& app, UnparsedReport& written) {
    const char* group = "Call stacks";
    ReportArguments& arguments = written.arguments;
    const auto take = [&arguments](const std::string& word) {
        arguments.folded = word == "gpu" ? calltree::Weight::GpuTime : calltree::Weight::CpuTime;
    };
    CLI::Option* folded =
        app.add_option_function<std::string>("--folded", take,
                                             "Print folded stacks of cpu or gpu time, see below")
            ->check(oneOf({"cpu", "gpu"}))
            ->type_name("TIME")
            ->group(group);
    addChoice<calltree::Frames>(app, "--frames", arguments.frames,
                                {{"all", calltree::Frames::All},
                                 {"operators", calltree::Frames::Operators},
                                 {"python", calltree::Frames::Python},
                                 {"modules", calltree::Frames::Modules},
                                 {"annotations", calltree::Frames::Annotations}},
                                "With --folded: all, operators, python, modules, annotations")
        ->needs(folded)
        ->type_name("KIND")
        ->group(group);
    return folded;
}

void declareCompat(CLI::App& app, UnparsedReport& written) {
    const char* group = "Compatibility with PyTorch's scripts";
    ReportArguments& arguments = written.arguments;
    CLI::Option* roofline = declareRoofline(app, written);
    CLI::Option* folded = declareFolded(app, written);
    CLI::Option* compat = app.add_flag("--compat", arguments.compat,
                                       "Print PyTorch's tables and its utilisation line");
    CLI::Option* tabulate = app.add_flag("--tabulate", arguments.tabulate,
                                         "One row per \"Output for tabulate\" line, or trace");
    CLI::Option* operators =
        app.add_flag("--operators", arguments.operators,
                     "Operators by input shape, like key_averages; --top rows (default: 10)");
    const auto& [json, csv, markdown] = written.formats;
    excludeEachOther({compat, tabulate, operators, folded, roofline});
    excludeAll(compat, {csv, markdown});
    excludeAll(tabulate, {markdown});
    for (CLI::Option* option : {written.windowOption, written.groupOption, written.gapsOption}) {
        excludeAll(option, {compat, tabulate});
    }
    excludeAll(folded, {written.groupOption, written.gapsOption});
    excludeAll(written.gapsOption, {csv, markdown});
    excludeAll(written.ncuOption, {compat, tabulate, operators, folded, roofline, csv});
    excludeAll(written.achievedOption, {compat, tabulate, folded, roofline});
    excludeAll(folded, {json, csv, markdown, written.explainOption});
    excludeAll(written.explainOption, {json, csv, markdown, tabulate});
    CLI::Option* wall =
        app.add_option("--wall-ms", arguments.compatOptions.wallMs,
                       "Wall time of one run without the profiler, in ms")
            ->type_name("X")
            ->check(plainNumber(analysis::kMinWallMs, analysis::kMaxWallMs).description(""));
    written.runsOption =
        app.add_option("--runs", arguments.compatOptions.runs, "Runs in the trace (default: 1)")
            ->type_name("N")
            ->check(CLI::Range(std::uint64_t{1}, analysis::kMaxRuns).description(""));
    written.nameOption = app.add_option("--name", arguments.compatOptions.name,
                                        "Benchmark name in the line (default: None)")
                             ->type_name("NAME");
    for (CLI::Option* option :
         {compat, tabulate, operators, wall, written.runsOption, written.nameOption}) {
        option->group(group);
    }
}

// "--explain FILE" means all figures and the file's report.
void separateFigureFromFile(UnparsedReport& written) {
    if (!written.figure.empty() && !isFigure(written.figure) &&
        std::filesystem::exists(written.figure)) {
        written.arguments.files.insert(written.arguments.files.begin(), written.figure);
        written.figure.clear();
    }
}

int runWritten(UnparsedReport& written) {
    ReportArguments& arguments = written.arguments;
    separateFigureFromFile(written);
    if (*written.explainOption) {
        arguments.explain = written.figure;
    }
    arguments.counted = static_cast<bool>(*written.runsOption);
    arguments.named = static_cast<bool>(*written.nameOption);
    if (*written.roofOption && !arguments.roofline && !arguments.achieved) {
        printError("--roof needs --roofline or --achieved; see kscope report --help");
        return kExitInput;
    }
    if (arguments.figures && (arguments.operators || arguments.achieved)) {
        printError("--figures prints figures of each GPU, not kernels or operators");
        return kExitInput;
    }
    if (arguments.files.empty() && !arguments.explain) {
        printError("no trace given; usage: kscope report FILE…");
        return kExitInput;
    }
    if (arguments.folded) {
        return runFolded(arguments);
    }
    return arguments.tabulate ? runTabulate(arguments) : runReport(arguments);
}

}  // namespace

std::function<int()> declareReport(CLI::App& app) {
    auto written = std::make_shared<UnparsedReport>();
    app.add_option("FILE…", written->arguments.files,
                   "torch.profiler or Chrome traces, also compressed; - is standard input");
    app.footer(kReportFooter);
    declareOutput(app, *written);
    declareAnalysis(app, *written);
    declareCompat(app, *written);
    declareThreads(app, written->arguments.threads);
    return [written] { return runWritten(*written); };
}

}  // namespace kinetoscope::app
