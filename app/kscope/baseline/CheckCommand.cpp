// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/kscope/CommandWatch.h"
#include "app/kscope/CompareArguments.h"
#include "app/kscope/Options.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/Warnings.h"
#include "app/kscope/baseline/MoreRuns.h"
#include "app/kscope/baseline/StoreOption.h"
#include "core/baseline/Check.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kCheckFooter =
    R"(First checks that the runs are comparable: a different GPU, device, method, data type or number of
threads ends with exit code 2, unless --anyway is given. Without --entry, the latest comparable
entry is used. Several results are runs of one bench and count as one side, like RUN,RUN… of kscope
compare; several traces are compared one by one.

--more runs a shell command for one more result as long as a row is UNSURE and may be slower by the
percentage of --fail-on slower (default: 5 %), and compares again; {only} in it is replaced by the
options that select these rows. The error rate over all rounds is that of a single comparison.

Examples
  kscope check trace.json.gz --against train-step
  kscope check --markdown --fail-on slower:5 --fail-on step:10 trace.json.gz --against train-step
  kscope check b1.json b2.json b3.json b4.json b5.json --against kernels --fail-on slower
  kscope check b?.json --against kernels --fail-on slower:5 \
      --more 'kscope bench kernels --no-save --json {only} cache'

Exit code: 0 success, 1 a condition of --fail-on holds (or the output could not be written),
2 not comparable, a condition cannot be tested, wrong options or unreadable files.)";

struct CheckArguments {
    CompareArguments compare;
    std::string store;
    std::string name;
    std::optional<std::string> entry;
    bool anyway = false;
    std::string more;  ///< a command of the shell; empty: none
    std::size_t maxRuns = 20;
};

int runCheck(const CheckArguments& arguments) {
    CommandWatch watch;
    const CompareArguments& output = arguments.compare;
    watch.show("reading " + text::printable(output.files.front()));
    const import::LoadOptions load{watch.token(), &watch.progress(), output.threads};
    auto runs = baseline::loadRuns(output.files, load);
    if (!runs) {
        return reportError(runs.error());
    }
    for (baseline::LoadedRuns& one : *runs) {
        one.entry.facts["kscope"] = KINETOSCOPE_VERSION;
        if (const auto* run = std::get_if<compare::ComparedRun>(&one.input); run != nullptr) {
            warnOfSkipped(*run->trace);
        }
    }
    watch.show("comparing");
    baseline::CheckOptions options{arguments.entry, arguments.anyway, output.options, load};
    options.compare.stop = watch.token();
    if (!arguments.more.empty()) {
        options.maxRuns = arguments.maxRuns;
        options.percent = compare::slowerPercent(output.failOn).value_or(options.percent);
        options.more = [&](bench::results::ResultKind kind,
                           const std::vector<baseline::OpenRow>& rows) {
            watch.show(rows.empty() ? std::string("one more run")
                                    : fmt::format("one more run: {} undecided", rows.size()));
            return oneMoreRun(moreCommand(arguments.more, kind, rows), watch);
        };
    }
    const auto checks =
        baseline::checkRuns(storeAt(arguments.store), arguments.name, *runs, options);
    if (!checks) {
        return reportError(checks.error());
    }
    const text::TextStyle style = textStyle(!output.output.empty(), output.fullNames);
    const int code = writeOutput(
        output.output,
        baseline::checkOutput(*checks, output.format, {output.top, output.fullNames}, style));
    for (const baseline::CheckedRuns& check : *checks) {
        if (!check.comparison) {
            printError(check.comparability.sentence() +
                       "; save a baseline of this kind of run, or compare with --anyway");
            return kExitInput;
        }
    }
    int gates = kExitGood;
    for (const baseline::CheckedRuns& check : *checks) {
        gates = worseCode(
            gates,
            gateCode(compare::gateOutcome(compare::gateFigures(*check.comparison), output.failOn),
                     checks->size() > 1 ? check.comparison->file.candidate : ""));
    }
    return code == kExitGood ? gates : code;
}

}  // namespace

std::function<int()> declareCheck(CLI::App& app) {
    auto arguments = std::make_shared<CheckArguments>();
    app.add_option("NEW…", arguments->compare.files, "Traces, or results: files or saved ones")
        ->required();
    app.add_option("--against", arguments->name, "The baseline")->type_name("NAME")->required();
    app.add_option("--entry", arguments->entry,
                   "Start of an entry's id, or last (default: the latest comparable one)")
        ->type_name("ID");
    app.add_flag("--anyway", arguments->anyway, "Compare even if the runs are not comparable");
    CLI::Option* more =
        app.add_option("--more", arguments->more,
                       "While rows are undecided, run CMD, which prints another result")
            ->type_name("CMD");
    app.add_option("--max-runs", arguments->maxRuns,
                   "With --more: maximum number of new runs (default: 20)")
        ->needs(more)
        ->check(CLI::Range(5, 1000));
    declareStore(app, arguments->store);
    declareCompareOutput(app, arguments->compare);
    declareMatching(app, arguments->compare.options);
    declareThreads(app, arguments->compare.threads);
    app.footer(kCheckFooter);
    return [arguments] { return runCheck(*arguments); };
}

}  // namespace kinetoscope::app
