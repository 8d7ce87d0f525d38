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
#include "tests/support/SampleResults.h"

using namespace kinetoscope;
using namespace kinetoscope::test;
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

ResultDocument benchDocument() {
    ResultDocument document;
    document.created = "2026-11-22T10:00:00Z";
    document.method = "compat";
    document.gpu.name = "GPU";
    document.gpu.driver = "1";
    document.candidates = 1;
    BenchSeries config;
    config.name = "XBLOCK: 8";
    config.samples = {{1000.0, 1500.0, false}, {1100.0, 1500.0, true}};
    BenchItem run;
    run.name = "kernel";
    run.key = "key";
    run.category = "pointwise";
    run.series = {config, config};
    run.accuracy = Accuracy{.maxAbsolute = 0.5, .maxRelative = 0.25, .buffer = "out"};
    BenchItem failed = run;
    failed.series.clear();
    failed.reason = "no get_args";
    document.items = {run, failed};
    return document;
}

ResultDocument operatorDocument() {
    ResultDocument document(ResultKind::Operators);
    document.options.suite = "timm";
    document.options.dtype = "float16";
    document.device = "cpu";
    document.torchVersion = "2.11";
    document.options.implementations = {"eager", "jit"};
    document.unavailable = {{"inductor", "no compiler"}};
    document.problems = {{1, 2, "no call"}};
    BenchSeries eager;
    eager.name = "eager";
    eager.repeatsNs = {1000.0, 1100.0};
    BenchSeries jit = eager;
    jit.name = "jit";
    BenchItem good;
    good.count = 3;
    good.series = {eager, jit};
    BenchItem bad;
    bad.count = 1;
    bad.reason = "it broke";
    BenchItem result;
    result.name = "aten.mm.default";
    result.parts = {good, bad};
    BenchItem none;
    none.name = "aten.add.Tensor";
    none.reason = "not run";
    document.items = {result, none};
    return document;
}

ResultDocument moduleDocument() {
    ResultDocument document(ResultKind::Modules);
    document.device = "cpu";
    document.torchVersion = "2.11";
    document.notes = {"a note"};
    BenchItem runner;
    runner.name = "aten";
    runner.series = {directionOf("forward", {1.0, 1.5}), directionOf("backward", {2.0, 2.5})};
    runner.note = "note";
    runner.accuracy = Accuracy{.with = "aten", .maxRelative = 0.5, .same = false};
    BenchItem failed;
    failed.name = "cudnn";
    failed.reason = "no cuDNN";
    document.items = {groupOf("lstm", "LSTM", {runner, failed})};
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
    const auto bench =
        parseResult(poisoned(resultJson(benchDocument())), ResultKind::Kernels).value();
    const auto operators =
        parseResult(poisoned(resultJson(operatorDocument())), ResultKind::Operators).value();
    auto modules = parseResult(poisoned(resultJson(moduleDocument())), ResultKind::Modules).value();
    // Directions are looked up by name: a poisoned one is not printed at all.
    for (std::size_t i = 0; BenchSeries & series : modules.items[0].parts[0].series) {
        series.name = i++ == 0 ? "forward" : "backward";
    }
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
    row("module line", "text", moduleLine(modules.items[0].parts[0], " "));
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
        parseResult(poisoned(resultJson(benchDocument())), ResultKind::Kernels).value();
    QCOMPARE(document.items[0].name, kHostile + "kernel");
    const auto again = parseResult(resultJson(document), ResultKind::Kernels).value();
    QCOMPARE(again.items[0].name, document.items[0].name);
}

QTEST_APPLESS_MAIN(HostileResultTest)
#include "HostileResultTest.moc"
#include "tests/support/SampleResults.h"
