// SPDX-License-Identifier: Apache-2.0
#include <QTest>
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

KernelDocument kernels() {
    return parseResultAs<KernelDocument>(sampleKernels()).value();
}

std::string written(const ResultDocument& document) {
    return std::visit([](const auto& one) { return resultJson(one); }, document);
}

// Without verdicts: they are worked out anew, by today's rule.
Json measuredOnly(Json json) {
    if (json.is_object()) {
        json.erase("verdict");
    }
    if (json.is_structured()) {
        for (Json& value : json) {
            value = measuredOnly(std::move(value));
        }
    }
    return json;
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
            QCOMPARE(document->index(), kind);
            const Json before = measuredOnly(Json::parse(text));
            const Json after = measuredOnly(Json::parse(written(*document)));
            for (const auto& [key, value] : before.items()) {
                QVERIFY2(after.contains(key) && after[key] == value, key.c_str());
            }
        }
    }

    void oneKindIsNotAnother() {
        QVERIFY(std::holds_alternative<KernelDocument>(
            *parseResult(R"({"schema": "kinetoscope.result/1"})")));  // did not say its kind
        const auto wrong = parseResultAs<OperatorDocument>(sampleModules());
        QCOMPARE(wrong.error().message,
                 std::string("this is a result of kscope bench modules, not of operators"));
        QVERIFY(parseResult("{}").error().message.starts_with("no result document"));
        QVERIFY(!parseResult(R"({"schema": "kinetoscope.result/1", "kind": "others"})"));
        QVERIFY(!parseResult("[]"));
    }

    // CSV to a tenth of a nanosecond, JSON as it was measured.
    void timesOfKernelsInCsvAndJson() {
        KernelDocument document = kernels();
        for (BenchSample& sample : document.kernels[0].configs[0].samples) {
            sample.gpuNs = 900.0 + 1.0 / 3.0;
        }
        const QStringList lines =
            QString::fromStdString(resultCsv(document)).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 4);  // a header, two configurations, a kernel that was not run
        QCOMPARE(lines[1].section(',', 5, 9), QString("900.3,900.3,900.3,900.3,900.3"));
        const Json json = Json::parse(resultJson(document));
        QCOMPARE(json["kernels"][0]["configs"][0]["samples_ns"][0].get<double>(),
                 900.0 + 1.0 / 3.0);
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

        const auto operators = parseResultAs<OperatorDocument>(sampleOperators()).value();
        const QString ofOperators = QString::fromStdString(sheetText(resultSheet(operators), {}));
        QVERIFY(ofOperators.startsWith("Operators\nPyTorch "));
        QVERIFY(ofOperators.contains("\nnvfuser is not available: not in this PyTorch\n"));
        QVERIFY(ofOperators.contains("\n\n  Operator "));

        const auto modules = parseResultAs<ModuleDocument>(sampleModules()).value();
        QVERIFY(sheetText(resultSheet(modules), {}).find("\n\nLSTM\n  Runner") !=
                std::string::npos);
        QVERIFY(sheetMarkdown(resultSheet(modules)).find("\n**LSTM**\n\n| Runner |") !=
                std::string::npos);
    }

    void aTableWithoutRowsSaysSo() {
        KernelDocument document;
        QVERIFY(sheetText(resultSheet(document), {}).ends_with("\n\n  no kernel was run\n"));
        QVERIFY(sheetText(resultSheet(OperatorDocument()), {})
                    .ends_with("\n\n  nothing was measured\n"));
    }

    void linesOfKernelsAddUpToTheDocument() {
        const KernelDocument whole = kernels();
        KernelDocument plan = whole;
        plan.gpu = {};
        plan.kernels[0].configs.clear();
        plan.kernels[0].accuracy.reset();
        using Change = ResultStream<KernelDocument>::Change;
        ResultStream<KernelDocument> stream;
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
