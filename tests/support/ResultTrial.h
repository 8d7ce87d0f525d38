// SPDX-License-Identifier: Apache-2.0
// Everything that is done with a saved result, for whatever text one may hold.
#pragma once

#include <string>

#include "core/bench/results/KernelText.h"
#include "core/bench/results/ModuleText.h"
#include "core/bench/results/OperatorText.h"
#include "core/bench/results/ResultDocument.h"
#include "core/bench/results/ResultSheet.h"
#include "core/bench/results/ResultStream.h"
#include "core/compare/CompareInput.h"
#include "core/compare/CompareJson.h"
#include "core/compare/CompareText.h"
#include "core/json/Json.h"

namespace kinetoscope::test {

namespace detail {

inline bool isLine(const std::string& text) {
    return !text.empty() && text.find('\n') == std::string::npos;
}

// Writing what was read and reading it again changes nothing any more.
inline std::string again(const bench::results::ResultDocument& document) {
    const std::string text = bench::results::resultJson(document);
    const auto second = bench::results::parseResult(text, document.kind);
    return !json::isJson(text) ? "a result is written as no JSON"
           : !second           ? "a written result cannot be read: " + second.error().message
           : bench::results::resultJson(*second) != text
               ? "a result changes when it is written and read"
               : std::string();
}

inline std::string tryDocument(const bench::results::ResultDocument& document) {
    const bench::results::ResultSheet sheet = bench::results::resultSheet(document, true);
    (void)bench::results::kernelCompat(document, {}, false);
    (void)bench::results::operatorPlanText(document, {});
    for (const bench::results::BenchItem& item : document.items) {
        (void)bench::results::compatSpeedups(item, true);
    }
    (void)bench::results::moduleOssJson(document);
    (void)bench::results::modulePepJson(document);
    const bool written = !bench::results::sheetText(sheet, {}).empty() &&
                         !bench::results::sheetMarkdown(sheet).empty() &&
                         !bench::results::resultCsv(document).empty();
    return written ? again(document) : "a table of a result is empty";
}

inline std::string tryComparing(const compare::MeasuredResult& result) {
    const auto pooled = compare::pooledResult({result, result, result});
    if (!pooled) {
        return "runs of one result cannot be pooled";
    }
    const compare::CompareInput base(result);
    const compare::CompareInput candidate(*pooled);
    for (const compare::CompareInput* other : {&base, &candidate}) {
        const auto comparison =
            compare::compareInputs(compare::Baseline(&base), compare::Candidate(other), {});
        if (comparison ? !json::isJson(compare::compareJson(*comparison)) ||
                             compare::compareText(*comparison, {}, {}).empty() ||
                             compare::compareMarkdown(*comparison, {}).empty()
                       : !isLine(comparison.error().message)) {
            return "a comparison of results is wrong";
        }
    }
    return {};
}

// What a bench says while it runs is read by the same functions.
inline void tryStreams(std::string_view text) {
    using bench::results::ResultKind;
    for (const ResultKind kind :
         {ResultKind::Kernels, ResultKind::Operators, ResultKind::Modules}) {
        bench::results::ResultStream stream(kind);
        (void)stream.take(R"({"event":"plan","document":)" + std::string(text) + "}");
        (void)stream.take(text);
    }
}

}  // namespace detail

/// What is wrong; empty when nothing is.
[[nodiscard]] inline std::string tryResult(std::string_view text) {
    detail::tryStreams(text);
    const auto result = bench::results::parseResult(text);
    std::string problem = result                                   ? detail::tryDocument(*result)
                          : detail::isLine(result.error().message) ? ""
                                                                   : "a message is not a line";
    const auto measured = compare::parseMeasuredResult(text);
    if (!problem.empty() || measured.has_value() != result.has_value()) {
        return problem.empty() ? "not all read it alike" : problem;
    }
    return measured ? detail::tryComparing(*measured) : std::string();
}

}  // namespace kinetoscope::test
