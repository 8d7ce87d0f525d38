// SPDX-License-Identifier: Apache-2.0
// Results in which every text is hostile: a formula, an escape of the terminal, markup. None of it
// may come out of anything that is written of them.
#include <QtTest>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "core/bench/plan/PlanJson.h"
#include "core/bench/results/KernelText.h"
#include "core/bench/results/ModuleText.h"
#include "core/bench/results/OperatorText.h"
#include "core/bench/results/ResultSheet.h"
#include "core/compare/CompareJson.h"
#include "core/metrics/Csv.h"

using namespace kinetoscope;
using namespace kinetoscope::bench::results;
using namespace kinetoscope::metrics;
using namespace kinetoscope::text;
using Json = nlohmann::ordered_json;

namespace {

// A formula, ESC and the 8-bit CSI, a mark that reorders the line, a cell's end, an image.
const std::string kHostile = "=1+1|\x1b[31m\u009b31m\u202e<img src=x>\n[a](b)`\x7f";

void poison(Json& json) {
    if (json.is_string()) {
        json = kHostile + json.get<std::string>();
    } else if (json.is_structured()) {
        for (auto entry = json.begin(); entry != json.end(); ++entry) {
            const bool fixed =
                json.is_object() && (entry.key() == "schema" || entry.key() == "kind");
            if (!fixed) {
                poison(*entry);
            }
        }
    }
}

std::string poisoned(const std::string& document) {
    Json json = Json::parse(document);
    poison(json);
    return json.dump();
}

KernelDocument benchDocument() {
    KernelDocument document;
    document.created = "2026-11-22T10:00:00Z";
    document.method = "compat";
    document.gpu.name = "GPU";
    document.gpu.driver = "1";
    document.candidates = 1;
    ConfigResult config;
    config.label = "XBLOCK: 8";
    config.samples = {{1000.0, 1500.0, false}, {1100.0, 1500.0, true}};
    KernelResult run;
    run.name = "kernel";
    run.key = "key";
    run.category = "pointwise";
    run.configs = {config, config};
    run.accuracy = AccuracyResult{0.5, 0.25, "out"};
    KernelResult failed = run;
    failed.configs.clear();
    failed.reason = "no get_args";
    document.kernels = {run, failed};
    return document;
}

OperatorDocument operatorDocument() {
    OperatorDocument document;
    document.suite = "timm";
    document.dtype = "float16";
    document.device = "cpu";
    document.torchVersion = "2.11";
    document.implementations = {"eager", "jit"};
    document.unavailable = {{"inductor", "no compiler"}};
    document.problems = {{1, 2, "no call"}};
    ImplementationResult eager;
    eager.name = "eager";
    eager.repeatsNs = {1000.0, 1100.0};
    ImplementationResult jit = eager;
    jit.name = "jit";
    OperatorSample good;
    good.count = 3;
    good.implementations = {eager, jit};
    OperatorSample bad;
    bad.count = 1;
    bad.reason = "it broke";
    OperatorResult result;
    result.name = "aten.mm.default";
    result.samples = {good, bad};
    OperatorResult none;
    none.name = "aten.add.Tensor";
    none.reason = "not run";
    document.operators = {result, none};
    return document;
}

ModuleDocument moduleDocument() {
    ModuleDocument document;
    document.device = "cpu";
    document.torchVersion = "2.11";
    document.notes = {"a note"};
    ModuleResult runner;
    runner.name = "aten";
    runner.forwardMs = {1.0, 1.5};
    runner.backwardMs = {2.0, 2.5};
    runner.note = "note";
    runner.agreement = ModuleAgreement{"aten", 0.5, false};
    ModuleResult failed;
    failed.name = "cudnn";
    failed.reason = "no cuDNN";
    document.groups = {{"lstm", "LSTM", {runner, failed}}};
    return document;
}

// What would act on a terminal. Tabs are between figures; in names they are escaped.
bool actsOnTerminal(const std::string& text) {
    static const std::regex kControls(
        "[\x01-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]");
    return std::regex_search(text, kControls);
}

bool isNumber(const std::string& text) {
    static const std::regex kNumber(R"(-?[0-9.]+(e[-+]?[0-9]+)?)");
    return std::regex_match(text, kNumber);
}

QString formulaIn(const std::string& csv) {
    const auto table = parseCsv(csv);
    if (!table || table->rows.empty()) {
        return "no table";
    }
    std::vector<std::vector<std::string>> rows = table->rows;
    rows.push_back(table->columns);
    for (const auto& row : rows) {
        for (const std::string& field : row) {
            if (!field.empty() && std::string("=+-@\t\r\n").find(field[0]) != std::string::npos &&
                !isNumber(field)) {
                return QString::fromStdString(field);
            }
        }
    }
    return {};
}

// Outside of code spans, where everything is text.
std::string withoutCode(const std::string& markdown) {
    static const std::regex kCode("(`+)[^\n]*?[^`]\\1(?!`)");
    return std::regex_replace(markdown, kCode, "");
}

}  // namespace

class HostileResultTest final : public QObject {
    Q_OBJECT

private slots:
    void terminalsAreSafe_data() { addOutputs(); }
    void terminalsAreSafe();
    void spreadsheetsGetNoFormulas_data() { addOutputs(); }
    void spreadsheetsGetNoFormulas();
    void markdownHasNoMarkupOfOthers_data() { addOutputs(); }
    void markdownHasNoMarkupOfOthers();
    void jsonSaysTheSame();

private:
    static void addOutputs();
};

void HostileResultTest::addOutputs() {
    QTest::addColumn<std::string>("kind");
    QTest::addColumn<std::string>("text");
    const auto bench = parseResultAs<KernelDocument>(poisoned(resultJson(benchDocument()))).value();
    const auto operators =
        parseResultAs<OperatorDocument>(poisoned(resultJson(operatorDocument()))).value();
    const auto modules =
        parseResultAs<ModuleDocument>(poisoned(resultJson(moduleDocument()))).value();
    const TextStyle style{.width = 200, .colour = false, .fullNames = true};
    const KernelTextOptions all{true, kHostile};
    const auto row = [](const char* name, const char* kind, const std::string& text) {
        QTest::newRow(name) << std::string(kind) << text;
    };
    row("bench text", "text", sheetText(resultSheet(bench, true), style));
    row("bench compat", "text", kernelCompat(bench, all, false));
    row("bench Markdown", "markdown", sheetMarkdown(resultSheet(bench, true)));
    row("bench CSV", "csv", resultCsv(bench));
    row("bench JSON", "json", resultJson(bench));
    row("operator text", "text", sheetText(resultSheet(operators), style));
    row("operator plan", "text", operatorPlanText(operators, style));
    row("operator Markdown", "markdown", sheetMarkdown(resultSheet(operators)));
    row("operator CSV", "csv", resultCsv(operators));
    row("operator JSON", "json", resultJson(operators));
    row("module text", "text", sheetText(resultSheet(modules), style));
    row("module line", "text", moduleLine(modules.groups[0].runners[0], " "));
    row("module Markdown", "markdown", sheetMarkdown(resultSheet(modules)));
    row("module CSV", "csv", resultCsv(modules));
    row("module JSON", "json", resultJson(modules));
    row("module averages", "json", moduleOssJson(modules));
    row("module loops", "text", modulePepJson(modules));
}

void HostileResultTest::terminalsAreSafe() {
    QFETCH(const std::string, text);
    QVERIFY(text.find("=1+1") != std::string::npos);
    QVERIFY2(!actsOnTerminal(text), text.c_str());
}

void HostileResultTest::spreadsheetsGetNoFormulas() {
    QFETCH(const std::string, kind);
    QFETCH(const std::string, text);
    QCOMPARE(kind == "csv" ? formulaIn(text) : QString(), QString());
}

void HostileResultTest::markdownHasNoMarkupOfOthers() {
    QFETCH(const std::string, kind);
    QFETCH(const std::string, text);
    if (kind != "markdown") {
        return;
    }
    const std::string plain = withoutCode(text);
    QVERIFY2(!std::regex_search(plain, std::regex(R"((^|[^\\])(<img|\[a\]\(b\)))")), plain.c_str());
    // Every line of a table has as many cells as its first.
    std::size_t cells = 0;
    for (const QString& line : QString::fromStdString(text).split('\n')) {
        const auto bars = static_cast<std::size_t>(QString(line).replace("\\|", "").count('|'));
        cells = line.startsWith('|') ? (cells == 0 ? bars : cells) : 0;
        QVERIFY2(!line.startsWith('|') || bars == cells, qPrintable(line));
    }
}

void HostileResultTest::jsonSaysTheSame() {
    const auto document =
        parseResultAs<KernelDocument>(poisoned(resultJson(benchDocument()))).value();
    QCOMPARE(document.kernels[0].name, kHostile + "kernel");
    const auto again = parseResultAs<KernelDocument>(resultJson(document)).value();
    QCOMPARE(again.kernels[0].name, document.kernels[0].name);
}

QTEST_APPLESS_MAIN(HostileResultTest)
#include "HostileResultTest.moc"
