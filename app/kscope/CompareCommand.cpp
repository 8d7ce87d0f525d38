// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "app/kscope/Command.h"
#include "app/kscope/CompareArguments.h"
#include "app/kscope/Options.h"
#include "app/kscope/Terminal.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kCompareFooter =
    R"(BASE and CAND are traces, or results of one kind of bench (files, or names of saved results).
RUN,RUN… treats several runs of a bench, each from its own process, as one side: samples are then
paired by run, so the verdict holds across processes. Two folders of ranks, or their partials, are
compared as jobs: by step, rank and collective, and by who was late before and after.

A kernel is SLOWER or FASTER if the 95 % confidence interval of the median of its paired time
ratios, corrected for the number of kernels, lies outside ±3 % (±1 % for benches), SAME if it lies
inside, and UNSURE otherwise.

--fail-on names what must not be: slower, a kernel that is SLOWER, tests every kernel that both
sides have; step and total are thresholds on the median step and on the time of all kernels
together, and notice idle time and additional kernels.

Examples
  kscope compare before.json.gz after.json.gz
  kscope compare --markdown before.json after.json > comment.md
  kscope compare --fail-on slower:5 --fail-on step:10 before.json after.json
  kscope compare --self before.json before_again.json
  kscope compare job_before/ job_after/
  kscope compare a1.json,a2.json,a3.json,a4.json,a5.json b1.json,b2.json,b3.json,b4.json,b5.json

Exit code: 0 success, 1 a condition of --fail-on holds (or the output could not be written),
2 a condition cannot be tested, wrong options or unreadable files.)";

void declareSelf(CLI::App& app, CompareArguments& arguments,
                 const std::vector<CLI::Option*>& notWithSelf) {
    CLI::Option* self =
        app.add_flag("--self", arguments.self,
                     "Measure false alarms: halves of each file, and each file against the next");
    for (CLI::Option* option : notWithSelf) {
        self->excludes(option);
    }
    self->group("Comparison");
}

int runChecked(const CompareArguments& arguments) {
    if (arguments.self && arguments.files.empty()) {
        printError("no trace given; usage: kscope compare --self FILE…");
        return kExitInput;
    }
    if (!arguments.self && arguments.files.size() < 2) {
        printError("a baseline and a candidate are needed; usage: kscope compare BASE CAND…");
        return kExitInput;
    }
    return runCompare(arguments);
}

}  // namespace

std::vector<CLI::Option*> declareCompareOutput(CLI::App& app, CompareArguments& arguments) {
    const FormatOptions formats = addFormats(
        app, arguments.format, "Print everything as JSON; an array for several candidates",
        "Print the kernels as CSV", "Print Markdown, for a pull request");
    CLI::Option* output = app.add_option("-o,--output", arguments.output,
                                         "Write to FILE instead of standard output (atomically)")
                              ->type_name("FILE");
    CLI::Option* top =
        app.add_option("--top", arguments.top, "Number of kernels; 0: all (default: 20)")
            ->type_name("N")
            ->check(notNegative());
    CLI::Option* names = app.add_flag("--full-names", arguments.fullNames,
                                      "Print kernel names in full, whatever the width");
    CLI::Option* failOn =
        app.add_option_function<std::vector<std::string>>(
               "--fail-on",
               [&arguments](const std::vector<std::string>& texts) {
                   for (const std::string& text : texts) {
                       const auto condition = compare::parseFailCondition(text);
                       if (!condition) {
                           throw CLI::ValidationError("--fail-on", condition.error().message);
                       }
                       arguments.failOn.push_back(*condition);
                   }
               },
               "Exit with 1 if a kernel is SLOWER (by PERCENT or more), the median step, or the "
               "time of all kernels, is longer by PERCENT; may be given several times")
            ->take_all()
            ->allow_extra_args(false)
            ->type_name("slower[:PERCENT]|step:PERCENT|total:PERCENT");
    for (CLI::Option* option :
         {formats.json, formats.csv, formats.markdown, output, top, names, failOn}) {
        option->group("Output");
    }
    return {formats.csv, formats.markdown, failOn};
}

void declareMatching(CLI::App& app, compare::CompareOptions& options) {
    using Per = std::optional<compare::Normalisation>;
    CLI::Option* per = addChoice<Per>(
        app, "--per", options.per,
        {{"step", compare::Normalisation::Step}, {"run", compare::Normalisation::Run}},
        "Counts and times per step or run (default: run; step if numbers differ)");
    per->type_name("step|run");
    CLI::Option* match = addChoice<compare::MatchKind>(
        app, "--match", options.match,
        {{"exact", compare::MatchKind::Exact},
         {"normalised", compare::MatchKind::Normalised},
         {"operator", compare::MatchKind::Operator}},
        "Match kernels by exact name, normalised name, or operator (default)");
    match->type_name("exact|normalised|operator");
    per->group("Comparison");
    match->group("Comparison");
}

std::function<int()> declareCompare(CLI::App& app) {
    auto arguments = std::make_shared<CompareArguments>();
    app.add_option("BASE CAND…", arguments->files,
                   "The baseline, then one or more candidates: traces or results");
    app.footer(kCompareFooter);
    const auto notWithSelf = declareCompareOutput(app, *arguments);
    declareMatching(app, arguments->options);
    declareThreads(app, arguments->threads);
    declareSelf(app, *arguments, notWithSelf);
    return [arguments] { return runChecked(*arguments); };
}

}  // namespace kinetoscope::app
