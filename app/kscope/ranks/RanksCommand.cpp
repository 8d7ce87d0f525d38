// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/Options.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/ranks/FlightRun.h"
#include "app/kscope/ranks/RanksArguments.h"
#include "core/flight/LoadFlight.h"
#include "core/ranks/Partial.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kRanksFooter =
    R"(FILES are the traces or captures of one job, one file per rank; DIR is a folder of them. The rank
comes from the file's distributedInfo, or from the number after "rank" in its name.

Clocks are aligned by the ends of common collectives. The rank that arrives last at a collective
keeps the others waiting; the cause is what it spent more time on than the median rank since the
previous collective: its host, its kernels, its copies, or another process group. Only exposed
waiting counts, while the waiting rank computes nothing.

A partial holds what the job analysis needs of some ranks, a few MB each, and can be written where
their files are. Processes started by mpirun or srun split the files; the last to finish merges.

FILES may also be NCCL flight recorder dumps (pickles or JSON): they show which collective is stuck,
who waits in it, who never arrived and what that rank did last.

Examples
  kscope ranks traces/
  kscope ranks --json rank*.json.gz -o job.json
  kscope ranks --fail-on straggler:5 traces/
  kscope ranks --fail-on stuck /tmp/nccl_trace_rank_*
  kscope ranks --partial node7.ranks /local/traces/
  kscope ranks --merge node*.ranks
  mpirun -np 8 kscope ranks traces/ -o job.txt

Exit code: 0 success, 1 --fail-on found something (or the output could not be written), 2 --fail-on
found nothing, but ranks are missing; wrong options or unreadable files.)";

// Dumps are small: one process reads them all.
std::optional<int> runDumps(const RanksArguments& arguments) {
    const bool alone = !arguments.merge && arguments.partial.empty();
    const std::vector<std::string> dumps =
        alone ? flight::dumpsOfJob(arguments.paths) : std::vector<std::string>();
    if (dumps.empty() ? arguments.failOnStuck : arguments.failOnStraggler.has_value()) {
        printError(dumps.empty()
                       ? "--fail-on stuck needs flight recorder dumps"
                       : "--fail-on straggler needs traces; for dumps use --fail-on stuck");
        return kExitInput;
    }
    if (dumps.empty()) {
        return std::nullopt;
    }
    if (arguments.place && arguments.place->number > 0) {
        return kExitGood;
    }
    CommandWatch watch;
    return runFlight(watch, {dumps, arguments.format, arguments.output, arguments.threads,
                             arguments.failOnStuck});
}

int runChecked(RanksArguments arguments) {
    if (arguments.paths.empty()) {
        printError(
            "ranks needs the files of a job; usage: kscope ranks DIR, or kscope ranks FILES…");
        return kExitInput;
    }
    if (arguments.merge && arguments.partial.empty() &&
        arguments.output.ends_with(ranks::kPartialEnding)) {
        arguments.partial = std::exchange(arguments.output, {});
    }
    const bool told = arguments.place.has_value();
    if (!told && !arguments.merge) {
        arguments.place =
            ranks::workers::engineTells([](const char* name) { return std::getenv(name); });
    }
    if (const auto code = runDumps(arguments)) {
        return *code;
    }
    if (arguments.place && arguments.place->count > 1 && arguments.output.empty() &&
        arguments.partial.empty()) {
        printError(
            fmt::format("one of {} cooperating processes needs -o FILE in a folder that all of "
                        "them see; --worker 0/1 runs alone",
                        arguments.place->count));
        return kExitInput;
    }
    return runRanks(arguments);
}

void declareMany(CLI::App& app, RanksArguments& arguments) {
    CLI::Option* partial =
        app.add_option("--partial", arguments.partial,
                       "Write these ranks' share of the job to OUT (.ranks), without analysing it")
            ->type_name("OUT");
    CLI::Option* merge =
        app.add_flag("--merge", arguments.merge,
                     "The files are partials; -o FILE.ranks or --partial OUT joins them");
    CLI::Option* worker =
        app.add_option_function<std::string>(
               "--worker",
               [&arguments](const std::string& text) {
                   const auto place = ranks::workers::parsePlace(text);
                   if (!place) {
                       throw CLI::ValidationError("--worker", place.error().message);
                   }
                   arguments.place = *place;
               },
               "One of several processes, 0/4 to 3/4 (default: from mpirun or Slurm)")
            ->type_name("N/COUNT");
    worker->excludes(merge);
    for (CLI::Option* option : {partial, merge, worker}) {
        option->group("Across machines");
    }
}

}  // namespace

std::function<int()> declareRanks(CLI::App& app) {
    auto arguments = std::make_shared<RanksArguments>();
    app.add_option("FILES", arguments->paths,
                   "Traces, captures or dumps of one job, or folders of them");
    app.footer(kRanksFooter);
    addFormats(app, arguments->format, "Print everything as JSON (kinetoscope.ranks/1)",
               "Print a table of the ranks as CSV", "Print Markdown, for a report");
    app.add_option("-o,--output", arguments->output,
                   "Write to FILE instead of standard output (atomically)")
        ->type_name("FILE");
    app.add_option_function<std::string>(
           "--fail-on",
           [arguments](const std::string& text) {
               if (text == "stuck") {
                   arguments->failOnStuck = true;
                   return;
               }
               const auto percent = parseFailOn(text, "straggler");
               if (!percent) {
                   throw CLI::ValidationError("--fail-on", percent.error().message);
               }
               arguments->failOnStraggler = *percent;
           },
           "Exit with 1 if a rank is late by PERCENT of a step, or a call is stuck")
        ->type_name("straggler[:PERCENT]|stuck");
    declareMany(app, *arguments);
    declareThreads(app, arguments->threads);
    return [arguments] { return runChecked(*arguments); };
}

}  // namespace kinetoscope::app
