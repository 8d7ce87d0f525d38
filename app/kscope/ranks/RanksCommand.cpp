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
    R"(FILES are the traces or captures of one job, a file for each rank; DIR is a folder of them. A file's
rank is what its distributedInfo says, else the number after "rank" in its name.

The ranks' clocks are aligned by the ends of the collectives that they took part in. The rank that
arrived last at a collective kept the others waiting; why it was late is what it took longer for
than the median rank since the collective before: its host, its kernels, its copies, or another
process group. Waiting counts where the waiting rank computed nothing meanwhile.

A partial is what the job needs of some ranks, some MB each: it can be made where their files are.
Several processes of an engine (mpirun, srun) divide the files, and the last to end merges.

FILES may be the dumps of NCCL's flight recorder instead (pickles or JSON): which collective is
stuck, who waits in it, who never came and what that rank did last.

Examples
  kscope ranks traces/
  kscope ranks --json rank*.json.gz -o job.json
  kscope ranks --fail-on straggler:5 traces/
  kscope ranks --fail-on stuck /tmp/nccl_trace_rank_*
  kscope ranks --partial node7.ranks /local/traces/
  kscope ranks --merge node*.ranks
  mpirun -np 8 kscope ranks traces/ -o job.txt)";

// Dumps are small: one process reads them all.
std::optional<int> runDumps(const RanksArguments& arguments) {
    const bool alone = !arguments.merge && arguments.partial.empty();
    const std::vector<std::string> dumps =
        alone ? flight::dumpsOfJob(arguments.paths) : std::vector<std::string>();
    if (dumps.empty() ? arguments.failOnStuck : arguments.failOnStraggler.has_value()) {
        printError(dumps.empty() ? "--fail-on stuck is for dumps of the flight recorder"
                                 : "--fail-on straggler is for traces; of dumps it is stuck");
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
        printError("ranks needs the files of a job: kscope ranks DIR, or kscope ranks FILES…");
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
        printError(fmt::format(
            "one of {} processes that work together needs -o FILE in a folder that all see; "
            "--worker 0/1 works alone",
            arguments.place->count));
        return kExitInput;
    }
    return runRanks(arguments);
}

void declareMany(CLI::App& app, RanksArguments& arguments) {
    CLI::Option* partial =
        app.add_option("--partial", arguments.partial,
                       "Write OUT (.ranks) with what the job needs of these ranks, and no answer")
            ->type_name("OUT");
    CLI::Option* merge =
        app.add_flag("--merge", arguments.merge,
                     "The files are partials; -o FILE.ranks or --partial OUT writes one of all");
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
               "One of several processes, 0/4 to 3/4; an engine's variables tell")
            ->type_name("N/COUNT");
    worker->excludes(merge);
    for (CLI::Option* option : {partial, merge, worker}) {
        option->group("Past one machine");
    }
}

}  // namespace

std::function<int()> declareRanks(CLI::App& app) {
    auto arguments = std::make_shared<RanksArguments>();
    app.add_option("FILES", arguments->paths,
                   "Traces, captures or dumps of one job, or folders of them");
    app.footer(kRanksFooter);
    addFormats(app, arguments->format, "Everything as JSON (kinetoscope.ranks/1)",
               "A table of the ranks as CSV", "Markdown, for a report");
    app.add_option("-o,--output", arguments->output, "Write to FILE, whole or not at all")
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
           "Exit with 1 when a rank is late by PERCENT of a step, or a call is stuck")
        ->type_name("straggler[:PERCENT]|stuck");
    declareMany(app, *arguments);
    declareThreads(app, arguments->threads);
    return [arguments] { return runChecked(*arguments); };
}

}  // namespace kinetoscope::app
