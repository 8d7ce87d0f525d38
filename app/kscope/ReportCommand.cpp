// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/PlainNumber.h"
#include "app/kscope/ReportArguments.h"
#include "app/kscope/Terminal.h"

namespace kinetoscope::app {

namespace {

// Options as they are written, before they are checked together.
struct Written {
    std::vector<std::string> files;
    bool json = false;
    bool csv = false;
    bool markdown = false;
    std::string output;
    std::int64_t top = -1;
    std::string window = "gpu";
    std::string group;
    bool figures = false;
    bool fullNames = false;
    bool timing = false;
    std::string figure;
    bool compat = false;
    bool tabulate = false;
    bool operators = false;
    double wallMs = 0.0;
    std::int64_t runs = 1;
    std::string name;
    unsigned threads = 0;
    CLI::Option* groupOption = nullptr;
    CLI::Option* explainOption = nullptr;
    CLI::Option* wallOption = nullptr;
    CLI::Option* nameOption = nullptr;
    CLI::Option* topOption = nullptr;
};

constexpr double kLongestWallMs = 1e12;

constexpr const char* kFooter =
    R"(FILE is a trace of torch.profiler or Chrome, plain or compressed with gzip or zstd, or a recording;
- is standard input, with any of these.

WINDOW is one of
  gpu         from each GPU's first operation to its last
  trace       from the first event to the last
  step:N      step N, to the end of the GPU work that it launched
  START..END  since the first event, with ns, us, ms or s: 1.5ms..20ms

GROUP is inductor, family, operator or stream; without one it is inductor where a kernel of the
trace is Inductor's (triton_*), else family.

Examples
  kscope report trace.json.gz
  kscope report --window step:3 --group family trace.json
  kscope report --json rank*.json -o report.json
  ssh host cat trace.json.gz | kscope report -
  kscope report --compat --wall-ms 0.327 --runs 100 trace.json

Exit code: 0 good (a warning tells of skipped events), 1 the output could not be written,
2 wrong options or unreadable files.)";

Result<std::optional<analysis::GroupBy>> parseGroup(const Written& written) {
    static constexpr std::array<std::pair<std::string_view, analysis::GroupBy>, 4> kGroups{
        {{"inductor", analysis::GroupBy::Inductor},
         {"family", analysis::GroupBy::Family},
         {"operator", analysis::GroupBy::Operator},
         {"stream", analysis::GroupBy::Stream}}};
    if (!*written.groupOption) {
        return std::optional<analysis::GroupBy>();
    }
    for (const auto& [name, group] : kGroups) {
        if (written.group == name) {
            return std::optional(group);
        }
    }
    return fail(fmt::format(
        "--group {} is not known; it is one of inductor, family, operator, stream", written.group));
}

Result<ReportFormat> parseFormat(const Written& written) {
    if (written.json + written.csv + written.markdown > 1) {
        return fail("--json, --csv and --markdown exclude each other; give one of them");
    }
    const ReportFormat format = written.json       ? ReportFormat::Json
                                : written.csv      ? ReportFormat::Csv
                                : written.markdown ? ReportFormat::Markdown
                                                   : ReportFormat::Text;
    if (written.compat && (written.csv || written.markdown)) {
        return fail("--compat prints text or, with --json, JSON; leave out --csv and --markdown");
    }
    if (written.operators && format != ReportFormat::Text) {
        return fail("--operators prints text; leave out the options for other output");
    }
    if (written.tabulate && written.markdown) {
        return fail("--tabulate prints text, CSV or JSON; leave out --markdown");
    }
    if (*written.explainOption && (format != ReportFormat::Text || written.tabulate)) {
        return fail("--explain prints text; leave out the options for other output");
    }
    return format;
}

Result<void> checkNumbers(const Written& written) {
    if (*written.wallOption && !(written.wallMs > 0 && std::isfinite(written.wallMs))) {
        return fail("--wall-ms needs a number of milliseconds above 0");
    }
    if (written.runs < 1) {
        return fail("--runs needs a number of at least 1");
    }
    if (*written.topOption && written.top < 0) {
        return fail("--top needs a number of kernels, 0 for all");
    }
    if (written.compat + written.tabulate + written.operators > 1) {
        return fail("--compat, --tabulate and --operators exclude each other; give one of them");
    }
    return {};
}

Result<ReportArguments> checked(const Written& written) {
    ReportArguments arguments;
    if (auto numbers = checkNumbers(written); !numbers) {
        return tl::unexpected(numbers.error());
    }
    const auto format = parseFormat(written);
    const auto group = parseGroup(written);
    auto window = analysis::parseWindow(written.window);
    if (!format || !group || !window) {
        return tl::unexpected(!format ? format.error() : !group ? group.error() : window.error());
    }
    arguments.files = written.files;
    arguments.format = *format;
    arguments.output = written.output;
    arguments.fullNames = written.fullNames;
    arguments.figures = written.figures;
    arguments.timing = written.timing;
    arguments.threads = written.threads;
    arguments.compat = written.compat;
    arguments.tabulate = written.tabulate;
    arguments.operators = written.operators;
    arguments.report = {*window, *group};
    arguments.compatOptions.runs = static_cast<std::uint64_t>(written.runs);
    if (*written.topOption) {
        arguments.top = static_cast<std::size_t>(written.top);
    }
    if (*written.wallOption) {
        arguments.compatOptions.wallMs = written.wallMs;
    }
    if (*written.explainOption) {
        arguments.explain = written.figure;
    }
    if (*written.nameOption) {
        arguments.compatOptions.name = written.name;
        arguments.named = true;
    }
    return arguments;
}

void declareOutput(CLI::App& app, Written& written) {
    app.add_flag("--json", written.json, "Every figure as JSON; an array for several files")
        ->group("Output");
    auto* csv = app.add_flag("--csv", written.csv, "The kernel table as CSV")->group("Output");
    app.add_flag("--figures", written.figures, "With --csv: the figures of each GPU instead")
        ->needs(csv)
        ->group("Output");
    app.add_flag("--markdown", written.markdown, "Markdown, for a pull request")->group("Output");
    app.add_option("-o,--output", written.output, "Write to FILE, whole or not at all")
        ->type_name("FILE")
        ->group("Output");
    written.topOption = app.add_option("--top", written.top,
                                       "Kernels shown; 0: all (default: 20, in JSON and CSV all)")
                            ->type_name("N")
                            ->group("Output");
    app.add_flag("--full-names", written.fullNames, "Kernel names whole, whatever the width")
        ->group("Output");
    app.add_flag("--timing", written.timing, "Print the time of each phase on standard error")
        ->group("Output");
}

void declareAnalysis(CLI::App& app, Written& written) {
    app.add_option("--window", written.window,
                   "Time the figures are about, see below (default: gpu)")
        ->type_name("WINDOW")
        ->group("Analysis");
    written.groupOption =
        app.add_option("--group", written.group,
                       "Category table by inductor, family, operator or stream, see below")
            ->type_name("GROUP")
            ->group("Analysis");
    written.explainOption =
        app.add_option("--explain", written.figure, "Define FIGURE, or all of them; needs no file")
            ->expected(0, 1)
            ->type_name("[FIGURE]")
            ->group("Analysis");
}

void declareCompat(CLI::App& app, Written& written) {
    const char* group = "Comparing with PyTorch's own figures";
    app.add_flag("--compat", written.compat, "Print the tables and the line that PyTorch prints")
        ->group(group);
    app.add_flag("--tabulate", written.tabulate,
                 "One row per \"Output for tabulate\" line, or trace")
        ->group(group);
    app.add_flag("--operators", written.operators,
                 "Operators by input shape, like key_averages; --top rows (default: 10)")
        ->group(group);
    written.wallOption =
        app.add_option("--wall-ms", written.wallMs, "Milliseconds of one run without a profiler")
            ->type_name("X")
            ->check(plainNumber(0.0, kLongestWallMs).description(""))
            ->group(group);
    app.add_option("--runs", written.runs, "Runs in the trace (default: 1)")
        ->type_name("N")
        ->group(group);
    written.nameOption =
        app.add_option("--name", written.name, "Benchmark name in the line (default: None)")
            ->type_name("NAME")
            ->group(group);
}

// "--explain FILE" means all figures and the file's report.
void separateFigureFromFile(Written& written) {
    if (!written.figure.empty() && !isFigure(written.figure) &&
        std::filesystem::exists(written.figure)) {
        written.files.insert(written.files.begin(), written.figure);
        written.figure.clear();
    }
}

int runWritten(Written& written) {
    separateFigureFromFile(written);
    const auto arguments = checked(written);
    if (!arguments) {
        return reportError(arguments.error());
    }
    if (written.files.empty() && !arguments->explain) {
        printError("no file; kscope report FILE… reads traces of torch.profiler");
        return kExitInput;
    }
    return arguments->tabulate ? runTabulate(*arguments) : runReport(*arguments);
}

}  // namespace

std::function<int()> declareReport(CLI::App& app) {
    auto written = std::make_shared<Written>();
    app.add_option("FILE…", written->files,
                   "Traces of torch.profiler or Chrome, also compressed; - is standard input");
    app.footer(kFooter);
    declareOutput(app, *written);
    declareAnalysis(app, *written);
    declareCompat(app, *written);
    declareThreads(app, written->threads);
    return [written] { return runWritten(*written); };
}

}  // namespace kinetoscope::app
