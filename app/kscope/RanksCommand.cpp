// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/HugeHeap.h"
#include "app/kscope/Options.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "core/import/load/LoadTrace.h"
#include "core/ranks/JobFiles.h"
#include "core/ranks/JobText.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kFooter =
    R"(FILES are the traces or captures of one job, a file for each rank; DIR is a folder of them. A file's
rank is what its distributedInfo says, else the number after "rank" in its name.

The ranks' clocks are aligned by the ends of the collectives that they took part in. The rank that
arrived last at a collective kept the others waiting; why it was late is what it took longer for
than the median rank since the collective before: its host, its kernels, its copies, or another
process group. Waiting counts where the waiting rank computed nothing meanwhile.

Examples
  kscope ranks traces/
  kscope ranks --json rank*.json.gz -o job.json
  kscope ranks --fail-on straggler:5 traces/)";

struct Arguments {
    std::vector<std::string> paths;
    OutputFormat format = OutputFormat::Text;
    std::string output;
    unsigned threads = 0;
    std::optional<double> failOnStraggler;
};

std::string textOf(const ranks::Job& job, const Arguments& arguments) {
    switch (arguments.format) {
        case OutputFormat::Json:
            return ranks::jobJson(job);
        case OutputFormat::Csv:
            return ranks::jobCsv(job);
        case OutputFormat::Markdown:
            return ranks::jobMarkdown(job);
        case OutputFormat::Text:
            break;
    }
    return ranks::jobText(job, textStyle(!arguments.output.empty(), false));
}

Result<ranks::Job> load(CommandWatch& watch, const Arguments& arguments) {
    const auto files = ranks::listJobFiles(arguments.paths);
    if (!files) {
        return tl::unexpected(files.error());
    }
    useHugeHeap();
    watch.show(fmt::format("reading {} files", files->size()));
    ranks::JobOptions options;
    options.threads = arguments.threads;
    options.stop = watch.token();
    options.progress = [&watch](std::size_t done, std::size_t all) {
        watch.progress().start(all);
        watch.progress().set(done);
    };
    const auto loadTrace = [](const std::string& path, unsigned threads,
                              const std::stop_token& stop) {
        import::LoadOptions own;
        own.stop = stop;
        own.threads = threads;
        return import::loadTrace(path, own);
    };
    return ranks::loadJob(*files, loadTrace, options);
}

// Whether a rank was later than the median one by that part of its step.
bool hasStraggler(const ranks::Job& job, double percent) {
    return std::ranges::any_of(job.steps, [&](const ranks::JobStep& step) {
        return std::ranges::any_of(step.causes, [&](const ranks::Cause& cause) {
            const TimeNs length = step.lengthNs[cause.record];
            return length <= 0 ||
                   100.0 * static_cast<double>(cause.ns()) >= percent * static_cast<double>(length);
        });
    });
}

int runRanks(const Arguments& arguments) {
    if (arguments.paths.empty()) {
        printError("ranks needs the files of a job: kscope ranks DIR, or kscope ranks FILES…");
        return kExitInput;
    }
    CommandWatch watch;
    const auto job = load(watch, arguments);
    if (!job) {
        return reportError(job.error());
    }
    for (const ranks::LostFile& file : job->lost) {
        printWarning(fmt::format("'{}' is not used: {}", text::printable(file.file),
                                 text::printable(file.reason)));
    }
    if (const int code = writeOutput(arguments.output, textOf(*job, arguments));
        code != kExitGood) {
        return code;
    }
    return arguments.failOnStraggler && hasStraggler(*job, *arguments.failOnStraggler) ? kExitOutput
                                                                                       : kExitGood;
}

}  // namespace

std::function<int()> declareRanks(CLI::App& app) {
    auto arguments = std::make_shared<Arguments>();
    app.add_option("FILES", arguments->paths, "Traces or captures of one job, or folders of them");
    app.footer(kFooter);
    addFormats(app, arguments->format, "Everything as JSON (kinetoscope.ranks/1)",
               "A table of the ranks as CSV", "Markdown, for a report");
    app.add_option("-o,--output", arguments->output, "Write to FILE, whole or not at all")
        ->type_name("FILE");
    app.add_option_function<std::string>(
           "--fail-on",
           [arguments](const std::string& text) {
               const auto percent = parseFailOn(text, "straggler");
               if (!percent) {
                   throw CLI::ValidationError("--fail-on", percent.error().message);
               }
               arguments->failOnStraggler = *percent;
           },
           "Exit with 1 when a rank was late by PERCENT of a step or more")
        ->type_name("straggler[:PERCENT]");
    declareThreads(app, arguments->threads);
    return [arguments] { return runRanks(*arguments); };
}

}  // namespace kinetoscope::app
