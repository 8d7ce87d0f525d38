// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/Options.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/TerminalConsole.h"
#include "core/replay/MeasureRoof.h"
#include "core/replay/RoofSheet.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kRoofFooter =
    R"(Runs copies and triads of 1 MiB to 2 GiB, and square matrix products in fp64, fp32, tf32, bf16,
fp16, fp8 and int8, in libtorch, and reads SM clock and power meanwhile. The best rates are saved
for this GPU; kscope report --roofline --roof measured uses them instead of the data sheet's.

Examples
  kscope bench roof
  kscope bench roof --json -o roof.json)";

struct RoofArguments {
    replay::RoofRequest request;
    OutputFormat format = OutputFormat::Text;
    bool noSave = false;
    std::string output;  ///< empty: standard output
};

std::string outputOf(const RoofArguments& written, const replay::MeasuredRoof& roof) {
    const model::GpuRoof* table = model::GpuTable::builtin().find(roof.device);
    switch (written.format) {
        case OutputFormat::Json:
            return replay::measuredRoofJson(roof);
        case OutputFormat::Csv:
            return replay::roofCsv(roof);
        case OutputFormat::Markdown:
            return bench::results::sheetMarkdown(replay::roofSheet(roof, table));
        case OutputFormat::Text:
            break;
    }
    return bench::results::sheetText(replay::roofSheet(roof, table),
                                     textStyle(!written.output.empty(), false));
}

int runWritten(const RoofArguments& written) {
    TerminalConsole console;
    const auto roof = replay::measureRoof(written.request, console);
    if (!roof) {
        return reportError(roof.error());
    }
    if (!written.noSave) {
        const auto kept = replay::KeptRoofs(replay::KeptRoofs::defaultFolder()).keep(*roof);
        if (!kept) {
            return reportError(kept.error());
        }
        console.note("saved in " + text::printable(*kept));
    }
    return writeOutput(written.output, outputOf(written, *roof));
}

}  // namespace

std::function<int()> declareBenchRoof(CLI::App& app) {
    auto written = std::make_shared<RoofArguments>();
    app.add_option("--device", written->request.device, "cuda, or cuda:1 (default: the first GPU)");
    app.add_option("--measure-ms", written->request.measureMs,
                   "Measuring time of each figure in ms (default: 500)")
        ->check(plainNumber(1.0, 60000.0));
    addFormats(app, written->format, "Print every figure as JSON",
               "Print one row per figure as CSV", "Print the tables as Markdown");
    app.add_option("-o,--output", written->output, "Write to this file");
    app.add_flag("--no-save,--no-keep", written->noSave, "Do not save the roof");
    app.footer(kRoofFooter);
    return [written] { return runWritten(*written); };
}

}  // namespace kinetoscope::app
