// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>

#include "app/kscope/Command.h"
#include "app/kscope/CommandWatch.h"
#include "app/kscope/HugeHeap.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/ranks/RanksArguments.h"
#include "app/kscope/ranks/WarnOfRanks.h"
#include "core/import/load/LoadTrace.h"
#include "core/ranks/JobFiles.h"
#include "core/ranks/JobTables.h"
#include "core/ranks/JobText.h"
#include "core/ranks/workers/SharedWork.h"

namespace kinetoscope::app {

namespace {

namespace fs = std::filesystem;

// Engines start their processes within seconds of each other.
constexpr std::chrono::seconds kBeginsWithin(5);

std::string textOf(const ranks::Job& job, const RanksArguments& arguments) {
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

const std::string& outputOf(const RanksArguments& arguments) {
    return arguments.partial.empty() ? arguments.output : arguments.partial;
}

// An answer that lies among the files is not one of them.
Result<std::vector<std::string>> listFiles(const RanksArguments& arguments) {
    auto files = ranks::listJobFiles(arguments.paths);
    if (files && !outputOf(arguments).empty()) {
        std::erase_if(*files, [&](const std::string& file) {
            std::error_code error;
            return fs::equivalent(file, outputOf(arguments), error);
        });
    }
    return files;
}

ranks::JobOptions optionsOf(CommandWatch& watch, const RanksArguments& arguments) {
    ranks::JobOptions options;
    options.threads = arguments.threads;
    if (options.threads == 0 && arguments.place) {
        const std::size_t cores = std::thread::hardware_concurrency();
        options.threads =
            static_cast<unsigned>(std::max<std::size_t>(1, cores / arguments.place->onHost));
    }
    options.stop = watch.token();
    options.progress = [&watch](std::size_t done, std::size_t all) {
        watch.progress().start(all);
        watch.progress().set(done);
    };
    return options;
}

ranks::LoadRankTrace traceLoader(bool merge) {
    if (merge) {
        return [](const std::string& path, unsigned /*threads*/,
                  const std::stop_token& /*stop*/) -> Result<std::shared_ptr<const trace::Trace>> {
            return fail("'" + path + "': is not a partial, as kscope ranks --partial writes them");
        };
    }
    return [](const std::string& path, unsigned threads, const std::stop_token& stop) {
        import::LoadOptions own;
        own.stop = stop;
        own.threads = threads;
        return import::loadTrace(path, own);
    };
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

int conclude(ranks::Partial ranks, const RanksArguments& arguments) {
    if (!arguments.partial.empty()) {
        warnOfRanks(ranks.records, ranks.lost);
        const auto written = ranks::writePartial(arguments.partial, std::move(ranks));
        return written ? kExitGood : reportError(written.error());
    }
    const auto job = ranks::makeJob(std::move(ranks.records), std::move(ranks.lost));
    if (!job) {
        return reportError(job.error());
    }
    warnOfRanks(job->records, job->lost);
    if (const int code = writeOutput(arguments.output, textOf(*job, arguments));
        code != kExitGood) {
        return code;
    }
    if (!arguments.failOnStraggler) {
        return kExitGood;
    }
    if (hasStraggler(*job, *arguments.failOnStraggler)) {
        return kExitOutput;
    }
    if (const std::string why = ranks::undecidedText(*job); !why.empty()) {
        printError("--fail-on straggler cannot be tested: " + why);
        return kExitInput;
    }
    return kExitGood;
}

int runTogether(CommandWatch& watch, const RanksArguments& arguments,
                std::vector<std::string> files) {
    const ranks::JobOptions options = optionsOf(watch, arguments);
    ranks::workers::SharedWork work(outputOf(arguments), std::move(files), *arguments.place);
    if (const auto read = work.readShare(traceLoader(false), options); !read) {
        return reportError(read.error());
    }
    watch.show("waiting for the other processes");
    const auto isTurn = work.takeTurn(kBeginsWithin, options.stop);
    if (!isTurn) {
        return reportError(isTurn.error());
    }
    if (!*isTurn) {
        return kExitGood;
    }
    auto ranks = work.gather(options);
    if (!ranks) {
        return reportError(ranks.error());
    }
    const int code = conclude(std::move(*ranks), arguments);
    work.finishTurn();
    return code;
}

}  // namespace

int runRanks(const RanksArguments& arguments) {
    CommandWatch watch;
    auto files = listFiles(arguments);
    if (!files) {
        return reportError(files.error());
    }
    useHugeHeap();
    watch.show(fmt::format("reading {} files", files->size()));
    if (arguments.place && arguments.place->count > 1 && !arguments.merge) {
        return runTogether(watch, arguments, std::move(*files));
    }
    auto ranks =
        ranks::loadRanks(*files, traceLoader(arguments.merge), optionsOf(watch, arguments));
    return ranks ? conclude(std::move(*ranks), arguments) : reportError(ranks.error());
}

}  // namespace kinetoscope::app
