// SPDX-License-Identifier: Apache-2.0
#include "core/compare/CompareInput.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/base/Threads.h"
#include "core/compare/ResultCompare.h"
#include "core/text/Printable.h"

namespace kinetoscope::compare {

namespace {

// The schema is a document's first member; a trace that mentions it does so later or never.
constexpr std::size_t kHead = 512;
constexpr std::string_view kResultSchema = "\"kinetoscope.result/";

Result<MeasuredResult> measuredOf(const ResultText& found) {
    auto result = parseMeasuredResult(found.text);
    if (!result) {
        return fail(fmt::format("'{}': {}", found.id, result.error().message));
    }
    result->id = found.id;
    return result;
}

// "RUN,RUN…"
Result<CompareInput> loadRuns(const std::string& list, const import::LoadOptions& options) {
    std::vector<MeasuredResult> runs;
    std::istringstream names(list);
    for (std::string name; std::getline(names, name, ',');) {
        auto run = loadCompareInput(name, options);
        if (!run) {
            return run;
        }
        auto* result = std::get_if<MeasuredResult>(&*run);
        if (result == nullptr) {
            return fail(
                fmt::format("{} is a trace; only bench results can be joined with commas", name),
                ErrorKind::BadInput);
        }
        runs.push_back(std::move(*result));
    }
    return pooledResult(runs).map(
        [](MeasuredResult&& result) { return CompareInput(std::move(result)); });
}

Result<CompareInput> loadInput(const std::string& path, const import::LoadOptions& options) {
    std::error_code error;
    if (path.find(',') != std::string::npos && !std::filesystem::exists(path, error)) {
        return loadRuns(path, options);
    }
    const auto result = findResult(path);
    if (!result) {
        return tl::unexpected(result.error());
    }
    if (*result) {
        return measuredOf(**result).map(
            [](MeasuredResult&& measured) { return CompareInput(std::move(measured)); });
    }
    auto trace = import::loadTrace(path, options);
    if (!trace) {
        return tl::unexpected(trace.error());
    }
    auto run = makeComparedRun(std::move(*trace), options.stop);
    if (!run) {
        return tl::unexpected(run.error());
    }
    return CompareInput(std::move(*run));
}

std::string kindOf(const CompareInput& input) {
    const auto* result = std::get_if<MeasuredResult>(&input);
    return result == nullptr
               ? "a trace"
               : fmt::format("a result of kscope bench {}", bench::results::kindName(result->kind));
}

}  // namespace

bool isResultFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string head(kHead, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    return head.find(kResultSchema) != std::string::npos;
}

Result<std::optional<ResultText>> findResult(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        const bench::results::ResultStore store(bench::results::ResultStore::defaultFolder());
        auto kept = store.loadText(path);
        return kept ? std::optional(ResultText{kept->id, std::move(kept->text)}) : std::nullopt;
    }
    if (!isResultFile(path)) {
        return std::nullopt;
    }
    return bench::results::readResultFile(path).map([&path](std::string&& text) {
        return std::optional(ResultText{path, std::move(text)});
    });
}

Result<MeasuredResult> loadMeasuredResult(const bench::results::ResultStore& store,
                                          const std::string& id) {
    const auto kept = store.loadText(id);
    if (!kept) {
        return tl::unexpected(kept.error());
    }
    return measuredOf({kept->id, kept->text});
}

Result<void> requireKernels(const ComparedRun& run, const std::string& path) {
    return run.launches.empty()
               ? fail(fmt::format(
                     "'{}': has no kernels, so there is nothing to compare; record with "
                     "CUDA activities",
                     text::printable(path)))
               : Result<void>{};
}

Result<CompareInput> loadCompareInput(const std::string& path, const import::LoadOptions& options) {
    return guarded([&] { return loadInput(path, options); });
}

Result<Comparison> compareInputs(const Baseline<const CompareInput*>& base,
                                 const Candidate<const CompareInput*>& candidate,
                                 const CompareOptions& options) {
    const std::string baseKind = kindOf(**base);
    const std::string candidateKind = kindOf(**candidate);
    if (baseKind != candidateKind) {
        return fail(fmt::format("{} cannot be compared with {}; give two of the same kind",
                                baseKind, candidateKind));
    }
    if (const auto* run = std::get_if<ComparedRun>(*base)) {
        return compareRuns(Baseline(run), Candidate(&std::get<ComparedRun>(**candidate)), options);
    }
    CompareOptions ofResults = options;
    ofResults.rule.tolerance = stats::kBenchTolerance;
    return guarded([&]() -> Result<Comparison> {
        return compareResults(Baseline(&std::get<MeasuredResult>(**base)),
                              Candidate(&std::get<MeasuredResult>(**candidate)), ofResults);
    });
}

Result<SelfChecks> checkInputs(std::span<const CompareInput> inputs,
                               const CompareOptions& options) {
    SelfChecks all;
    const ComparedRun* before = nullptr;
    for (const CompareInput& input : inputs) {
        const auto* run = std::get_if<ComparedRun>(&input);
        if (run == nullptr) {
            return fail("--self needs traces; a benchmark's result has one run only");
        }
        auto halves = checkHalves(*run, options);
        if (!halves) {
            return tl::unexpected(halves.error());
        }
        all.checks.push_back(std::move(*halves));
        if (before != nullptr && !areRunsOfOneProgram(*before, *run)) {
            all.skipped.push_back(
                fmt::format("{} and {} are not two runs of the same program; not compared",
                            text::printable(before->trace->info().path),
                            text::printable(run->trace->info().path)));
        } else if (before != nullptr) {
            auto runs = checkRuns(*before, *run, options);
            if (!runs) {
                return tl::unexpected(runs.error());
            }
            all.checks.push_back(std::move(*runs));
        }
        before = run;
    }
    return all;
}

}  // namespace kinetoscope::compare
