// SPDX-License-Identifier: Apache-2.0
// Everything that is done with a saved result, for whatever text one may hold.
#pragma once

#include <string>

#include "core/bench/modules/ModuleStream.h"
#include "core/bench/modules/ModuleText.h"
#include "core/bench/operators/OperatorStream.h"
#include "core/bench/operators/OperatorText.h"
#include "core/bench/results/BenchJson.h"
#include "core/bench/results/BenchText.h"
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
    return !isJson(text)            ? "a result is written as no JSON"
           : !second                ? "a written result cannot be read: " + second.error().message
           : write(*second) != text ? "a result changes when it is written and read"
                                    : std::string();
}

inline std::string tryKernels(const BenchDocument& document) {
    const bool written = !benchText(document, {}, {}).empty() &&
                         !benchMarkdown(document, {}).empty() && !benchCsv(document).empty();
    (void)benchCompat(document, {}, false);
    return written ? again(document, benchDocumentJson, parseBenchDocument)
                   : "a table of kernels is empty";
}

inline std::string tryOperators(const OperatorDocument& document) {
    const bool written = !operatorText(document, TextStyle()).empty() &&
                         !operatorMarkdown(document).empty() && !operatorCsv(document).empty() &&
                         !operatorPlanText(document, {}).empty();
    for (const OperatorResult& result : document.operators) {
        (void)compatSpeedups(result, true);
    }
    return written ? again(document, operatorDocumentJson, parseOperatorDocument)
                   : "a table of operators is empty";
}

inline std::string tryModules(const ModuleDocument& document) {
    const bool written = !moduleText(document, {}).empty() && !moduleMarkdown(document).empty() &&
                         !moduleCsv(document).empty() && !moduleOssJson(document).empty();
    (void)modulePepJson(document);
    return written ? again(document, moduleDocumentJson, parseModuleDocument)
                   : "a table of modules is empty";
}

inline std::string tryComparing(const MeasuredResult& result) {
    const auto pooled = pooledResult({result, result, result});
    if (!pooled) {
        return "runs of one result cannot be pooled";
    }
    const CompareInput base(result);
    const CompareInput candidate(*pooled);
    for (const CompareInput* other : {&base, &candidate}) {
        const auto comparison = compareInputs(Baseline(&base), Candidate(other), {});
        if (comparison
                ? !isJson(compareJson(*comparison)) || compareText(*comparison, {}, {}).empty() ||
                      compareMarkdown(*comparison, {}).empty()
                : !isLine(comparison.error().message)) {
            return "a comparison of results is wrong";
        }
    }
    return {};
}

// What a bench says while it runs is read by the same functions.
inline void tryStreams(std::string_view text) {
    OperatorStream operators;
    ModuleStream modules;
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
    if (const auto kernels = parseBenchDocument(text)) {
        problem = detail::tryKernels(*kernels);
    } else if (const auto operators = parseOperatorDocument(text)) {
        problem = detail::tryOperators(*operators);
    } else if (const auto modules = parseModuleDocument(text)) {
        problem = detail::tryModules(*modules);
    } else {
        known = false;
        problem = detail::isLine(modules.error().message) ? "" : "a message is no line";
    }
    const auto measured = parseMeasuredResult(text);
    if (!problem.empty() || measured.has_value() != known) {
        return problem.empty() ? "not all read it alike" : problem;
    }
    return measured ? detail::tryComparing(*measured) : std::string();
}

}  // namespace kinetoscope::test
