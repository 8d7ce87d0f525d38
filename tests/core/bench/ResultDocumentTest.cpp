// SPDX-License-Identifier: Apache-2.0
#include <QSet>
#include <QTest>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/bench/results/ResultSheet.h"
#include "core/bench/results/ResultStore.h"
#include "core/bench/results/ResultStream.h"
#include "tests/support/SampleResults.h"

using namespace kinetoscope;
using namespace kinetoscope::bench::results;
using namespace kinetoscope::test;
using Json = nlohmann::json;

namespace {

constexpr const char* kKinds[] = {"kernels", "operators", "modules"};

ResultDocument kernels() {
    return parseResult(sampleKernels(), ResultKind::Kernels).value();
}

// Every text and every list of times, milliseconds in nanoseconds; without what is worked out anew
// and the words of the form itself.
void collect(const nlohmann::ordered_json& json, const std::string& key, QSet<QString>& texts,
             std::vector<std::vector<double>>& times) {
    if (json.is_string() && json != "" && key != "verdict" && key != "statistic" &&
        key != "schema") {
        texts.insert(QString::fromStdString(json.get<std::string>()));
    }
    if (key == "samples_ms" || key.ends_with("s_ns")) {
        std::vector<double>& list = times.emplace_back();
        for (const auto& value : json) {
            list.push_back(value.get<double>() * (key == "samples_ms" ? 1e6 : 1.0));
        }
    } else if (json.is_structured()) {
        for (const auto& [name, value] : json.items()) {
            collect(value, json.is_object() ? name : std::string(), texts, times);
        }
    }
}

}  // namespace

class ResultDocumentTest final : public QObject {
    Q_OBJECT

private slots:
    // Files as the first versions wrote them: nothing that they measured is lost.
    void earlierResultsStillOpen() {
        for (std::size_t kind = 0; kind < std::size(kKinds); ++kind) {
            const std::string path = std::string(KINETOSCOPE_SOURCE_DIR) + "/tests/data/results/" +
                                     kKinds[kind] + ".json";
            const std::string text = readResultFile(path).value();
            const auto document = parseResult(text);
            QVERIFY2(document.has_value(), path.c_str());
            QCOMPARE(kindName(document->kind), std::string(kKinds[kind]));
            QSet<QString> before;
            QSet<QString> after;
            std::vector<std::vector<double>> timesBefore;
            std::vector<std::vector<double>> timesAfter;
            collect(nlohmann::ordered_json::parse(text), {}, before, timesBefore);
            collect(nlohmann::ordered_json::parse(resultJson(*document)), {}, after, timesAfter);
            QVERIFY2((before - after).isEmpty(),
                     qPrintable(QStringList((before - after).values()).join('|')));
            QCOMPARE(timesAfter, timesBefore);
        }
    }

    // What the first versions called by other names.
    void membersOfEarlierResults() {
        const auto open = [](const char* kind) {
            return parseResult(readResultFile(std::string(KINETOSCOPE_SOURCE_DIR) +
                                              "/tests/data/results/" + kind + ".json")
                                   .value())
                .value();
        };
        const ResultDocument kernels = open("kernels");
        const BenchSeries& config = kernels.items.at(0).series.at(0);
        QCOMPARE(config.name, std::string("XBLOCK: 256"));
        QVERIFY(config.winner && !config.minimum);
        QCOMPARE(config.registers, 32);
        QCOMPARE(config.timeNs(), 909.0);
        QCOMPARE(config.throttled(), 1U);
        QCOMPARE(config.clockMhz(), 1980.0);
        QCOMPARE(kernels.items[0].accuracy->maxRelative, 0.001);
        QCOMPARE(kernels.items[1].reason, std::string("its grid is not known"));
        QCOMPARE(kernels.gpu.copyGbPerS, 4100.0);
        QCOMPARE(kernels.candidates, 4);
        const ResultDocument operators = open("operators");
        QCOMPARE(operators.options.seed, std::numeric_limits<std::uint64_t>::max());
        QCOMPARE(operators.options.maxSamples, 15U);
        QVERIFY(operators.options.accuracyChecking && operators.options.channelsLast);
        QCOMPARE(operators.problems.at(0).column, 7U);
        const BenchItem& call = operators.items.at(0).parts.at(1);
        QCOMPARE(call.count, 2);
        QCOMPARE(call.index, 1U);
        const BenchSeries& inductor = call.series.at(1);
        QCOMPARE(inductor.runs, 30U);
        QCOMPARE(inductor.repeatsNs.size(), 3U);
        QCOMPARE(inductor.accuracy->cosine, 0.9999);
        const ResultDocument modules = open("modules");
        const BenchItem& group = modules.items.at(0);
        QCOMPARE(group.key, std::string("lstm"));
        QCOMPARE(group.name, std::string("LSTM"));
        QCOMPARE(group.parts.at(1).find("backward")->timeNs(), 3e5);
        QCOMPARE(group.parts[1].accuracy->with, std::string("py"));
        QCOMPARE(group.parts[1].accuracy->maxRelative, 1e-7);
        QCOMPARE(group.parts[1].profile->wallMs, 1.5);
    }

    void oneKindIsNotAnother() {
        QVERIFY(parseResult(R"({"schema": "kinetoscope.result/1"})")->kind ==
                ResultKind::Kernels);  // did not say its kind
        const auto wrong = parseResult(sampleModules(), ResultKind::Operators);
        QCOMPARE(wrong.error().message,
                 std::string("this is a result of kscope bench modules, not of operators"));
        QVERIFY(parseResult("{}").error().message.starts_with("is not a result document"));
        QVERIFY(!parseResult(R"({"schema": "kinetoscope.result/1", "kind": "others"})"));
        QVERIFY(!parseResult("[]"));
    }

    // CSV to a tenth of a nanosecond, JSON as it was measured.
    void timesOfKernelsInCsvAndJson() {
        ResultDocument document = kernels();
        for (BenchSample& sample : document.items[0].series[0].samples) {
            sample.gpuNs = 900.0 + 1.0 / 3.0;
        }
        const QStringList lines =
            QString::fromStdString(resultCsv(document)).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 4);  // a header, two configurations, a kernel that was not run
        QCOMPARE(lines[1].section(',', 5, 9), QString("900.3,900.3,900.3,900.3,900.3"));
        const Json json = Json::parse(resultJson(document));
        QCOMPARE(json["items"][0]["series"][0]["samples_ns"][0].get<double>(), 900.0 + 1.0 / 3.0);
    }

    // Every kind is printed by the same functions.
    void sheetsOfEachKind() {
        const ResultSheet sheet = resultSheet(kernels());
        QCOMPARE(sheet.sections.size(), 2U);
        QCOMPARE(sheet.sections[0].rows.size(), 1U);
        QCOMPARE(resultSheet(kernels(), true).sections[0].rows.size(), 2U);
        const QString text = QString::fromStdString(sheetText(sheet, {}));
        QVERIFY2(text.contains(
                     "\n\n  outputs differ: triton_poi_fused_0: out_ptr0 by 0.5 (relative 0.001)\n"
                     "  not run: triton_red_fused_1: its grid is not known\n"),
                 qPrintable(text));
        const QString markdown = QString::fromStdString(sheetMarkdown(sheet));
        QVERIFY(markdown.contains("| Kernel | Category | µs |"));
        QVERIFY(markdown.contains("| --- | --- | ---: |"));
        QVERIFY(markdown.contains("\n| `triton_poi_fused_0` |"));

        const auto operators = parseResult(sampleOperators(), ResultKind::Operators).value();
        const QString ofOperators = QString::fromStdString(sheetText(resultSheet(operators), {}));
        QVERIFY(ofOperators.startsWith("Operators\nPyTorch "));
        QVERIFY(ofOperators.contains("\nnvfuser is not available: not in this PyTorch\n"));
        QVERIFY(ofOperators.contains("\n\n  Operator "));

        const auto modules = parseResult(sampleModules(), ResultKind::Modules).value();
        QVERIFY(sheetText(resultSheet(modules), {}).find("\n\nLSTM\n  Runner") !=
                std::string::npos);
        QVERIFY(sheetMarkdown(resultSheet(modules)).find("\n**LSTM**\n\n| Runner |") !=
                std::string::npos);
    }

    void aTableWithoutRowsSaysSo() {
        ResultDocument document;
        QVERIFY(sheetText(resultSheet(document), {}).ends_with("\n\n  no kernel was run\n"));
        QVERIFY(sheetText(resultSheet(ResultDocument(ResultKind::Operators)), {})
                    .ends_with("\n\n  nothing was measured\n"));
    }

    void linesOfKernelsAddUpToTheDocument() {
        const ResultDocument whole = kernels();
        ResultDocument plan = whole;
        plan.gpu = {};
        plan.items[0].series.clear();
        plan.items[0].accuracy.reset();
        using Change = ResultStream::Change;
        ResultStream stream(ResultKind::Kernels);
        QVERIFY(stream.take(itemLine(whole, 0)) == Change::None);  // no plan yet
        QVERIFY(stream.take(planLine(plan)) == Change::Plan);
        QVERIFY(stream.take(deviceLine(whole)) == Change::Device);
        QCOMPARE(stream.document().gpu.copyGbPerS, 4100.0);
        QVERIFY(stream.take(startLine(0)) == Change::Item);
        QCOMPARE(stream.running(), std::optional<std::size_t>(0));
        QVERIFY(stream.take(itemLine(whole, 0)) == Change::Item);
        QVERIFY(stream.take(itemLine(whole, 1)) == Change::Item);
        QVERIFY(!stream.running());
        QCOMPARE(stream.item(), 1U);
        QCOMPARE(stream.done(), 2U);
        QCOMPARE(resultJson(stream.document()), resultJson(whole));
        QVERIFY(stream.take(R"({"event":"part","item":0,"part":0,"result":{}})") == Change::None);
    }
};

QTEST_APPLESS_MAIN(ResultDocumentTest)
#include "ResultDocumentTest.moc"
