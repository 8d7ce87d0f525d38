// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "app/kscope/Command.h"
#include "app/kscope/CompareArguments.h"
#include "app/kscope/HugeHeap.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/ranks/WarnOfRanks.h"
#include "core/compare/gate/FailOn.h"
#include "core/import/load/LoadTrace.h"
#include "core/ranks/JobFiles.h"
#include "core/ranks/ReadRank.h"
#include "core/ranks/compare/JobComparisonText.h"
#include "core/stream/CaptureFolder.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

Result<ranks::Job> loadJob(CommandWatch& watch, const std::vector<std::string>& paths,
                           unsigned threads) {
    const auto files = ranks::listJobFiles(paths);
    if (!files) {
        return tl::unexpected(files.error());
    }
    watch.show("reading " + text::printable(paths.front()));
    ranks::JobOptions options;
    options.threads = threads;
    options.stop = watch.token();
    options.progress = [&watch](std::size_t done, std::size_t all) {
        watch.progress().start(all);
        watch.progress().set(done);
    };
    const auto load = [](const std::string& file, unsigned share, const std::stop_token& stop) {
        import::LoadOptions own;
        own.stop = stop;
        own.threads = share;
        return import::loadTrace(file, own);
    };
    auto job = ranks::loadJob(*files, load, options);
    if (job) {
        warnOfRanks(job->records, job->lost);
    }
    return job;
}

// The captures of one process are one run, as they are to a report.
bool isJob(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
        return ranks::isPartial(path);
    }
    std::set<std::int64_t> found;
    const std::vector<std::string> captures = stream::capturesIn(path);
    for (const std::string& capture : captures) {
        found.insert(ranks::rankInName(capture));
    }
    found.erase(-1);
    return captures.empty() || found.size() > 1;
}

namespace {

compare::GateFigures jobFigures(const ranks::compare::JobComparison& comparison) {
    compare::GateFigures figures;
    figures.compared = ranks::compare::countCompared(comparison);
    figures.tested = ranks::compare::countTested(comparison);
    figures.rows = fmt::format("{} steps, ranks and collectives", figures.compared);
    figures.slower = [&comparison](double percent) {
        return ranks::compare::countSlower(comparison, percent);
    };
    const auto& [base, candidate] = comparison.all.medianNs;
    if (base > 0.0 && candidate > 0.0) {
        figures.stepNs = compare::Change{{base, candidate}};
    }
    figures.noStep = "the jobs have no steps in common";
    figures.noTotal = "it is of traces and results, not of jobs";
    return figures;
}

}  // namespace

int runCompareJobs(CommandWatch& watch, const CompareArguments& arguments) {
    if (arguments.files.size() != 2 || arguments.self || !isJob(arguments.files[0]) ||
        !isJob(arguments.files[1])) {
        printError("a job, a folder of ranks or a partial, is compared with one other job");
        return kExitInput;
    }
    useHugeHeap();
    const auto base = loadJob(watch, {arguments.files[0]}, arguments.threads);
    if (!base) {
        return reportError(base.error());
    }
    const auto candidate = loadJob(watch, {arguments.files[1]}, arguments.threads);
    if (!candidate) {
        return reportError(candidate.error());
    }
    watch.show("comparing");
    auto comparison =
        ranks::compare::compareJobs({&*base, &*candidate}, arguments.options.rule, watch.token());
    if (!comparison) {
        return reportError(comparison.error());
    }
    comparison->name = {arguments.files[0], arguments.files[1]};
    const int code = writeOutput(arguments.output,
                                 ranks::compare::comparisonOutput(
                                     *comparison, arguments.format,
                                     textStyle(!arguments.output.empty(), arguments.fullNames)));
    const int gate = gateCode(compare::gateOutcome(jobFigures(*comparison), arguments.failOn), "");
    return code == kExitGood ? gate : code;
}

}  // namespace kinetoscope::app
