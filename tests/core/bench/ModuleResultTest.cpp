// SPDX-License-Identifier: Apache-2.0
#include <QtTest>

#include "core/bench/results/ModuleText.h"
#include "core/bench/results/ResultSheet.h"
#include "core/bench/results/ResultStream.h"
#include "tests/support/SampleResults.h"

using namespace kinetoscope;
using namespace kinetoscope::bench::results;

class ModuleResultTest : public QObject {
    Q_OBJECT

private slots:
    void linesAreThoseOfFastrnns();
    void jsonIsThatOfFastrnns();
    void verdictsFollowTheIntervals_data();
    void verdictsFollowTheIntervals();
    void documentsSurviveJson();
    void linesAddUpToTheDocument();
};

namespace {

ResultDocument documentOf() {
    BenchItem first;
    first.name = "cudnn";
    first.series = {test::directionOf("forward", {1.0, 2.0, 3.0}),
                    test::directionOf("backward", {10.5, 11.5, 12.5})};
    BenchItem second;
    second.name = "a_name_of_more_than_sixteen";
    second.series = {test::directionOf("forward", {123456.0, 123456.0})};
    second.accuracy = Accuracy{.with = "aten", .maxRelative = 2e-3, .same = false};
    second.profile = RunnerProfile{"trace.json", 3, 12.5, 0.75, std::nullopt};
    BenchItem lost;
    lost.name = "jit";
    lost.reason = "it broke";
    ResultDocument document(ResultKind::Modules);
    document.device = "cpu";
    document.notes = {"PyTorch 3 no longer has a switch"};
    document.items.push_back(test::groupOf("lstm", "LSTM", {first, second, lost}));
    return document;
}

}  // namespace

void ModuleResultTest::linesAreThoseOfFastrnns() {
    const ResultDocument document = documentOf();
    QCOMPARE(moduleHeader("|"),
             std::string("            name|         avg_fwd|         std_fwd|        info_fwd|"
                         "         avg_bwd|         std_bwd|        info_bwd"));
    const auto& runners = document.items[0].parts;
    QCOMPARE(moduleLine(runners[0], " "),
             std::string("           cudnn                2                1             None"
                         "             11.5                1             None"));
    QVERIFY(moduleLine(runners[1], ",").starts_with("a_name_of_more_t,       1.235e+05,"));
}

void ModuleResultTest::jsonIsThatOfFastrnns() {
    const ResultDocument document = documentOf();
    QCOMPARE(moduleOssJson(document),
             std::string("{\"lstm\": {\"cudnn\": 2.0, \"a_name_of_more_than_sixteen\": 123456.0}, "
                         "\"lstm-backward\": {\"cudnn\": 11.5, "
                         "\"a_name_of_more_than_sixteen\": 0.0}}\n"));
    const std::string pep = modulePepJson(document);
    QVERIFY(
        pep.starts_with("Caffe2Observer {\"type\": \"NET\", \"metric\": \"lstm-cudnn\", "
                        "\"unit\": \"ms\", \"value\": \"1.0\"}\n"));
    QVERIFY(
        pep.ends_with("Caffe2Observer {\"type\": \"NET\", \"metric\": "
                      "\"lstm-backward-cudnn\", \"unit\": \"ms\", \"value\": \"12.5\"}\n"));
}

void ModuleResultTest::verdictsFollowTheIntervals_data() {
    QTest::addColumn<double>("factor");
    QTest::addColumn<double>("spread");
    QTest::addColumn<int>("count");
    QTest::addColumn<QString>("verdict");
    QTest::newRow("same") << 1.0 << 0.0 << 20 << "SAME";
    QTest::newRow("slower") << 1.1 << 0.001 << 20 << "SLOWER";
    QTest::newRow("faster") << 0.9 << 0.001 << 20 << "FASTER";
    QTest::newRow("wide") << 1.1 << 0.5 << 20 << "UNSURE";
    QTest::newRow("few") << 2.0 << 0.0 << 4 << "UNSURE";
    QTest::newRow("none") << 2.0 << 0.0 << 0 << "";
}

void ModuleResultTest::verdictsFollowTheIntervals() {
    QFETCH(double, factor);
    QFETCH(double, spread);
    QFETCH(int, count);
    std::vector<double> before;
    std::vector<double> after;
    for (int i = 0; i < count; ++i) {
        before.push_back(10.0 * (1.0 + spread * (i % 5 - 2)));
        after.push_back(10.0 * factor * (1.0 + spread * (i * 7 % 5 - 2)));
    }
    QTEST(QString::fromStdString(seriesVerdict(test::directionOf("forward", before),
                                               test::directionOf("forward", after))),
          "verdict");
}

void ModuleResultTest::documentsSurviveJson() {
    const ResultDocument document = documentOf();
    QCOMPARE(document.failures(), std::size_t(1));
    QCOMPARE(document.inaccurate(), std::size_t(1));
    const std::string json = resultJson(document);
    const auto again = parseResult(json, ResultKind::Modules);
    QVERIFY(again.has_value());
    QCOMPARE(resultJson(*again), json);
    QVERIFY(!parseResult("{}", ResultKind::Modules));
    BenchItem result;
    QVERIFY(takeRunnerLine(R"({"forward_ms":[1,2],"backward_ms":[3],"accuracy":
                               {"with":"py","max_rel":null,"same":false}})",
                           result)
                .has_value());
    QCOMPARE(countedNs(result.find("forward")->samples), (std::vector<double>{1e6, 2e6}));
    QVERIFY(!result.accuracy->same);
    // A difference that is not a number.
    QVERIFY(result.accuracy->maxRelative != result.accuracy->maxRelative);
}

void ModuleResultTest::linesAddUpToTheDocument() {
    const ResultDocument whole = documentOf();
    ResultDocument plan = whole;
    plan.device.clear();
    for (BenchItem& runner : plan.items[0].parts) {
        BenchItem empty;
        empty.name = runner.name;
        runner = empty;
    }
    using Change = ResultStream::Change;
    ResultStream stream(ResultKind::Modules);
    QVERIFY(stream.take(planLine(plan)) == Change::Plan);
    QCOMPARE(resultJson(stream.document()), resultJson(plan));
    QVERIFY(stream.take(deviceLine(whole)) == Change::Device);
    QCOMPARE(stream.document().device, whole.device);
    for (std::size_t i = 0; i < whole.items[0].parts.size(); ++i) {
        QVERIFY(stream.take(startLine(i)) == Change::Item);
        QCOMPARE(stream.running(), std::optional(i));
        QVERIFY(stream.take(itemLine(whole, i)) == Change::Item);
        QVERIFY(!stream.running());
        QCOMPARE(stream.done(), i + 1);
    }
    QCOMPARE(resultJson(stream.document()), resultJson(whole));
    for (const char* line : {"", R"({"event":"result","item":99,"result":{"name":"no"}})",
                             R"({"event":"start","item":"0"})"}) {
        QVERIFY2(stream.take(line) == Change::None, line);
    }
}

QTEST_APPLESS_MAIN(ModuleResultTest)
#include "ModuleResultTest.moc"
