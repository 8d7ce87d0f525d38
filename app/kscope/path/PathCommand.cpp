// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/CompareArguments.h"
#include "app/kscope/HugeHeap.h"
#include "app/kscope/Options.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "core/path/MakeGraph.h"
#include "core/path/PathText.h"
#include "core/ranks/JobFiles.h"
#include "core/ranks/ReadRank.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kPathFooter =
    R"(The path is traced back from the end of a step, always along the dependency that finished last. Its
parts (kernels by family, communication, copies, CPU by operator, launches, synchronisation, gaps)
sum to the step's length. A trace without steps counts as one step, number 0. DIR holds the ranks of
a job: the path then crosses from rank to rank at collectives.

A what-if scales durations by a factor F and replays the step; several are tried one by one and all
together: kernel:/REGEX/=F, family:NAME=F, operator:/REGEX/=F (its CPU time and the GPU work it
launches), host=F (threads and calls), launch=F (launch calls), comm=F, copy=F, wait=F (waiting
threads), roof (every kernel at its roof).

Examples
  kscope path trace.json.gz
  kscope path --step 5 --what-if 'kernel:/softmax/=0' --what-if host=0 trace.json.gz
  kscope path --json ranks/ -o path.json)";

struct PathArguments {
    std::string path;
    std::optional<std::int64_t> step;
    std::vector<std::string> whatIfs;
    OutputFormat format = OutputFormat::Text;
    std::string output;
    unsigned threads = 0;
};

using Traces = std::vector<std::shared_ptr<const trace::Trace>>;

/// The traces of a job by rank, or the only one.
struct Loaded {
    Traces traces;
    std::vector<path::RankTrace> ranks;
};

Result<Loaded> loadRanks(CommandWatch& watch, const PathArguments& arguments) {
    const auto files = ranks::listJobFiles({arguments.path});
    if (!files) {
        return tl::unexpected(files.error());
    }
    std::map<std::int64_t, std::shared_ptr<const trace::Trace>> byRank;
    for (const std::string& file : *files) {
        const auto trace = loadWatched(watch, file, arguments.threads);
        if (!trace && trace.error().kind == ErrorKind::BadInput) {
            printWarning("not used: " + text::printable(trace.error().message));
            continue;
        }
        if (!trace) {
            return tl::unexpected(trace.error());
        }
        const auto& told = (*trace)->info().distributed;
        const std::int64_t rank = told && told->rank >= 0 ? told->rank : ranks::rankInName(file);
        if ((*trace)->gpuOperations().empty() || rank < 0) {
            printWarning(fmt::format("not used: '{}': {}", text::printable(file),
                                     rank < 0 ? "does not state its rank" : "has no GPU work"));
        } else if (!byRank.emplace(rank, *trace).second) {
            return fail(fmt::format(
                "'{}': is of rank {}, as is another file of the job; give one file per rank",
                text::printable(file), rank));
        }
    }
    if (byRank.empty()) {
        return fail("'" + text::printable(arguments.path) + "': has no rank with GPU work");
    }
    Loaded loaded;
    for (const auto& [rank, trace] : byRank) {
        loaded.ranks.push_back({rank, trace.get()});
        loaded.traces.push_back(trace);
    }
    return loaded;
}

Result<Loaded> loadAll(CommandWatch& watch, const PathArguments& arguments) {
    if (arguments.path != "-" && isJob(arguments.path)) {
        return loadRanks(watch, arguments);
    }
    const auto trace = loadWatched(watch, arguments.path, arguments.threads);
    if (!trace) {
        return tl::unexpected(trace.error());
    }
    return Loaded{{*trace}, {{0, trace->get()}}};
}

// What is wrong with the steps does not name the file yet; what is wrong with the file does.
Error withPath(Error error, const std::string& path) {
    if (error.kind == ErrorKind::BadInput && !error.message.starts_with('\'')) {
        error.message = "'" + text::printable(path) + "': " + error.message;
    }
    return error;
}

int runPath(const PathArguments& arguments) {
    if (arguments.path.empty()) {
        printError("no trace given; usage: kscope path FILE");
        return kExitInput;
    }
    CommandWatch watch;
    path::PathOptions options{.step = arguments.step, .changes = {}, .stop = watch.token()};
    for (const std::string& text : arguments.whatIfs) {
        auto change = path::parseChange(text);
        if (!change) {
            return reportError(change.error());
        }
        options.changes.push_back(std::move(*change));
    }
    useHugeHeap();
    const auto loaded = loadAll(watch, arguments);
    if (!loaded) {
        return reportError(loaded.error());
    }
    watch.show("following dependencies");
    const auto graph = loaded->ranks.size() == 1
                           ? path::makeGraph(*loaded->traces.front(), watch.token())
                           : path::makeJobGraph(loaded->ranks, watch.token());
    if (!graph) {
        return reportError(withPath(graph.error(), arguments.path));
    }
    const auto paths = path::findPaths(*graph, options);
    if (!paths) {
        return reportError(withPath(paths.error(), arguments.path));
    }
    return writeOutput(arguments.output,
                       path::pathOutput(*graph, *paths, arguments.format,
                                        textStyle(!arguments.output.empty(), false)));
}

}  // namespace

std::function<int()> declarePath(CLI::App& app) {
    auto arguments = std::make_shared<PathArguments>();
    app.add_option("FILE", arguments->path,
                   "A trace, a capture, or a folder with the ranks of a job");
    app.footer(kPathFooter);
    app.add_option("--step", arguments->step, "Analyse only this step")->type_name("N");
    app.add_option("--what-if", arguments->whatIfs,
                   "Predict the step's length with this change, e.g. host=0")
        ->type_name("CHANGE")
        ->take_all()
        ->allow_extra_args(false);
    addFormats(app, arguments->format, "Print everything as JSON (kinetoscope.path/1)",
               "Print the parts of the paths as CSV", "Print Markdown, for a report");
    app.add_option("-o,--output", arguments->output,
                   "Write to FILE instead of standard output (atomically)")
        ->type_name("FILE");
    declareThreads(app, arguments->threads);
    return [arguments] { return runPath(*arguments); };
}

}  // namespace kinetoscope::app
