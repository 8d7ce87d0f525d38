// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/analysis/Compat.h"
#include "core/analysis/Tabulate.h"
#include "core/base/Threads.h"
#include "tests/core/AnalysisFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::trace;
using namespace kinetoscope::analysis_test;

namespace {

// A trace with process 0 labelled as a GPU.
TraceMaker labelledMaker() {
    TraceMaker maker;
    maker.builder().process(number(0));
    maker.builder().compatFacts().gpuPids.push_back(number(0));
    return maker;
}

CompatReport reportOf(TraceMaker& maker, double wallMs, std::uint64_t runs = 1) {
    return makeCompatReport(*maker.finish(), {wallMs, runs, "None"});
}

TableCell cellOf(const nlohmann::json& value) {
    if (value.is_number()) {
        return value.get<double>();
    }
    return value.is_null() ? TableCell() : TableCell(value.get<std::string>());
}

}  // namespace

class CompatTest final : public QObject {
    Q_OBJECT

private slots:
    void tablesAreThoseOfTabulate();
    void firstCodePointsCutsWholeCharacters();
    void tablesAreGroupedSummedAndDivided();
    void laterInductorCategoriesFoldBack();
    void deviceEventsIncludeAnnotationsAndSynchronisation();
    void equalTimesKeepTheOrderOfTheRun();
    void longNamesAreCutAt120Characters();
    void printedTextIsComplete();
    void withoutAWallTimeTheTraceIsDivided();
    void utilizationMergesByStart();
    void utilizationCountsEverythingOnLabelledProcesses();
    void onlyCompleteEventsOfAProcessCount();
    void numberIsNoTextAsProcess();
    void mmConvNamesAreCaseSensitive();
    void firstNegativeDurationSubtracts();
    void whatIsMissingIsTheReason_data();
    void whatIsMissingIsTheReason();
    void emptyTraceHasNoWallTime();
    void aStopEndsIt();
};

// tests/data/CompatTables.json: 60 tables printed by tabulate 0.10.0 in Python 3.11, with rows from
// random.Random(20): names with other scripts, blanks, line breaks and digits, and numbers of
// every magnitude.
void CompatTest::tablesAreThoseOfTabulate() {
    std::ifstream file(KINETOSCOPE_SOURCE_DIR "/tests/data/CompatTables.json");
    const auto tables = nlohmann::json::parse(file);
    QCOMPARE(tables.size(), std::size_t{60});
    for (const auto& table : tables) {
        std::vector<std::vector<TableCell>> rows;
        for (const auto& row : table["rows"]) {
            std::vector<TableCell>& cells = rows.emplace_back();
            for (const auto& cell : row) {
                cells.push_back(cellOf(cell));
            }
        }
        const std::string printed = tabulateSimple(table["headers"], rows);
        QCOMPARE(QByteArray::fromStdString(printed),
                 QByteArray::fromStdString(table["text"].get<std::string>()));
    }
}

void CompatTest::firstCodePointsCutsWholeCharacters() {
    QVERIFY(firstCodePoints("aéµz", 3) == "aéµ");
    QVERIFY(firstCodePoints("aéµz", 4) == "aéµz");
    QVERIFY(firstCodePoints("aéµz", 9) == "aéµz");
    QVERIFY(firstCodePoints("aéµz", 0).empty());
}

void CompatTest::tablesAreGroupedSummedAndDivided() {
    TraceMaker maker;
    maker.kernel("triton_poi_a", 0, 4'000'000);
    maker.kernel("triton_poi_a", 0, 2'000'000, {.gpu = 1});
    maker.kernel("triton_poi_b", 0, 8'000'000);
    maker.memcpy(0, 1'000'000);
    const auto report = reportOf(maker, 10.0, 2);
    QCOMPARE(report.categories.size(), std::size_t{2});
    QCOMPARE(report.categories[0].name, std::string("triton_pointwise"));
    QCOMPARE(report.categories[0].totalMs, 7.0);
    QCOMPARE(report.categories[0].kernels[0].key, std::string("triton_poi_b"));
    QCOMPARE(report.categories[0].kernels[0].ms, 4.0);
    QCOMPARE(report.categories[0].kernels[0].count, 0.5);
    QCOMPARE(report.categories[0].kernels[1].ms, 3.0);
    QCOMPARE(report.categories[0].kernels[1].count, 1.0);
    QCOMPARE(report.categories[1].name, std::string("unknown"));
    QCOMPARE(report.gpuBusy, 0.75);
    QVERIFY(report.wallMeasured);
    QCOMPARE(report.runs, std::uint64_t{2});
}

void CompatTest::laterInductorCategoriesFoldBack() {
    TraceMaker maker;
    for (const char* name :
         {"triton_for_x", "triton_tem_x", "triton_mm", "triton_spl_x", "triton_x"}) {
        maker.kernel(name, 0, 1'000'000);
    }
    const auto report = reportOf(maker, 10.0);
    QCOMPARE(report.categories.size(), std::size_t{1});
    QCOMPARE(report.categories[0].name, std::string("triton_unknown"));
    QCOMPARE(report.categories[0].kernels.size(), std::size_t{5});
}

void CompatTest::deviceEventsIncludeAnnotationsAndSynchronisation() {
    TraceMaker maker;
    maker.kernel("k", 0, 1'000'000);
    maker.cpu(Category::GpuUserAnnotation, "run#0", 0, 2'000'000);
    maker.cpu(Category::CudaSync, "Stream Sync", 0, 4'000'000);
    maker.cpu(Category::CudaEvent, "event", 0, 8'000'000);
    maker.cpu(Category::CpuOp, "aten::mm", 0, 16'000'000);
    QCOMPARE(reportOf(maker, 1.0).gpuBusy, 7.0);
}

void CompatTest::equalTimesKeepTheOrderOfTheRun() {
    TraceMaker maker;
    maker.kernel("last in time", 900, 5);
    maker.kernel("short at the same time", 950, 1);
    maker.kernel("short at the same time", 100, 4);
    maker.kernel("long at the same time", 100, 5);
    const auto kernels = reportOf(maker, 1.0).categories.at(0).kernels;
    QCOMPARE(kernels[0].key, std::string("long at the same time"));
    QCOMPARE(kernels[1].key, std::string("short at the same time"));
    QCOMPARE(kernels[2].key, std::string("last in time"));
}

void CompatTest::longNamesAreCutAt120Characters() {
    TraceMaker maker;
    maker.kernel(std::string(119, 'x') + "éy", 0, 1'000);
    const auto report = reportOf(maker, 1.0);
    QVERIFY(report.text.find(std::string(119, 'x') + "é ") != std::string::npos);
    QCOMPARE(report.categories[0].kernels[0].key.size(), std::size_t{122});
}

void CompatTest::printedTextIsComplete() {
    TraceMaker maker;
    maker.kernel("triton_poi_fused_gelu_1", 0, 26'562);
    maker.kernel("triton_red_fused_sum_2", 0, 4'205);
    maker.kernel("nvjet_sm90", 0, 48'100);
    maker.kernel("nvjet_sm90", 0, 48'098);
    const auto report = makeCompatReport(*maker.finish(), {0.19417, 1, "my bench"});
    const std::string expected = R"(
  == triton_pointwise category kernels == 
Kernel                     Self CUDA TIME (ms)    Count  Percent
-----------------------  ---------------------  -------  ---------
triton_poi_fused_gelu_1               0.026562        1  13.68%
Total                                 0.026562           13.68%

  == triton_reduction category kernels == 
Kernel                    Self CUDA TIME (ms)    Count  Percent
----------------------  ---------------------  -------  ---------
triton_red_fused_sum_2               0.004205        1  2.17%
Total                                0.004205           2.17%

  == unknown category kernels == 
Kernel        Self CUDA TIME (ms)    Count  Percent
----------  ---------------------  -------  ---------
nvjet_sm90               0.096198        2  49.54%
Total                    0.096198           49.54%

Percent of time when GPU is busy: 65.39%
Total wall time 0.194 ms
Output for tabulate: my bench, 13.68%, 2.17%, 0.00%, 0.00%, 49.54%, 65.39%, 0.194ms
)";
    QCOMPARE(QByteArray::fromStdString(report.text), QByteArray::fromStdString(expected));
    QVERIFY(expected.find(report.tabulateLine + "\n") != std::string::npos);
}

void CompatTest::withoutAWallTimeTheTraceIsDivided() {
    TraceMaker maker = labelledMaker();
    maker.annotation("first", 1'000'000, 10);
    maker.kernel("k", 8'000'000, 1'000'000);
    const auto report = makeCompatReport(*maker.finish(), {std::nullopt, 4, "None"});
    QVERIFY(!report.wallMeasured);
    QCOMPARE(report.wallMs, 2.0);
    QCOMPARE(*report.utilization, 0.125);
}

void CompatTest::utilizationMergesByStart() {
    TraceMaker maker = labelledMaker();
    maker.kernel("c", 5'000, 5'000);
    maker.kernel("a_gemm", 0, 4'000);
    maker.kernel("b", 2'000, 4'000, {.stream = 8});
    maker.kernel("gemm_inside", 3'000, 500, {.stream = 9});
    const auto report = reportOf(maker, 0.005, 4);
    QCOMPARE(*report.utilization, 10.0 / 20.0);
    QCOMPARE(*report.mmConvUtilization, 4.0 / 20.0);
    QVERIFY(report.reason.empty());
}

void CompatTest::utilizationCountsEverythingOnLabelledProcesses() {
    TraceMaker maker = labelledMaker();
    maker.builder().compatFacts().gpuPids.push_back(number(1));
    maker.cpu(Category::GpuUserAnnotation, "run#0", 0, 1'000, {.tid = 7, .pid = 0});
    maker.cpu(Category::CudaSync, "Stream Sync", 1'000, 1'000, {.tid = 7, .pid = 0});
    maker.cpu(Category::CpuOp, "aten::conv2d", 2'000, 1'000, {.tid = 5, .pid = 1});
    maker.cpu(Category::CpuOp, "aten::conv2d", 5'000, 1'000, {.tid = 5, .pid = 2});
    const auto report = reportOf(maker, 0.01);
    QCOMPARE(*report.utilization, 0.3);
    QCOMPARE(*report.mmConvUtilization, 0.1);
}

void CompatTest::onlyCompleteEventsOfAProcessCount() {
    TraceMaker maker = labelledMaker();
    CompatFacts& facts = maker.builder().compatFacts();
    const Cpu onGpu{.tid = 7, .pid = 0};
    facts.notComplete.push_back(maker.cpu(Category::None, "begun and ended", 0, 1'000, onGpu));
    maker.kernel("k", 5'000, 1'000);
    facts.notComplete.push_back(maker.cpu(Category::None, "no process", 9'000, 1'000, onGpu));
    maker.builder().addInvalidDuration({facts.notComplete.back(), true, 0});
    const auto report = reportOf(maker, 0.01);
    QVERIFY2(report.utilization.has_value(), report.reason.c_str());
    QCOMPARE(*report.utilization, 0.1);
}

void CompatTest::numberIsNoTextAsProcess() {
    TraceMaker maker;
    const RowId text{true, std::int64_t{maker.builder().name("0")}};
    maker.builder().process(text);
    maker.builder().compatFacts().gpuPids.push_back(text);
    maker.kernel("k", 0, 1'000);
    QCOMPARE(*reportOf(maker, 0.01).utilization, 0.0);
}

void CompatTest::mmConvNamesAreCaseSensitive() {
    TraceMaker maker = labelledMaker();
    TimeNs start = 0;
    for (const char* name :
         {"gemm", "xconvert", "cutlass", "wgrad", "Gemm", "CONV", "nvjet", "fprop"}) {
        maker.kernel(name, start += 10'000, 1'000);
    }
    QCOMPARE(*reportOf(maker, 0.1).mmConvUtilization, 0.04);
}

void CompatTest::firstNegativeDurationSubtracts() {
    TraceMaker maker = labelledMaker();
    TraceBuilder& builder = maker.builder();
    const auto odd = [&](TimeNs start, TimeNs written) {
        const SliceId slice = maker.cpu(Category::Kernel, "k", start, 0, {.tid = 7, .pid = 0});
        builder.addInvalidDuration({slice, false, written});
    };
    odd(1'000, -500);
    maker.kernel("k", 2'000, 1'000);
    odd(9'000, -500);
    QCOMPARE(*reportOf(maker, 0.001).utilization, 0.5);
}

void CompatTest::whatIsMissingIsTheReason_data() {
    QTest::addColumn<QByteArray>("what");
    QTest::addColumn<qlonglong>("pid");
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("ts") << QByteArray("ts") << 0LL
                        << QByteArray("an event of a GPU process has no ts");
    QTest::newRow("dur") << QByteArray("dur") << 0LL
                         << QByteArray("the event \"k\" of a GPU process has no dur");
    QTest::newRow("labels") << QByteArray("labels") << 0LL
                            << QByteArray("a process_labels event has no args.labels");
    QTest::newRow("ts elsewhere") << QByteArray("ts") << 5LL << QByteArray();
    QTest::newRow("dur elsewhere") << QByteArray("dur") << 5LL << QByteArray();
}

void CompatTest::whatIsMissingIsTheReason() {
    QFETCH(QByteArray, what);
    QFETCH(qlonglong, pid);
    QFETCH(QByteArray, reason);
    TraceMaker maker = labelledMaker();
    maker.kernel("fine", 0, 1'000);
    const SliceId slice = maker.cpu(Category::None, "k", 5, 0, {.tid = 7, .pid = pid});
    if (what == "ts") {
        maker.builder().compatFacts().slicesWithoutTime.push_back(
            maker.builder().track(number(pid), number(7)));
    } else if (what == "dur") {
        maker.builder().addInvalidDuration({slice, true, 0});
    } else {
        maker.builder().compatFacts().labelsMissing = true;
    }
    const auto report = reportOf(maker, 0.01);
    QCOMPARE(QByteArray::fromStdString(report.reason), reason);
    QCOMPARE(report.utilization.has_value(), reason.isEmpty());
    QCOMPARE(report.mmConvUtilization.has_value(), reason.isEmpty());
    QCOMPARE(report.gpuBusy, 0.1);
}

void CompatTest::emptyTraceHasNoWallTime() {
    const auto report = makeCompatReport(*TraceBuilder().finish());
    QCOMPARE(report.wallMs, 0.0);
    QVERIFY(!report.utilization.has_value());
    QCOMPARE(report.reason, std::string("the wall time is zero"));
    QVERIFY(report.categories.empty());
}

void CompatTest::aStopEndsIt() {
    std::stop_source source;
    source.request_stop();
    TraceMaker maker;
    maker.kernel("k", 0, 1'000);
    const auto trace = maker.finish();
    const auto stopped = guarded([&]() -> Result<CompatReport> {
        return makeCompatReport(*trace, {.wallMs = {}, .stop = source.get_token()});
    });
    QVERIFY(!stopped && stopped.error().kind == ErrorKind::Cancelled);
}

QTEST_APPLESS_MAIN(CompatTest)
#include "CompatTest.moc"
