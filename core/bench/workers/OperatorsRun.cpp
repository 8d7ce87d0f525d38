// SPDX-License-Identifier: Apache-2.0
#include "core/bench/workers/OperatorsRun.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/TemporaryFiles.h"
#include "core/bench/results/ResultDocument.h"
#include "core/bench/results/ResultStore.h"
#include "core/bench/workers/OperatorWork.h"
#include "core/bench/workers/SaveResult.h"
#include "core/bench/workers/TorchWorker.h"
#include "core/bench/workers/WorkerProcess.h"
#include "core/metrics/SourceFolder.h"
#include "core/text/Printable.h"

namespace kinetoscope::bench::workers {

using Json = nlohmann::json;

namespace {

constexpr std::size_t kMaxInputBytes = 256U << 20U;
// PyTorch's libraries may come from a slow disk.
constexpr double kStartSeconds = 300.0;

Result<std::string> inputText(const results::OperatorOptions& options) {
    return options.inputFile.empty() ? operators::operatorSuite(options.suite)
                                     : metrics::readSmallFile(options.inputFile, kMaxInputBytes);
}

std::string inputName(const results::OperatorOptions& options) {
    return options.inputFile.empty() ? "suite " + options.suite : options.inputFile;
}

// "all", or names with commas between them.
bool isWanted(const std::string& names, const std::string& name) {
    const auto at = ("," + names + ",").find("," + name + ",");
    return names == "all" || at != std::string::npos;
}

std::vector<OperatorWork> selected(const operators::OperatorInputs& inputs,
                                   const results::OperatorOptions& options) {
    std::vector<OperatorWork> works;
    for (const operators::OperatorEntry& entry : inputs.operators) {
        if (!isWanted(options.operatorName, entry.name)) {
            continue;
        }
        OperatorWork work;
        work.entry = operators::selectCalls(entry, options.startIndex, options.maxSamples);
        for (operators::OperatorCall& call : work.entry.calls) {
            if (options.dtype != "recorded") {
                operators::castCall(call, options.dtype == "float32" ? operators::InputType::F32
                                          : options.dtype == "bfloat16"
                                              ? operators::InputType::Bf16
                                              : operators::InputType::F16);
            }
            if (options.channelsLast) {
                operators::makeChannelsLast(call);
            }
        }
        works.push_back(std::move(work));
    }
    return works;
}

results::BenchItem emptyResult(const operators::OperatorEntry& entry, std::size_t startIndex) {
    results::BenchItem result;
    result.name = entry.name;
    for (std::size_t i = 0; i < entry.calls.size(); ++i) {
        results::BenchItem sample;
        sample.index = startIndex + i;
        sample.count = entry.calls[i].count;
        sample.name = operators::formatCall(entry.calls[i]);
        result.parts.push_back(std::move(sample));
    }
    return result;
}

// The options of the saved result, with what it has measured so far.
Result<results::ResultDocument> resumed(const std::string& id) {
    const auto kept = results::ResultStore(results::ResultStore::defaultFolder()).loadText(id);
    if (!kept) {
        return tl::unexpected(kept.error());
    }
    auto document = results::parseResult(kept->text, results::ResultKind::Operators);
    if (!document) {
        return fail(fmt::format("result {}: {}", kept->id, document.error().message));
    }
    document->id = kept->id;
    return document;
}

// Results of another run go to the operators of the same name and samples.
void takeDone(results::ResultDocument& document, std::vector<results::BenchItem> results) {
    for (results::BenchItem& result : document.items) {
        const auto old = std::find_if(results.begin(), results.end(), [&](const auto& one) {
            return one.done && one.name == result.name;
        });
        if (old != results.end()) {
            result = std::move(*old);
        }
    }
}

tl::unexpected<Error> nothingTraced(const results::TraceOrigin& trace) {
    const results::LeftOutCall& first = trace.leftOut.front();
    return fail(fmt::format("'{}': no operator of it can be measured; {}: {}",
                            text::printable(trace.path), text::printable(first.name),
                            text::printable(first.reason)));
}

// Puts the inputs into the document; fails if the operator has none.
Result<std::vector<OperatorWork>> prepare(const OperatorsRun& run,
                                          results::ResultDocument& document) {
    if (document.trace && !run.resume.empty()) {
        return fail(fmt::format("result {}: its inputs come from {}; start over with --from",
                                document.id, text::printable(document.trace->path)));
    }
    if (document.trace) {
        return run.traced.empty()
                   ? nothingTraced(*document.trace)
                   : Result<std::vector<OperatorWork>>(tracedWorks(run.traced, document));
    }
    const auto text = inputText(document.options);
    if (!text) {
        return tl::unexpected(text.error());
    }
    const operators::OperatorInputs inputs = operators::readOperatorInputs(*text);
    document.problems = inputs.problems;
    auto works = selected(inputs, document.options);
    if (works.empty()) {
        const operators::InputProblem* first =
            inputs.problems.empty() ? nullptr : &inputs.problems.front();
        return fail(first != nullptr && document.options.operatorName == "all"
                        ? fmt::format("{}: no inputs; line {}, column {}: {}",
                                      inputName(document.options), first->line, first->column,
                                      first->message)
                        : fmt::format("{}: no inputs for {}; --plan lists the operators",
                                      inputName(document.options), document.options.operatorName));
    }
    document.items.clear();
    for (const OperatorWork& work : works) {
        document.items.push_back(emptyResult(work.entry, document.options.startIndex));
    }
    return works;
}

void warnOfProblems(const results::ResultDocument& document, BenchConsole& console) {
    if (!document.problems.empty()) {
        const operators::InputProblem& first = document.problems.front();
        console.warn(fmt::format("{}: {} lines left out, the first at line {}, column {}: {}",
                                 inputName(document.options), document.problems.size(), first.line,
                                 first.column, first.message));
    }
}

void warnOfLeftOut(const results::TraceOrigin& trace, BenchConsole& console) {
    for (const results::LeftOutCall& one : trace.leftOut) {
        console.warn(fmt::format("{}: not measured: {}", text::printable(one.name),
                                 text::printable(one.reason)));
    }
}

// The device used by default, and whether packages open there.
Result<TorchFacts> askTorch(const std::string& program, const std::string& device,
                            BenchConsole& console) {
    TorchFacts facts;
    const auto ending =
        runTorchWorker({program}, {{"task", "facts"}, {"device", device}}, kStartSeconds, facts,
                       console, [](const Json&, const std::string&) {});
    if (!ending) {
        return tl::unexpected(ending.error());
    }
    if (!ending->failure.empty() || facts.version.empty()) {
        return fail(ending->failure.empty() ? "kscope-torch does not work: " + ending->sentence
                                            : ending->failure);
    }
    return facts;
}

bool wants(const results::ResultDocument& document, const char* name) {
    return std::find(document.options.implementations.begin(),
                     document.options.implementations.end(),
                     name) != document.options.implementations.end();
}

void addPackages(std::vector<OperatorWork>& works, results::ResultDocument& document,
                 const TorchFacts& facts, const std::string& folder, BenchConsole& console) {
    if (!wants(document, "inductor")) {
        return;
    }
    std::string reason;
    if (!facts.packages) {
        reason = fmt::format("PyTorch {} cannot open AOTInductor packages; 2.6 and later can",
                             facts.version);
    } else {
        compilePackages(works, document, folder, reason, console);
    }
    if (!reason.empty()) {
        document.unavailable["inductor"] = reason;
        std::erase(document.options.implementations, "inductor");
    }
}

// The saved document to continue, or a new one with these options.
struct Begun {
    results::ResultDocument document;
    std::vector<results::BenchItem> before;
};

Result<Begun> begin(const OperatorsRun& run) {
    Begun begun{run.document, {}};
    if (run.resume.empty()) {
        results::describeRun(begun.document);
        return begun;
    }
    return resumed(run.resume).map([](results::ResultDocument old) {
        Begun again{std::move(old), {}};
        again.before = std::move(again.document.items);
        return again;
    });
}

}  // namespace

Result<results::ResultDocument> planOperators(const OperatorsRun& run) {
    auto begun = begin(run);
    if (!begun) {
        return tl::unexpected(begun.error());
    }
    const auto works = prepare(run, begun->document);
    return works ? Result<results::ResultDocument>(std::move(begun->document))
                 : tl::unexpected(works.error());
}

Result<results::ResultDocument> runOperators(const OperatorsRun& run, BenchConsole& console) {
    auto begun = begin(run);
    auto works = begun ? prepare(run, begun->document) : tl::unexpected(begun.error());
    if (!works) {
        return tl::unexpected(works.error());
    }
    results::ResultDocument& document = begun->document;
    warnOfProblems(document, console);
    const auto program = torchProgram();
    const auto facts =
        program ? askTorch(*program, document.device, console) : tl::unexpected(program.error());
    if (!facts) {
        return tl::unexpected(facts.error());
    }
    facts->describe(document);
    if (document.trace) {
        const auto calls =
            findOverloads(*program, document.device, run.traced, *document.trace, console);
        if (!calls) {
            return tl::unexpected(calls.error());
        }
        if (calls->empty()) {
            return nothingTraced(*document.trace);
        }
        works = tracedWorks(*calls, document);
        warnOfLeftOut(*document.trace, console);
    }
    takeDone(document, std::move(begun->before));
    const auto keep = [&] {
        if (run.save) {
            saveQuietly(document, results::resultJson(document), console);
        }
    };
    const auto done = [&]() -> Result<void> {
        const capture::StopSignals stopping;  // outlives the folder
        const TemporaryFolder folder;
        addPackages(*works, document, *facts, folder.path(), console);
        if (WorkerProcess::isCancelled()) {
            return fail("cancelled", ErrorKind::Cancelled);
        }
        auto ran = runWorks(run, *program, *works, document, console, keep);
        if (ran && document.trace) {
            nameKernels(run, *program, *works, document, console);
            keep();
        }
        return ran;
    }();
    if (!done) {
        return tl::unexpected(done.error());
    }
    if (!document.id.empty()) {
        console.note("saved as result " + document.id);
    }
    return std::move(document);
}

}  // namespace kinetoscope::bench::workers
