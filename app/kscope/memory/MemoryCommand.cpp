// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/HugeHeap.h"
#include "app/kscope/Options.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "core/base/Threads.h"
#include "core/memory/MemoryText.h"
#include "core/memory/ReadSnapshot.h"
#include "core/memory/TraceHistory.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kMemoryFooter =
    R"(FILE is a snapshot (torch.cuda.memory._dump_snapshot; the pickle is parsed, never executed) or a
trace with [memory] events (profile_memory=True). Two files are compared by what each allocation
site holds at their ends.

Sizes in a snapshot are those of the allocator's blocks, as torch.cuda.memory_allocated() counts
them. "Never freed" is what was allocated during the recording and is still live at its end, largest
first.

Examples
  kscope memory snapshot.pickle
  kscope memory --json trace.json.gz
  kscope memory step100.pickle step200.pickle)";

struct MemoryArguments {
    std::vector<std::string> paths;
    OutputFormat format = OutputFormat::Text;
    std::string output;
    unsigned threads = 0;
    std::size_t rows = 20;
};

Result<memory::MemoryReport> load(CommandWatch& watch, const std::string& path, unsigned threads) {
    watch.show("reading " + path);
    if (path != "-" && memory::isSnapshotFile(path)) {
        auto history = memory::readSnapshot(path, watch.token());
        return history ? guarded([&]() -> Result<memory::MemoryReport> {
            return memory::reportOf(std::move(*history));
        })
                       : tl::unexpected(history.error());
    }
    const auto trace = loadWatched(watch, path, threads);
    if (!trace) {
        return tl::unexpected(trace.error());
    }
    auto history = memory::historyOf(**trace, watch.token());
    return history ? guarded([&]() -> Result<memory::MemoryReport> {
        return memory::reportOf(std::move(*history));
    })
                   : tl::unexpected(history.error());
}

std::string textOf(const memory::MemoryReport& report, const MemoryArguments& arguments) {
    switch (arguments.format) {
        case OutputFormat::Json:
            return memory::memoryJson(report);
        case OutputFormat::Csv:
            return memory::memoryCsv(report);
        case OutputFormat::Markdown:
            return memory::memoryMarkdown(report, arguments.rows);
        case OutputFormat::Text:
            break;
    }
    return memory::memoryText(report, textStyle(!arguments.output.empty(), false), arguments.rows);
}

std::string textOf(const memory::MemoryComparison& comparison, const MemoryArguments& arguments) {
    switch (arguments.format) {
        case OutputFormat::Json:
            return memory::comparisonJson(comparison);
        case OutputFormat::Csv:
            return memory::comparisonCsv(comparison);
        case OutputFormat::Markdown:
            return memory::comparisonMarkdown(comparison, arguments.rows);
        case OutputFormat::Text:
            break;
    }
    return memory::comparisonText(comparison, textStyle(!arguments.output.empty(), false),
                                  arguments.rows);
}

int runMemory(const MemoryArguments& arguments) {
    constexpr std::size_t kMax = 2;
    if (arguments.paths.empty() || arguments.paths.size() > kMax) {
        printError("memory needs one file, or two to compare; usage: kscope memory FILE [FILE]");
        return kExitInput;
    }
    CommandWatch watch;
    useHugeHeap();
    std::vector<memory::MemoryReport> reports;
    for (const std::string& path : arguments.paths) {
        auto report = load(watch, path, arguments.threads);
        if (!report) {
            return reportError(report.error());
        }
        reports.push_back(std::move(*report));
    }
    return writeOutput(arguments.output,
                       reports.size() == 1
                           ? textOf(reports.front(), arguments)
                           : textOf(memory::compareMemory(reports[0], reports[1]), arguments));
}

}  // namespace

std::function<int()> declareMemory(CLI::App& app) {
    auto arguments = std::make_shared<MemoryArguments>();
    app.add_option("FILE", arguments->paths, "A snapshot or a trace; two files are compared");
    app.footer(kMemoryFooter);
    addFormats(app, arguments->format, "Print everything as JSON (kinetoscope.memory/1)",
               "Print the blocks alive at the peak or never freed as CSV",
               "Print Markdown, for a report");
    app.add_option("-o,--output", arguments->output,
                   "Write to FILE instead of standard output (atomically)")
        ->type_name("FILE");
    app.add_option("--rows", arguments->rows, "Number of rows of each table")
        ->check(notNegative())
        ->capture_default_str();
    declareThreads(app, arguments->threads);
    return [arguments] { return runMemory(*arguments); };
}

}  // namespace kinetoscope::app
