// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/Options.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/Warnings.h"
#include "core/cut/Cut.h"
#include "core/text/Format.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kCutFooter =
    R"(Keeps, unchanged, all events that overlap the window, the GPU work they launched or the calls that
launched them, flows with both ends, and all metadata. FILE may be - for standard input.

Examples
  kscope cut --window step:3 trace.json.gz -o step3.json.gz
  kscope cut --window trace --execution-trace et.json trace.json -o with_shapes.json.gz
  ssh host cat trace.json.gz | kscope cut --window 1s..2s - -o second.json)";

struct CutArguments {
    std::string file;
    std::string window;
    std::string output;
    std::string execution;
    unsigned threads = 0;
};

std::string count(std::uint64_t number) {
    return text::formatCount(static_cast<std::int64_t>(number));
}

// The summary goes to standard error: standard output may be the trace.
void printSummary(const CutArguments& written, const cut::CutSummary& summary) {
    printNote(fmt::format("{}: kept {} of {} events, {}", text::printable(written.output),
                          count(summary.kept), count(summary.events),
                          text::formatBytes(summary.outputBytes)));
    printNote(fmt::format("the same window there: --window {}ns..{}ns",
                          summary.windowInOutput.start, summary.windowInOutput.end));
    if (summary.repaired.events > 0) {
        printWarning(fmt::format(
            "{} of the kept events were not strict JSON and were repaired, the first at byte {}",
            count(summary.repaired.events), summary.repaired.firstOffset));
    }
    if (summary.unrepairable.events > 0) {
        printWarning(fmt::format(
            "{} events of the window were not JSON and were dropped, the first at byte {}",
            count(summary.unrepairable.events), summary.unrepairable.firstOffset));
    }
    if (summary.repairedKeys > 0) {
        printWarning(
            fmt::format("{} values outside the events were not strict JSON and were repaired",
                        count(summary.repairedKeys)));
    }
}

Result<cut::CutSummary> cutWatched(CommandWatch& watch, const trace::Trace& trace,
                                   const analysis::WindowChoice& window,
                                   const std::string& output) {
    watch.show("writing");
    cut::CutOptions options;
    options.window = window;
    options.output = output;
    options.stop = watch.token();
    options.progress = &watch.progress();
    return cut::cutTrace(trace, options);
}

int runCut(const CutArguments& written) {
    if (written.file.empty() || written.window.empty() || written.output.empty()) {
        printError(
            "cut needs a file, a window and an output; usage: kscope cut FILE --window WINDOW -o "
            "OUT.json[.gz]");
        return kExitInput;
    }
    const auto window = analysis::parseWindow(written.window);
    if (!window) {
        return reportError(window.error());
    }
    CommandWatch watch;
    const auto trace = loadWatched(watch, written.file, written.threads, written.execution);
    if (!trace) {
        return reportError(trace.error());
    }
    warnOfSkipped(**trace);
    const auto summary = cutWatched(watch, **trace, *window, written.output);
    if (!summary) {
        return reportError(summary.error());
    }
    printSummary(written, *summary);
    return kExitGood;
}

}  // namespace

std::function<int()> declareCut(CLI::App& app) {
    auto written = std::make_shared<CutArguments>();
    app.add_option("FILE", written->file, "A torch.profiler or Chrome trace, also compressed");
    app.footer(kCutFooter);
    app.add_option("--window", written->window,
                   "gpu, trace, step:N or START..END; see kscope report --help")
        ->type_name("WINDOW");
    app.add_option("-o,--output", written->output,
                   "OutputFile; written atomically, compressed if it ends in .gz")
        ->type_name("OUT");
    app.add_option("--execution-trace", written->execution,
                   "Add operator inputs from PyTorch's execution trace of the run")
        ->type_name("FILE");
    declareThreads(app, written->threads);
    return [written] { return runCut(*written); };
}

}  // namespace kinetoscope::app
