// SPDX-License-Identifier: Apache-2.0
#include "core/compare/CompareInput.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/bench/BenchJson.h"
#include "core/bench/ResultStore.h"
#include "core/compare/ResultCompare.h"

namespace kinetoscope {

namespace {

// The schema is a document's first member; a trace that mentions it does so later or never.
constexpr std::size_t kHead = 512;
constexpr std::string_view kResultSchema = "\"kinetoscope.result/";

bool isResult(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string head(kHead, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    return head.find(kResultSchema) != std::string::npos;
}

Result<BenchDocument> readResult(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    auto document = parseBenchDocument(text.str());
    if (!document) {
        return fail(path + ": " + document.error().message);
    }
    document->id = path;
    return document;
}

}  // namespace

Result<CompareInput> loadCompareInput(const std::string& path, const LoadOptions& options) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        if (auto kept = ResultStore(ResultStore::defaultFolder()).load(path)) {
            return CompareInput(std::move(*kept));
        }
    }
    if (isResult(path)) {
        return readResult(path).map(
            [](BenchDocument&& document) { return CompareInput(std::move(document)); });
    }
    auto trace = loadTrace(path, options);
    if (!trace) {
        return tl::unexpected(trace.error());
    }
    return CompareInput(makeComparedRun(std::move(*trace)));
}

Result<Comparison> compareInputs(const Baseline<const CompareInput*>& base,
                                 const Candidate<const CompareInput*>& candidate,
                                 const CompareOptions& options) {
    const auto* baseRun = std::get_if<ComparedRun>(*base);
    const auto* candidateRun = std::get_if<ComparedRun>(*candidate);
    if (baseRun != nullptr && candidateRun != nullptr) {
        return compareRuns(Baseline(baseRun), Candidate(candidateRun), options);
    }
    if (baseRun != nullptr || candidateRun != nullptr) {
        return fail("a trace can't be compared with a benchmark's result; give two of one kind");
    }
    CompareOptions ofResults = options;
    ofResults.rule.tolerance = kBenchTolerance;
    return compareResults(Baseline(&std::get<BenchDocument>(**base)),
                          Candidate(&std::get<BenchDocument>(**candidate)), ofResults);
}

}  // namespace kinetoscope
