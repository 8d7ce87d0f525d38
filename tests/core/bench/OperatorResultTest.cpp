// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <QtTest>
#include <cmath>

#include "core/bench/operators/ValueRanges.h"
#include "core/bench/results/OperatorText.h"
#include "core/bench/results/ResultSheet.h"
#include "core/bench/results/ResultStream.h"

using namespace kinetoscope;
using namespace kinetoscope::bench::operators;
using namespace kinetoscope::bench::results;

class OperatorResultTest : public QObject {
    Q_OBJECT

private slots:
    void speedupsAreQuantilesOverSamples();
    void workerLinesAreSummarized();
    void repeatsAreCutIntoBatches();
    void documentsSurviveJson();
    void linesAddUpToTheDocument();
    void compatLinesAreTheOlderScripts();
    void csvHasUpstreamsColumnsFirst();
    void indicesStayInRange_data();
    void indicesStayInRange();
};

namespace {

BenchItem sampleOf(double eager, double inductor) {
    BenchItem sample;
    sample.count = 2;
    sample.series.resize(2);
    sample.series[0].name = "eager";
    sample.series[0].repeatsNs = {eager};
    sample.series[1].name = "inductor";
    sample.series[1].repeatsNs = {inductor};
    return sample;
}

ResultDocument documentOf() {
    ResultDocument document(ResultKind::Operators);
    document.options.suite = "timm";
    document.options.dtype = "float16";
    document.options.implementations = {"eager", "jit", "inductor"};
    BenchItem result;
    result.name = "aten.mm.default";
    result.done = true;
    // Speedups 1, 2, 4, 5, 10
    for (const double inductor : {100.0, 50.0, 25.0, 20.0, 10.0}) {
        result.parts.push_back(sampleOf(100.0, inductor));
    }
    BenchItem lost;
    lost.count = 3;
    lost.reason = "it \"broke\", twice";
    result.parts.push_back(lost);
    document.items.push_back(result);
    return document;
}

}  // namespace

void OperatorResultTest::speedupsAreQuantilesOverSamples() {
    const ResultDocument document = documentOf();
    // Linear interpolation at q * (n - 1): 0.8 → 1.8, 2 → 4, 3.2 → 6.
    const auto found = document.items[0].speedups("inductor");
    QVERIFY(found.has_value());
    QCOMPARE((*found)[0], 1.8);
    QCOMPARE((*found)[1], 4.0);
    QCOMPARE((*found)[2], 6.0);
    QVERIFY(!document.items[0].speedups("jit"));
    QCOMPARE(document.items[0].partsRun(), std::size_t(5));
    QCOMPARE(document.calls(), std::int64_t(13));
    QCOMPARE(document.callsRun(), std::int64_t(10));
    BenchItem repeats = sampleOf(1.0, 1.0);
    repeats.series[0].repeatsNs = {9.0, 1.0, 3.0};
    QCOMPARE(*repeats.speedup("inductor"), 3.0);
}

void OperatorResultTest::workerLinesAreSummarized() {
    BenchItem sample;
    sample.name = "as recorded";
    const auto done = takeCallLine(
        R"({"event":"result","index":0,"input":"smaller","implementations":{
            "eager":{"graph":true,"repeats_ns":[[3,1,2],[10,20]]},
            "jit":{"reason":"no such operator"},
            "inductor":{"repeats_ns":[[5]],"accuracy":{"cosine":0.5,"max_abs":2,"same":false,
                        "reason":""}}}})",
        sample);
    QVERIFY(done.has_value());
    QCOMPARE(sample.name, std::string("smaller"));
    const BenchSeries* eager = sample.find("eager");
    QCOMPARE(eager->repeatsNs, (std::vector<double>{2.0, 15.0}));
    QCOMPARE(eager->timeNs(), 8.5);
    QCOMPARE(eager->runs, std::size_t(5));
    QVERIFY(eager->graph);
    QVERIFY(!sample.find("jit")->measured());
    QCOMPARE(sample.find("jit")->reason, std::string("no such operator"));
    QCOMPARE(*sample.speedup("inductor"), 1.7);
    BenchItem means;
    QVERIFY(takeCallLine(R"({"implementations":{"eager":{"repeats_ns":[[3,1,5],[10,20]]}}})", means,
                         true));
    QCOMPARE(means.find("eager")->repeatsNs, (std::vector<double>{3.0, 15.0}));
    QVERIFY(takeCallLine(R"({"implementations":{"jit":{"repeats_ns":[[3,1,8]]}}})", means, true));
    QCOMPARE(means.find("jit")->repeatsNs, std::vector<double>{4.0});
    ResultDocument document = documentOf();
    QCOMPARE(document.inaccurate(), std::size_t(0));
    document.items[0].parts.push_back(sample);
    QCOMPARE(document.inaccurate(), std::size_t(1));
    QCOMPARE(document.inaccurate(true), std::size_t(0));
    for (BenchSeries& one : document.items[0].parts.back().series) {
        if (one.accuracy) {
            one.accuracy->difference = "other shapes";
        }
    }
    QCOMPARE(document.inaccurate(true), std::size_t(1));
    QVERIFY(!takeCallLine("[1]", sample));
}

// 50 runs give 20 batches, of two or three runs each; the second repeat follows the first.
void OperatorResultTest::repeatsAreCutIntoBatches() {
    std::string runs;
    for (int i = 0; i < 50; ++i) {
        runs += (i == 0 ? "" : ",") + std::to_string(100 + i);
    }
    BenchItem sample;
    QVERIFY(takeCallLine(
        R"({"implementations":{"eager":{"repeats_ns":[[)" + runs + "],[7.26,9]]}}}", sample));
    const std::vector<double> batches = countedNs(sample.find("eager")->samples);
    QCOMPARE(batches.size(), std::size_t(22));
    QCOMPARE(batches[0], 100.5);
    QCOMPARE(batches[1], 103.0);
    QCOMPARE(batches[19], 148.0);
    QCOMPARE(batches[20], 7.3);
    QCOMPARE(batches[21], 9.0);
    ResultDocument document = documentOf();
    document.items[0].parts.push_back(sample);
    const auto again = parseResult(resultJson(document), ResultKind::Operators);
    QVERIFY(again.has_value());
    QCOMPARE(countedNs(again->items[0].parts.back().find("eager")->samples), batches);
}

void OperatorResultTest::documentsSurviveJson() {
    ResultDocument document = documentOf();
    document.options.accuracyChecking = true;
    document.unavailable["inductor"] = "no Python";
    document.problems.push_back({3, 4, "bad"});
    document.items[0].parts[0].series[1].accuracy =
        Accuracy{.cosine = 0.0,
                 .maxAbsolute = 3.0,
                 .same = false,
                 .difference = "the shapes of the results differ: [2] instead of [3]"};
    QCOMPARE(document.inaccurate(), std::size_t(1));
    const std::string json = resultJson(document);
    const auto again = parseResult(json, ResultKind::Operators);
    QVERIFY(again.has_value());
    QCOMPARE(resultJson(*again), json);
    QVERIFY(!parseResult("{}", ResultKind::Operators));
    QVERIFY(!parseResult(R"({"schema":"kinetoscope.result/1","kind":"kernels"})",
                         ResultKind::Operators));
}

void OperatorResultTest::linesAddUpToTheDocument() {
    const ResultDocument whole = documentOf();
    ResultDocument plan = whole;
    plan.items[0].done = false;
    for (BenchItem& sample : plan.items[0].parts) {
        sample.series.clear();
        sample.reason.clear();
    }
    using Change = ResultStream::Change;
    ResultStream stream(ResultKind::Operators);
    QVERIFY(stream.take(startLine(0)) == Change::None);  // no plan yet
    QVERIFY(stream.take(planLine(plan)) == Change::Plan);
    QCOMPARE(resultJson(stream.document()), resultJson(plan));
    QVERIFY(stream.take(startLine(0)) == Change::Item);
    QCOMPARE(stream.item(), std::size_t(0));
    QCOMPARE(stream.running(), std::optional<std::size_t>(0));
    const auto& samples = whole.items[0].parts;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const std::string line = partLine(0, i, samples[i]);
        QCOMPARE(line.find('\n'), std::string::npos);
        QVERIFY(stream.take(line) == Change::Item);
        QCOMPARE(stream.document().items[0].partsRun(), std::min<std::size_t>(i + 1, 5));
    }
    QCOMPARE(stream.done(), std::size_t(0));
    QVERIFY(stream.take(itemLine(whole, 0)) == Change::Item);
    QVERIFY(!stream.running());
    QCOMPARE(stream.done(), std::size_t(1));
    QCOMPARE(resultJson(stream.document()), resultJson(whole));
    // Places that are not there, and lines that are none of these.
    for (const std::string& line :
         {partLine(1, 0, samples[0]), startLine(7), std::string("kscope: oh"),
          std::string(R"({"event":"done"})"), std::string(R"({"event":"plan","document":{}})"),
          std::string(R"({"event":"result","result":{}})"),
          std::string(R"({"event":"result","item":-1,"result":{}})"),
          partLine(0, 99, samples[0])}) {
        QVERIFY2(stream.take(line) == Change::None, line.c_str());
    }
    QCOMPARE(resultJson(stream.document()), resultJson(whole));
}

void OperatorResultTest::compatLinesAreTheOlderScripts() {
    const BenchItem result = documentOf().items[0];
    QCOMPARE(compatSpeedups(result, false),
             std::string("aten.mm.default:\nInductor Speedups : [1.8, 4.0, 6.000000000000001]\n"));
    QCOMPARE(compatSpeedups(result, true),
             std::string("aten.mm.default:\nInductor Speedups : [1.8, 4.0, 6.000000000000001]\n"
                         "NVFUSER Speedups :[nan, nan, nan]\n"));
    QCOMPARE(compatSpeedups(BenchItem(), true), std::string());
    QCOMPARE(*compatSkipLine("aten.index_put.default"),
             std::string("Skipping aten.index_put.default, input generator nyi\n"));
    QCOMPARE(*compatSkipLine("aten._unsafe_view.default"),
             std::string("Skipping aten._unsafe_view.default, non compute operator\n"));
    QCOMPARE(*compatSkipLine("aten.convolution_backward.default"), std::string());
    for (const char* name :
         {"aten.div_.Scalar", "aten.set_.source_Storage", "aten.bernoulli.out"}) {
        QCOMPARE(*compatSkipLine(name), fmt::format("Skipping {}, no inductor impl\n", name));
    }
    QVERIFY(!compatSkipLine("aten.div.Scalar"));
    QVERIFY(!compatSkipLine("aten.of_another_version.default"));
    QVERIFY(!compatSkipLine("aten.mm.default"));
}

void OperatorResultTest::csvHasUpstreamsColumnsFirst() {
    const std::string csv = resultCsv(documentOf());
    QCOMPARE(csv,
             std::string("Operator,inductor 20th,inductor 50th,inductor 80th,jit 20th,jit 50th,"
                         "jit 80th,Samples,Measured,Reason\n"
                         "aten.mm.default,1.800000,4.000000,6.000000,,,,6,5,"
                         "\"it \"\"broke\"\", twice\"\n"));
}

void OperatorResultTest::indicesStayInRange_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("call");
    QTest::addColumn<int>("argument");
    QTest::addColumn<int>("item");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    const auto row = [](const char* name, const char* call, int argument, int item, double low,
                        double high) {
        QTest::newRow(name) << QString(name) << QString(call) << argument << item << low << high;
    };
    row("aten.gather.default", "((T([8, 256], f16), -1, T([8, 1], i64)), {})", 2, 0, 0, 256);
    row("aten.scatter_.src", "((T([4, 9], f16), 0, T([4, 9], i64), T([4, 9], f16)), {})", 2, 0, 0,
        4);
    row("aten.index.Tensor", "((T([7, 5, 3], f16), [None, T([9], i64), T([9], i64)]), {})", 1, 2, 0,
        3);
    row("aten.index_put.default", "((T([7, 5, 3], f16), [T([7, 5], b8), T([4], i64)]), {})", 1, 1,
        0, 3);
    row("aten.index_select.default", "((T([], f16), 0, T([1], i64)), {})", 2, 0, 0, 1);
    row("aten.embedding.default", "((T([30522, 8], f16), T([4], i64)), {})", 1, 0, 0, 30522);
    row("aten.embedding_dense_backward.default",
        "((T([4, 8], f16), T([4], i64), 512, -1, False), {})", 1, 0, 0, 512);
    row("aten.nll_loss_forward.default", "((T([64, 10], f16), T([64], i64), None, 1, -100), {})", 1,
        0, 0, 10);
    row("aten.nll_loss2d_backward.default",
        "((T([], f16), T([2, 21, 5, 5], f16), T([2, 5, 5], i64)), {})", 2, 0, 0, 21);
    row("aten.max_pool2d_with_indices_backward.default",
        "((T([2, 3, 4, 4], f16), T([2, 3, 8, 8], f16), [3, 3], [2, 2], [1, 1], [1, 1], False, "
        "T([2, 3, 4, 4], i64)), {})",
        7, 0, 0, 64);
    row("aten.mul.Tensor", "((T([4], f16), T([4], f16)), {})", 1, 0, -9, 9);
    row("aten.add.Tensor", "((T([4], i64), T([4], i64)), {})", 1, 0, -9, 10);
    row("aten.floor_divide.default", "((T([4], i64), T([4], i64)), {})", 1, 0, 1, 10);
    row("aten.bernoulli.default", "((T([4], f16),), {})", 0, 0, 0, 1);
    row("aten.bitwise_and.Tensor", "((T([4], b8), T([4], b8)), {})", 1, 0, 0, 2);
    row("aten.sum.default", "((T([4], u8),), {})", 0, 0, 0, 10);
    row("aten.embedding_renorm_.default", "((T([3, 8], f16), T([4], i64), 1.0, 2.0), {})", 1, 0, 0,
        3);
}

void OperatorResultTest::indicesStayInRange() {
    QFETCH(QString, name);
    QFETCH(QString, call);
    QFETCH(int, argument);
    QFETCH(int, item);
    const CallOrProblem parsed = parseCountLine("cnt: 1, " + call.toStdString(), 1);
    QVERIFY(!parsed.problem);
    const InputValue& value = parsed.call.args[static_cast<std::size_t>(argument)];
    const auto* list = std::get_if<InputList>(&value.data);
    const auto& tensor = std::get<TensorInput>(
        list != nullptr ? list->items[static_cast<std::size_t>(item)].data : value.data);
    const ValueRange range =
        valueRange(name.toStdString(), parsed.call, static_cast<std::size_t>(argument),
                   static_cast<std::size_t>(item), tensor);
    QTEST(range.low, "low");
    QTEST(range.high, "high");
}

QTEST_APPLESS_MAIN(OperatorResultTest)
#include "OperatorResultTest.moc"
