// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/Options.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/baseline/StoreOption.h"
#include "core/baseline/BaselineOutput.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kBaselineFooter =
    R"(A baseline has a name and entries over time; an entry is one trace, or several runs of one bench.
The store is a folder that can live on a shared disk, in git (LFS) or in a CI cache: entries are
written atomically and never change, and several machines may save at the same time.

Examples
  kscope baseline save train-step trace.json.gz --label commit=1a2b3c --label machine=node7
  kscope baseline save kernels run1.json run2.json run3.json run4.json run5.json
  kscope check new_trace.json.gz --against train-step --fail-on slower:5 --fail-on step:10
  kscope history train-step

Exit code: 0 success, 1 the store could not be written, 2 wrong options or unreadable files.)";

struct BaselineArguments {
    std::string store;
    std::string name;
    std::optional<std::string> entry;  ///< without: all
    std::vector<std::string> files;
    std::vector<std::string> labels;  ///< "KEY=VALUE"
    OutputFormat format = OutputFormat::Text;
    unsigned threads = 0;  ///< that read; 0: one for each processor
};

std::string checkLabel(const std::string& label) {
    const std::size_t equals = label.find('=');
    return equals == std::string::npos || equals == 0 || equals + 1 == label.size()
               ? "a label is KEY=VALUE, like commit=1a2b3c"
               : std::string();
}

Result<baseline::Facts> labelsOf(const BaselineArguments& arguments) {
    baseline::Facts labels;
    for (const std::string& label : arguments.labels) {
        const std::size_t equals = label.find('=');
        const auto [at, isNew] = labels.emplace(label.substr(0, equals), label.substr(equals + 1));
        if (!isNew) {
            return fail(fmt::format("--label: '{}' has two values", at->first));
        }
    }
    return labels;
}

// An entry never changes.
void warnOfUnsavedLabels(const baseline::BaselineStore& store, const std::string& name,
                         const std::string& id, const baseline::Facts& labels) {
    const auto entry = store.entry(name, id);
    for (const auto& [key, value] : labels) {
        const auto known = entry ? entry->facts.find(key) : labels.end();
        if (entry && (known == entry->facts.end() || known->second != value)) {
            printWarning(
                fmt::format("{}={} is not saved: the entry was there already; remove it to "
                            "save it anew",
                            key, value));
        }
    }
}

int saveBaseline(const BaselineArguments& arguments) {
    const auto labels = labelsOf(arguments);
    if (!labels) {
        return reportError(labels.error());
    }
    if (std::ranges::find(arguments.files, "-") != arguments.files.end()) {
        printError("standard input cannot be saved as a baseline; write it to a file first");
        return kExitInput;
    }
    CommandWatch watch;
    watch.show("reading " + text::printable(arguments.files.front()));
    const auto loaded =
        baseline::loadRuns(arguments.files, {watch.token(), &watch.progress(), arguments.threads});
    if (!loaded) {
        return reportError(loaded.error());
    }
    watch.show("saving");
    const baseline::BaselineStore store = storeAt(arguments.store);
    std::string text;
    for (baseline::LoadedRuns runs : *loaded) {
        runs.entry.facts["kscope"] = KINETOSCOPE_VERSION;
        for (const auto& [key, value] : *labels) {
            runs.entry.facts[key] = value;
        }
        const auto saved = store.save(arguments.name, runs);
        if (!saved) {
            return reportError(saved.error());
        }
        if (!saved->isNew) {
            warnOfUnsavedLabels(store, arguments.name, saved->id, *labels);
        }
        text += fmt::format("{} {}{}\n", arguments.name, saved->id,
                            saved->isNew ? "" : " (was there already)");
    }
    const auto done = printOut(text);
    return done ? kExitGood : reportError(done.error());
}

int listBaselines(const BaselineArguments& arguments) {
    const baseline::BaselineStore store = storeAt(arguments.store);
    const auto names = store.names();
    if (!names) {
        return reportError(names.error());
    }
    std::vector<baseline::Entry> latest;
    std::vector<std::size_t> counts;
    for (const std::string& name : *names) {
        auto entries = store.entries(name);
        if (!entries) {
            printWarning(entries.error().message);
            continue;
        }
        for (const std::string& problem : entries->problems) {
            printWarning(problem);
        }
        counts.push_back(entries->entries.size());
        latest.push_back(std::move(entries->entries.back()));
    }
    return writeOutput(
        {}, baseline::listOutput(latest, counts, arguments.format, textStyle(false, false)));
}

int showBaseline(const BaselineArguments& arguments) {
    const auto entries = storeAt(arguments.store).entries(arguments.name);
    if (!entries) {
        return reportError(entries.error());
    }
    for (const std::string& problem : entries->problems) {
        printWarning(problem);
    }
    return writeOutput(
        {}, baseline::entriesOutput(entries->entries, arguments.format, textStyle(false, false)));
}

int removeEntries(const BaselineArguments& arguments) {
    const baseline::BaselineStore store = storeAt(arguments.store);
    const auto done = arguments.entry ? store.remove(arguments.name, *arguments.entry)
                                      : store.removeAll(arguments.name);
    return done ? kExitGood : reportError(done.error());
}

}  // namespace

std::function<int()> declareBaseline(CLI::App& app) {
    auto arguments = std::make_shared<BaselineArguments>();
    CLI::App* saved = app.add_subcommand("save", "Save a trace, or runs of one bench");
    saved->add_option("NAME", arguments->name, "The baseline")->required();
    saved
        ->add_option("RESULT|TRACE…", arguments->files,
                     "Results (files or saved ones), runs of one bench; or traces")
        ->required();
    saved
        ->add_option("--label", arguments->labels,
                     "What the files do not say: commit=…, machine=…, pytorch=…")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->allow_extra_args(false)
        ->check(CLI::Validator(checkLabel, ""));
    declareThreads(*saved, arguments->threads);
    CLI::App* listed = app.add_subcommand("list", "List the baselines in the store");
    CLI::App* shown = app.add_subcommand("show", "List the entries of a baseline, oldest first");
    shown->add_option("NAME", arguments->name, "The baseline")->required();
    CLI::App* removed = app.add_subcommand("remove", "Remove a baseline, or one of its entries");
    removed->add_option("NAME", arguments->name, "The baseline")->required();
    removed->add_option("ENTRY", arguments->entry,
                        "Start of an entry's id, or last (default: all)");
    for (CLI::App* part : {saved, listed, shown, removed}) {
        declareStore(*part, arguments->store);
    }
    for (CLI::App* part : {listed, shown}) {
        addFormats(*part, arguments->format, "As JSON", nullptr, nullptr);
    }
    app.footer(kBaselineFooter);
    return [saved, listed, shown, removed, arguments] {
        if (saved->parsed()) {
            return saveBaseline(*arguments);
        }
        if (listed->parsed()) {
            return listBaselines(*arguments);
        }
        if (shown->parsed()) {
            return showBaseline(*arguments);
        }
        if (removed->parsed()) {
            return removeEntries(*arguments);
        }
        printError("no subcommand; the subcommands are save, list, show and remove");
        return static_cast<int>(kExitInput);
    };
}

}  // namespace kinetoscope::app
