// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/Options.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/baseline/StoreOption.h"
#include "core/baseline/HistoryOutput.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kHistoryFooter =
    R"(Entries that are not comparable with the latest one (another GPU, method, data type) are left out.
At a change point, the runs after it are SLOWER or FASTER than those before it: by the rule of
kscope compare, with runs paired in order, corrected for all points and rows that were tried. It
needs at least five runs on each side.

Examples
  kscope history train-step
  kscope history kernels --of softmax --csv
  kscope history train-step --markdown > history.md

Exit code: 0 success, 1 the output could not be written, 2 wrong options or no such baseline.)";

struct HistoryArguments {
    std::string store;
    std::string name;
    std::string output;
    std::optional<std::size_t> top;  ///< without: the totals
    OutputFormat format = OutputFormat::Text;
    baseline::HistoryOptions options;
};

int runHistory(const HistoryArguments& arguments) {
    CommandWatch watch;
    watch.show("reading the entries");
    baseline::HistoryOptions options = arguments.options;
    options.stop = watch.token();
    const auto history = baseline::loadHistory(storeAt(arguments.store), arguments.name, options);
    if (!history) {
        return reportError(history.error());
    }
    for (const std::string& problem : history->problems) {
        printWarning(problem);
    }
    return writeOutput(
        arguments.output,
        baseline::historyOutput(*history, arguments.format, arguments.top.value_or(history->wholes),
                                textStyle(!arguments.output.empty(), false)));
}

}  // namespace

std::function<int()> declareHistory(CLI::App& app) {
    auto arguments = std::make_shared<HistoryArguments>();
    app.add_option("NAME", arguments->name, "The baseline")->required();
    app.add_option("--of", arguments->options.series,
                   "Only rows whose name contains this: a kernel, an operator")
        ->type_name("TEXT");
    app.add_option("--gpu", arguments->options.gpu,
                   "Entries of the GPU whose name contains this (default: the latest entry's)")
        ->type_name("TEXT");
    app.add_option("--last", arguments->options.last,
                   "Number of latest entries; 0: all (default: 200)")
        ->type_name("N")
        ->check(notNegative());
    app.add_option(
           "--top", arguments->top,
           "Number of rows over time; 0: all (default: the totals, of traces step and kernel time)")
        ->type_name("N")
        ->check(notNegative());
    addFormats(app, arguments->format, "Print everything as JSON", "Print one CSV line per point",
               "Print Markdown, for a page or a pull request");
    app.add_option("-o,--output", arguments->output,
                   "Write to FILE instead of standard output (atomically)")
        ->type_name("FILE");
    declareStore(app, arguments->store);
    app.footer(kHistoryFooter);
    return [arguments] { return runHistory(*arguments); };
}

}  // namespace kinetoscope::app
