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
template <class Document>
std::string again(const Document& document) {
    const std::string text = bench::results::resultJson(document);
    const auto second = bench::results::parseResultAs<Document>(text);
    return !json::isJson(text) ? "a result is written as no JSON"
           : !second           ? "a written result cannot be read: " + second.error().message
           : bench::results::resultJson(*second) != text
               ? "a result changes when it is written and read"
               : std::string();
}

inline void tryOwnLines(const bench::results::KernelDocument& document) {
    (void)bench::results::kernelCompat(document, {}, false);
}

inline void tryOwnLines(const bench::results::OperatorDocument& document) {
    (void)bench::results::operatorPlanText(document, {});
    for (const bench::results::OperatorResult& result : document.operators) {
        (void)bench::results::compatSpeedups(result, true);
    }
}

inline void tryOwnLines(const bench::results::ModuleDocument& document) {
    (void)bench::results::moduleOssJson(document);
    (void)bench::results::modulePepJson(document);
}

template <class Document>
std::string tryDocument(const Document& document) {
    const bench::results::ResultSheet sheet = bench::results::resultSheet(document, true);
    tryOwnLines(document);
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
    bench::results::ResultStream<bench::results::KernelDocument> kernels;
    bench::results::ResultStream<bench::results::OperatorDocument> operators;
    bench::results::ResultStream<bench::results::ModuleDocument> modules;
    for (const std::string& line :
         {R"({"event":"plan","document":)" + std::string(text) + "}", std::string(text)}) {
        (void)kernels.take(line);
        (void)operators.take(line);
        (void)modules.take(line);
    }
}

}  // namespace detail

/// What is wrong; empty when nothing is.
[[nodiscard]] inline std::string tryResult(std::string_view text) {
    detail::tryStreams(text);
    const auto result = bench::results::parseResult(text);
    std::string problem =
        result ? std::visit([](const auto& one) { return detail::tryDocument(one); }, *result)
        : detail::isLine(result.error().message) ? ""
                                                 : "a message is not a line";
    const auto measured = compare::parseMeasuredResult(text);
    if (!problem.empty() || measured.has_value() != result.has_value()) {
        return problem.empty() ? "not all read it alike" : problem;
    }
    return measured ? detail::tryComparing(*measured) : std::string();
}

}  // namespace kinetoscope::test
