// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "app/kscope/BenchArguments.h"
#include "app/kscope/Command.h"
#include "app/kscope/MachineFacts.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "core/bench/plan/PlanJson.h"
#include "core/bench/results/BenchJson.h"
#include "core/bench/results/BenchText.h"
#include "core/bench/results/ResultStore.h"

namespace kinetoscope::app {

namespace {

int writeOut(const BenchArguments& arguments, const std::string& text) {
    Sink sink(arguments.output);
    auto done = sink.write(text);
    if (done) {
        done = sink.finish();
    }
    return done ? kExitGood : reportError(done.error());
}

bench::results::BenchDocument newDocument(const BenchArguments& arguments,
                                          const bench::plan::CachePlan& plan) {
    bench::results::BenchDocument document;
    document.command = arguments.command;
    document.method = bench::run::benchMethodName(arguments.bench.measure.method);
    document.candidates = plan.candidates;
    describeMachine(document.created, document.host, document.system);
    return document;
}

std::string benchOutput(const BenchArguments& arguments,
                        const bench::results::BenchDocument& document) {
    const bench::results::BenchTextOptions options{arguments.allConfigs, arguments.name};
    const text::TextStyle style = textStyle(!arguments.output.empty(), false);
    switch (arguments.format) {
        case BenchFormat::Json:
            return bench::results::benchDocumentJson(document);
        case BenchFormat::Csv:
            return bench::results::benchCsv(document);
        case BenchFormat::Markdown:
            return bench::results::benchMarkdown(document, options);
        case BenchFormat::Compat:
            return bench::results::benchCompat(document, options, style.colour);
        case BenchFormat::Text:
            break;
    }
    return bench::results::benchText(document, options, style);
}

}  // namespace

int runBenchPlan(const BenchArguments& arguments, const bench::plan::CachePlan& plan,
                 const std::vector<std::size_t>& selected) {
    if (arguments.plan) {
        bench::plan::CachePlan shown = plan;
        shown.kernels.clear();
        shown.kernels.reserve(selected.size());
        for (const std::size_t index : selected) {
            shown.kernels.push_back(plan.kernels[index]);
        }
        return writeOut(arguments, arguments.format == BenchFormat::Json
                                       ? bench::plan::planJson(shown)
                                       : bench::results::planText(
                                             shown, textStyle(!arguments.output.empty(), false)));
    }
    for (const std::string& problem : plan.problems) {
        printWarning(problem);
    }
    bench::results::BenchDocument document = newDocument(arguments, plan);
    if (const auto done = runWorkers(arguments, plan, selected, document); !done) {
        return reportError(done.error());
    }
    if (arguments.keep) {
        const auto id = bench::results::ResultStore(bench::results::ResultStore::defaultFolder())
                            .keep(document);
        if (id) {
            printNote(fmt::format("kept as result {}", *id));
        } else {
            printWarning(id.error().message);
        }
    }
    if (arguments.stream) {
        sayLine(R"({"event":"done"})");
        return kExitGood;
    }
    return writeOut(arguments, benchOutput(arguments, document));
}

int runBenchKernels(const BenchArguments& arguments) {
    const auto plan = bench::plan::planCaches(arguments.folders);
    if (!plan) {
        return reportError(plan.error());
    }
    std::vector<std::size_t> selected;
    for (std::size_t i = 0; i < plan->kernels.size(); ++i) {
        const bench::plan::KernelPlan& kernel = plan->kernels[i];
        const bool wanted = arguments.keys.empty() ||
                            std::ranges::find(arguments.keys, kernel.key) != arguments.keys.end();
        if (wanted && kernel.name.find(arguments.match) != std::string::npos) {
            selected.push_back(i);
        }
    }
    return runBenchPlan(arguments, *plan, selected);
}

}  // namespace kinetoscope::app
