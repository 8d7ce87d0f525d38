// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "app/kscope/BenchArguments.h"
#include "app/kscope/Command.h"
#include "app/kscope/MachineFacts.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "core/bench/BenchJson.h"
#include "core/bench/BenchText.h"
#include "core/bench/PlanJson.h"
#include "core/bench/ResultStore.h"

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

int runBenchKernels(const BenchArguments& arguments) {
    auto plan = planCaches(arguments.folders);
    if (!plan) {
        return reportError(plan.error());
    }
    std::erase_if(plan->kernels, [&](const KernelPlan& kernel) {
        return arguments.plan && kernel.name.find(arguments.match) == std::string::npos;
    });
    if (arguments.plan) {
        return writeOut(arguments,
                        arguments.format == BenchFormat::Json
                            ? planJson(*plan)
                            : planText(*plan, textStyle(!arguments.output.empty(), false)));
    }
    for (const std::string& problem : plan->problems) {
        printWarning(problem);
    }
    BenchDocument document = newDocument(arguments, *plan);
    if (const auto done = runWorkers(arguments, *plan, document); !done) {
        return reportError(done.error());
    }
    std::erase_if(document.kernels, [&](const KernelResult& kernel) {
        return kernel.name.find(arguments.match) == std::string::npos;
    });
    if (arguments.keep) {
        const auto id = ResultStore(ResultStore::defaultFolder()).keep(document);
        if (id) {
            fmt::print(stderr, "kept as result {}\n", *id);
        } else {
            printWarning(id.error().message);
        }
    }
    return writeOut(arguments, benchOutput(arguments, document));
}

}  // namespace kinetoscope
