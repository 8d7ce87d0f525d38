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

namespace kinetoscope {

namespace {

int writeOut(const BenchArguments& arguments, const std::string& text) {
    Sink sink(arguments.output);
    auto done = sink.write(text);
    if (done) {
        done = sink.finish();
    }
    return done ? kExitGood : reportError(done.error());
}

BenchDocument newDocument(const BenchArguments& arguments, const CachePlan& plan) {
    BenchDocument document;
    document.command = arguments.command;
    document.method = benchMethodName(arguments.bench.measure.method);
    document.candidates = plan.candidates;
    describeMachine(document.created, document.host, document.system);
    return document;
}

std::string benchOutput(const BenchArguments& arguments, const BenchDocument& document) {
    const BenchTextOptions options{arguments.allConfigs, arguments.name};
    const TextStyle style = textStyle(!arguments.output.empty(), false);
    switch (arguments.format) {
        case BenchFormat::Json:
            return benchDocumentJson(document);
        case BenchFormat::Csv:
            return benchCsv(document);
        case BenchFormat::Markdown:
            return benchMarkdown(document, options);
        case BenchFormat::Compat:
            return benchCompat(document, options, style.colour);
        case BenchFormat::Text:
            break;
    }
    return benchText(document, options, style);
}

}  // namespace

int runBenchPlan(const BenchArguments& arguments, const CachePlan& plan,
                 const std::vector<std::size_t>& selected) {
    if (arguments.plan) {
        CachePlan shown = plan;
        shown.kernels.clear();
        shown.kernels.reserve(selected.size());
        for (const std::size_t index : selected) {
            shown.kernels.push_back(plan.kernels[index]);
        }
        return writeOut(arguments,
                        arguments.format == BenchFormat::Json
                            ? planJson(shown)
                            : planText(shown, textStyle(!arguments.output.empty(), false)));
    }
    for (const std::string& problem : plan.problems) {
        printWarning(problem);
    }
    BenchDocument document = newDocument(arguments, plan);
    if (const auto done = runWorkers(arguments, plan, selected, document); !done) {
        return reportError(done.error());
    }
    if (arguments.keep) {
        const auto id = ResultStore(ResultStore::defaultFolder()).keep(document);
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
    const auto plan = planCaches(arguments.folders);
    if (!plan) {
        return reportError(plan.error());
    }
    std::vector<std::size_t> selected;
    for (std::size_t i = 0; i < plan->kernels.size(); ++i) {
        const KernelPlan& kernel = plan->kernels[i];
        const bool wanted = arguments.keys.empty() ||
                            std::ranges::find(arguments.keys, kernel.key) != arguments.keys.end();
        if (wanted && kernel.name.find(arguments.match) != std::string::npos) {
            selected.push_back(i);
        }
    }
    return runBenchPlan(arguments, *plan, selected);
}

}  // namespace kinetoscope
