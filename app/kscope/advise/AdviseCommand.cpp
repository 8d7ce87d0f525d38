// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/CompareArguments.h"
#include "app/kscope/HugeHeap.h"
#include "app/kscope/Options.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "core/advise/AdviceText.h"
#include "core/advise/Advise.h"
#include "core/advise/Stragglers.h"
#include "core/ranks/JobFiles.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kAdviseFooter =
    R"(Each rule looks for one cause of lost time and replays the steps without it. The saving is an upper
bound: the mean over the steps that become shorter and, where these are not all, that over all
steps. Savings overlap and do not add up; the first lines say what all findings save together. If
the trace lacks what a rule needs, that is said too.

FILE may be a folder with the ranks of a job, or several of its files: then stragglers are found
too, and the other rules look at the rank that the others waited for most.

Examples
  kscope advise trace.json.gz
  kscope advise --markdown ranks/ -o advice.md
  kscope advise --rules)";

struct AdviseArguments {
    std::vector<std::string> paths;
    OutputFormat format = OutputFormat::Text;
    std::string output;
    std::size_t events = 3;
    unsigned threads = 0;
    bool rules = false;
};

Result<advise::Advice> adviceOn(CommandWatch& watch, const std::string& path, unsigned threads) {
    const auto trace = loadWatched(watch, path, threads);
    if (!trace) {
        return tl::unexpected(trace.error());
    }
    watch.show("looking for what takes time");
    auto advice =
        advise::findAdvice(**trace, {.stop = watch.token(), .progress = &watch.progress()});
    if (!advice && advice.error().kind == ErrorKind::BadInput) {
        return fail("'" + text::printable(path) + "': " + advice.error().message);
    }
    return advice;
}

Result<advise::Advice> adviceOnJob(CommandWatch& watch, const AdviseArguments& arguments) {
    const auto job = loadJob(watch, arguments.paths, arguments.threads);
    if (!job) {
        return tl::unexpected(job.error());
    }
    const std::vector<TimeNs> caused = job->caused();
    const auto most = static_cast<std::size_t>(std::ranges::max_element(caused) - caused.begin());
    const ranks::RankRecord& record = job->records[most];
    auto advice =
        adviceOn(watch, ranks::findTrace(record.file, arguments.paths), arguments.threads);
    if (advice) {
        advise::addStragglers(*advice, *job, record.rank);
    }
    return advice;
}

int runAdvise(const AdviseArguments& arguments) {
    if (arguments.rules) {
        return writeOutput(arguments.output,
                           advise::ruleList(textStyle(!arguments.output.empty(), false)));
    }
    if (arguments.paths.empty()) {
        printError("no trace given; usage: kscope advise FILE");
        return kExitInput;
    }
    CommandWatch watch;
    useHugeHeap();
    const std::string& first = arguments.paths.front();
    const bool isOfJob = arguments.paths.size() > 1 || (first != "-" && isJob(first));
    const auto advice =
        isOfJob ? adviceOnJob(watch, arguments) : adviceOn(watch, first, arguments.threads);
    if (!advice) {
        return reportError(advice.error());
    }
    return writeOutput(
        arguments.output,
        advise::adviceOutput(*advice, arguments.format, textStyle(!arguments.output.empty(), false),
                             arguments.events));
}

}  // namespace

std::function<int()> declareAdvise(CLI::App& app) {
    auto arguments = std::make_shared<AdviseArguments>();
    app.add_option("FILE", arguments->paths,
                   "A trace, a capture, or the ranks of a job: a folder or several files");
    app.footer(kAdviseFooter);
    app.add_flag("--rules", arguments->rules, "List what each rule looks for, and exit");
    app.add_option("--events", arguments->events,
                   "Number of events shown for each finding (default: 3)")
        ->type_name("N")
        ->check(notNegative());
    addFormats(app, arguments->format, "Print everything as JSON (kinetoscope.advice/1)", nullptr,
               "Print Markdown, for a pull request");
    app.add_option("-o,--output", arguments->output,
                   "Write to FILE instead of standard output (atomically)")
        ->type_name("FILE");
    declareThreads(app, arguments->threads);
    return [arguments] { return runAdvise(*arguments); };
}

}  // namespace kinetoscope::app
