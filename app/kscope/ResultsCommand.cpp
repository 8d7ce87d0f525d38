// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/Options.h"
#include "app/kscope/ResultOutput.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "core/bench/results/ResultStore.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

struct ResultsArguments {
    std::string id = "last";
    std::vector<std::string> ids;
    bool allConfigs = false;
    OutputFormat format = OutputFormat::Json;
    std::string output;
};

int listResults(const bench::results::ResultStore& store) {
    text::TextTable table({{"Result", false, 0},
                           {"Created", false, 2},
                           {"Of", false, 0},
                           {"GPU", false, 1, 12},
                           {"Method", false, 1},
                           {"Entries", true, 1}});
    if (const std::string problem = store.problem(); !problem.empty()) {
        printError(problem);
        return kExitInput;
    }
    for (const bench::results::StoredResult& result : store.list()) {
        if (!result.problem.empty()) {
            printWarning(result.problem);
            continue;
        }
        table.addRow({text::printable(result.id), text::printable(result.created),
                      text::printable(result.kind), text::printable(result.gpu),
                      text::printable(result.method), std::to_string(result.kernels)});
    }
    const std::string text =
        table.empty() ? "no saved results\n" : table.text(textStyle(false, false), 0);
    const auto done = printOut(text);
    return done ? kExitGood : reportError(done.error());
}

int writeResult(const bench::results::ResultStore& store, const ResultsArguments& arguments,
                OutputFormat format) {
    const auto kept = store.loadText(arguments.id);
    if (!kept) {
        return reportError(kept.error());
    }
    const auto result = bench::results::parseResult(kept->text);
    if (!result) {
        return reportError({"result " + kept->id + ": " + result.error().message});
    }
    return writeOutput(arguments.output, resultOutput(*result, format, textStyle(false, false),
                                                      arguments.allConfigs));
}

int removeResults(const bench::results::ResultStore& store, const ResultsArguments& arguments) {
    for (const std::string& id : arguments.ids) {
        if (const auto done = store.remove(id); !done) {
            return reportError(done.error());
        }
    }
    return kExitGood;
}

}  // namespace

std::function<int()> declareResults(CLI::App& app) {
    auto arguments = std::make_shared<ResultsArguments>();
    CLI::App* list = app.add_subcommand("list", "List saved results, oldest first");
    CLI::App* show = app.add_subcommand("show", "Print the table of a result");
    show->add_option("ID", arguments->id, "A result, or the start of its name (default: last)");
    show->add_flag("--all-configs", arguments->allConfigs, "One row per configuration");
    CLI::App* exported = app.add_subcommand("export", "Print a result as JSON, CSV or Markdown");
    exported->add_option("ID", arguments->id, "Result (default: last)");
    addFormats(*exported, arguments->format, nullptr, "CSV instead of JSON",
               "Markdown instead of JSON");
    exported->add_flag("--all-configs", arguments->allConfigs, "One row per configuration");
    exported->add_option("-o,--output", arguments->output, "Write to this file");
    CLI::App* removed = app.add_subcommand("remove", "Remove results");
    removed->add_option("ID", arguments->ids, "Results to remove")->required();
    return [list, show, exported, removed, arguments] {
        const bench::results::ResultStore store(bench::results::ResultStore::defaultFolder());
        if (list->parsed()) {
            return listResults(store);
        }
        if (show->parsed() || exported->parsed()) {
            return writeResult(store, *arguments,
                               show->parsed() ? OutputFormat::Text : arguments->format);
        }
        if (removed->parsed()) {
            return removeResults(store, *arguments);
        }
        printError("no subcommand; the subcommands are list, show, export and remove");
        return static_cast<int>(kExitInput);
    };
}

}  // namespace kinetoscope::app
