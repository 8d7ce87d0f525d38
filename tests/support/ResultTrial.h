// SPDX-License-Identifier: Apache-2.0
// Everything that is done with a saved result, for whatever text one may hold.
#pragma once

#include <string>

#include "core/bench/results/BenchJson.h"
#include "core/bench/results/BenchText.h"
#include "core/bench/results/ModuleStream.h"
#include "core/bench/results/ModuleText.h"
#include "core/bench/results/OperatorStream.h"
#include "core/bench/results/OperatorText.h"
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
std::string again(const Document& document, std::string (*write)(const Document&),
                  Result<Document> (*read)(std::string_view)) {
    const std::string text = write(document);
    const auto second = read(text);
    return !json::isJson(text)      ? "a result is written as no JSON"
           : !second                ? "a written result cannot be read: " + second.error().message
           : write(*second) != text ? "a result changes when it is written and read"
                                    : std::string();
}

inline std::string tryKernels(const bench::results::BenchDocument& document) {
    const bool written = !bench::results::benchText(document, {}, {}).empty() &&
                         !bench::results::benchMarkdown(document, {}).empty() &&
                         !bench::results::benchCsv(document).empty();
    (void)bench::results::benchCompat(document, {}, false);
    return written ? again(document, bench::results::benchDocumentJson,
                           bench::results::parseBenchDocument)
                   : "a table of kernels is empty";
}

inline std::string tryOperators(const bench::results::OperatorDocument& document) {
    const bool written = !bench::results::operatorText(document, text::TextStyle()).empty() &&
                         !bench::results::operatorMarkdown(document).empty() &&
                         !bench::results::operatorCsv(document).empty() &&
                         !bench::results::operatorPlanText(document, {}).empty();
    for (const bench::results::OperatorResult& result : document.operators) {
        (void)bench::results::compatSpeedups(result, true);
    }
    return written ? again(document, bench::results::operatorDocumentJson,
                           bench::results::parseOperatorDocument)
                   : "a table of operators is empty";
}

inline std::string tryModules(const bench::results::ModuleDocument& document) {
    const bool written = !bench::results::moduleText(document, {}).empty() &&
                         !bench::results::moduleMarkdown(document).empty() &&
                         !bench::results::moduleCsv(document).empty() &&
                         !bench::results::moduleOssJson(document).empty();
    (void)bench::results::modulePepJson(document);
    return written ? again(document, bench::results::moduleDocumentJson,
                           bench::results::parseModuleDocument)
                   : "a table of modules is empty";
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
    bench::results::OperatorStream operators;
    bench::results::ModuleStream modules;
    for (const std::string& line :
         {std::string(text), R"({"event":"plan","document":)" + std::string(text) + "}"}) {
        (void)operators.take(line);
        (void)modules.take(line);
    }
}

}  // namespace detail

/// What is wrong; empty when nothing is.
[[nodiscard]] inline std::string tryResult(std::string_view text) {
    detail::tryStreams(text);
    std::string problem;
    bool known = true;
    if (const auto kernels = bench::results::parseBenchDocument(text)) {
        problem = detail::tryKernels(*kernels);
    } else if (const auto operators = bench::results::parseOperatorDocument(text)) {
        problem = detail::tryOperators(*operators);
    } else if (const auto modules = bench::results::parseModuleDocument(text)) {
        problem = detail::tryModules(*modules);
    } else {
        known = false;
        problem = detail::isLine(modules.error().message) ? "" : "a message is no line";
    }
    const auto measured = compare::parseMeasuredResult(text);
    if (!problem.empty() || measured.has_value() != known) {
        return problem.empty() ? "not all read it alike" : problem;
    }
    return measured ? detail::tryComparing(*measured) : std::string();
}

}  // namespace kinetoscope::test
