// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/kscope/Command.h"
#include "app/kscope/MachineFacts.h"
#include "app/kscope/OperatorArguments.h"
#include "app/kscope/Sink.h"
#include "app/kscope/Terminal.h"
#include "app/kscope/TorchWorker.h"
#include "core/base/TemporaryFiles.h"
#include "core/bench/operators/OperatorText.h"
#include "core/bench/results/ResultStore.h"
#include "core/metrics/SourceFolder.h"
#include "core/text/Printable.h"

namespace kinetoscope::app {

using Json = nlohmann::json;

namespace {

constexpr std::size_t kLargestInputs = 256U << 20U;
// PyTorch's libraries may come from a slow disk.
constexpr double kStartSeconds = 300.0;

Result<std::string> inputText(const bench::operators::OperatorDocument& document) {
    return document.inputFile.empty() ? bench::operators::operatorSuite(document.suite)
                                      : metrics::readSmallFile(document.inputFile, kLargestInputs);
}

std::string inputName(const bench::operators::OperatorDocument& document) {
    return document.inputFile.empty() ? "suite " + document.suite : document.inputFile;
}

std::vector<OperatorWork> selected(const bench::operators::OperatorInputs& inputs,
                                   const bench::operators::OperatorDocument& document) {
    std::vector<OperatorWork> works;
    for (const bench::operators::OperatorEntry& entry : inputs.operators) {
        if (document.operatorName != "all" && document.operatorName != entry.name) {
            continue;
        }
        OperatorWork work;
        work.entry = bench::operators::selectCalls(entry, document.startIndex, document.maxSamples);
        for (bench::operators::OperatorCall& call : work.entry.calls) {
            if (document.dtype != "recorded") {
                bench::operators::castCall(
                    call, document.dtype == "float32"    ? bench::operators::InputType::F32
                          : document.dtype == "bfloat16" ? bench::operators::InputType::Bf16
                                                         : bench::operators::InputType::F16);
            }
            if (document.channelsLast) {
                bench::operators::makeChannelsLast(call);
            }
        }
        works.push_back(std::move(work));
    }
    return works;
}

bench::operators::OperatorResult emptyResult(const bench::operators::OperatorEntry& entry,
                                             std::size_t startIndex) {
    bench::operators::OperatorResult result;
    result.name = entry.name;
    for (std::size_t i = 0; i < entry.calls.size(); ++i) {
        bench::operators::OperatorSample sample;
        sample.index = startIndex + i;
        sample.count = entry.calls[i].count;
        sample.input = bench::operators::formatCall(entry.calls[i]);
        result.samples.push_back(std::move(sample));
    }
    return result;
}

std::string output(const OperatorArguments& arguments,
                   const bench::operators::OperatorDocument& document) {
    const text::TextStyle style = textStyle(!arguments.output.empty(), false);
    switch (arguments.format) {
        case BenchFormat::Json:
            return bench::operators::operatorDocumentJson(document);
        case BenchFormat::Csv:
            return bench::operators::operatorCsv(document);
        case BenchFormat::Markdown:
            return bench::operators::operatorMarkdown(document);
        case BenchFormat::Compat:
            return {};  // its lines came out as it ran
        case BenchFormat::Text:
            break;
    }
    return arguments.plan ? bench::operators::operatorPlanText(document, style)
                          : bench::operators::operatorText(document, style);
}

int writeOut(const OperatorArguments& arguments, const std::string& text) {
    Sink sink(arguments.output);
    auto done = sink.write(text);
    if (done) {
        done = sink.finish();
    }
    return done ? kExitGood : reportError(done.error());
}

// What the kept result was asked for, with what it measured so far.
Result<bench::operators::OperatorDocument> resumed(const bench::results::ResultStore& store,
                                                   const OperatorArguments& arguments) {
    const auto kept = store.loadText(arguments.resume);
    if (!kept) {
        return tl::unexpected(kept.error());
    }
    auto document = bench::operators::parseOperatorDocument(kept->text);
    if (!document) {
        return fail(fmt::format("result {}: {}", kept->id, document.error().message));
    }
    document->id = kept->id;
    return document;
}

// Results of another run go to the operators of the same name and samples.
void takeDone(bench::operators::OperatorDocument& document,
              std::vector<bench::operators::OperatorResult> results) {
    for (bench::operators::OperatorResult& result : document.operators) {
        const auto old = std::find_if(results.begin(), results.end(), [&](const auto& one) {
            return one.done && one.name == result.name;
        });
        if (old != results.end()) {
            result = std::move(*old);
        }
    }
}

// The inputs into the document; fails when there are none for the operator.
Result<std::vector<OperatorWork>> prepare(bench::operators::OperatorDocument& document) {
    const auto text = inputText(document);
    if (!text) {
        return tl::unexpected(text.error());
    }
    const bench::operators::OperatorInputs inputs = bench::operators::readOperatorInputs(*text);
    document.problems = inputs.problems;
    auto works = selected(inputs, document);
    if (works.empty()) {
        const bench::operators::InputProblem* first =
            inputs.problems.empty() ? nullptr : &inputs.problems.front();
        return fail(first != nullptr && document.operatorName == "all"
                        ? fmt::format("{}: no inputs; line {}, column {}: {}", inputName(document),
                                      first->line, first->column, first->message)
                        : fmt::format("{}: no inputs for {}; --plan lists the operators",
                                      inputName(document), document.operatorName));
    }
    document.operators.clear();
    for (const OperatorWork& work : works) {
        document.operators.push_back(emptyResult(work.entry, document.startIndex));
    }
    return works;
}

void warnOfProblems(const bench::operators::OperatorDocument& document) {
    if (!document.problems.empty()) {
        const bench::operators::InputProblem& first = document.problems.front();
        printWarning(fmt::format("{}: {} lines left out, the first at line {}, column {}: {}",
                                 inputName(document), document.problems.size(), first.line,
                                 first.column, first.message));
    }
}

// The device that is used where none was asked for, and whether packages open there.
Result<TorchFacts> askTorch(const std::string& program, const std::string& device) {
    TorchFacts facts;
    const auto ending =
        runTorchWorker({program}, {{"task", "facts"}, {"device", device}}, kStartSeconds, facts,
                       [](const Json&, const std::string&) {});
    if (!ending) {
        return tl::unexpected(ending.error());
    }
    if (!ending->failure.empty() || facts.version.empty()) {
        return fail(ending->failure.empty() ? "kscope-torch does not work: " + ending->sentence
                                            : ending->failure);
    }
    return facts;
}

bool wants(const bench::operators::OperatorDocument& document, const char* name) {
    return std::find(document.implementations.begin(), document.implementations.end(), name) !=
           document.implementations.end();
}

void addPackages(std::vector<OperatorWork>& works, bench::operators::OperatorDocument& document,
                 const TorchFacts& facts, const std::string& folder) {
    if (!wants(document, "inductor")) {
        return;
    }
    std::string reason;
    if (!facts.packages) {
        reason = fmt::format("PyTorch {} opens no AOTInductor packages; 2.6 and later do",
                             facts.version);
    } else {
        compilePackages(works, document, folder, reason);
    }
    if (!reason.empty()) {
        document.unavailable["inductor"] = reason;
        std::erase(document.implementations, "inductor");
    }
}

int finish(const OperatorArguments& arguments, const bench::operators::OperatorDocument& document) {
    const bool said = arguments.stream || arguments.format == BenchFormat::Compat;
    const int written = said ? kExitGood : writeOut(arguments, output(arguments, document));
    if (written != kExitGood) {
        return written;
    }
    if (const std::size_t count = document.inaccurate(); count > 0) {
        printError(fmt::format("{} results differ from those of eager", count));
        return kExitOutput;
    }
    return kExitGood;
}

}  // namespace

int runBenchOperators(const OperatorArguments& arguments) {
    const bench::results::ResultStore store(bench::results::ResultStore::defaultFolder());
    bench::operators::OperatorDocument document = arguments.document;
    std::vector<bench::operators::OperatorResult> before;
    if (!arguments.resume.empty()) {
        auto old = resumed(store, arguments);
        if (!old) {
            return reportError(old.error());
        }
        document = std::move(*old);
        before = std::move(document.operators);
    } else {
        describeMachine(document.created, document.host, document.system);
    }
    auto works = prepare(document);
    if (!works) {
        return reportError(works.error());
    }
    if (arguments.plan) {
        return writeOut(arguments, output(arguments, document));
    }
    warnOfProblems(document);
    const auto program = torchProgram();
    const auto facts =
        program ? askTorch(*program, document.device) : tl::unexpected(program.error());
    if (!facts) {
        return reportError(facts.error());
    }
    document.device = facts->device;
    document.torchVersion = facts->version;
    document.gpu = facts->gpu;
    takeDone(document, std::move(before));
    const auto keep = [&] {
        if (!arguments.keep) {
            return;
        }
        const std::string text = bench::operators::operatorDocumentJson(document);
        auto id = document.id.empty()
                      ? store.keepText(document.created, text)
                      : store.replace(document.id, text).map([&] { return document.id; });
        if (id) {
            document.id = *id;
        } else {
            printWarning(id.error().message);
        }
    };
    const auto run = [&]() -> Result<void> {
        const capture::StopSignals stopping;  // outlives the folder
        const TemporaryFolder folder;
        addPackages(*works, document, *facts, folder.path());
        if (WorkerProcess::isCancelled()) {
            return fail("cancelled", ErrorKind::Cancelled);
        }
        return runOperators(arguments, *program, *works, document, keep);
    };
    if (const auto done = run(); !done) {
        return reportError(done.error());
    }
    if (!document.id.empty()) {
        printNote(fmt::format("kept as result {}", document.id));
    }
    return finish(arguments, document);
}

}  // namespace kinetoscope::app
