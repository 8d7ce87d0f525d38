// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <random>

#include "core/analysis/GpuBusy.h"
#include "core/query/Intervals.h"
#include "core/report/Figures.h"
#include "core/report/Report.h"
#include "tests/core/AnalysisFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::query;
using namespace kinetoscope::report;
using namespace kinetoscope::trace;
using namespace kinetoscope::analysis_test;

namespace {

GpuReport reportOf(const std::shared_ptr<const Trace>& trace, const WindowChoice& window = {},
                   std::size_t gpu = 0) {
    const auto report = makeReport(*trace, {window, GroupBy::Inductor});
    return report && gpu < report->gpus.size() ? report->gpus[gpu] : GpuReport{};
}

WindowChoice range(TimeNs start, TimeNs end) {
    return {WindowKind::Range, 0, {start, end}};
}

}  // namespace

class AnalysisBusyTest final : public QObject {
    Q_OBJECT

private slots:
    void unionJoinsWhatTouchesAndDropsWhatIsEmpty();
    void coveredTimeAgreesWithCountingEveryNanosecond();
    void sumsStayAtTheLargestTime();
    void windowGoesFromTheFirstOperationToTheLatestEnd();
    void overlappingStreamsAreBusyOnce();
    void synchronisationAndAnnotationsAreNoWork();
    void operationsWithoutDurationCountButTakeNoTime();
    void eachGpuHasItsOwnWindow();
    void deviceNamesComeFromTheProperties();
    void breakdownPartsSumToTheWindow();
    void longestGapIsFoundWithItsPlace();
    void collectivesAreKnownByNameOrArgument_data();
    void collectivesAreKnownByNameOrArgument();
    void selectionClipsTimesButCountsWholeOperations();
    void selectionTakesAnOperationAtItsStartButNotAtItsEnd();
    void traceWindowIsTheWholeExtent();
    void operatorsDecideBeforeNames();
    void layoutConversionsAreApart();
    void tritonNamesDecideFirst_data();
    void tritonNamesDecideFirst();
    void stripsAreDisjointUnionsOfTheirKind();
    void traceWithoutGpuWorkGivesAnEmptyReport();
};

void AnalysisBusyTest::unionJoinsWhatTouchesAndDropsWhatIsEmpty() {
    const std::vector<TimeSpan> spans{{0, 5}, {5, 8}, {9, 9}, {10, 20}, {11, 12}, {30, 31}};
    const std::vector<TimeSpan> joined{{0, 8}, {10, 20}, {30, 31}};
    QVERIFY(unionOf(spans) == joined);
    QVERIFY(unionOfUnsorted({{30, 31}, {10, 20}, {5, 8}, {11, 12}, {0, 5}}) == joined);
}

void AnalysisBusyTest::coveredTimeAgreesWithCountingEveryNanosecond() {
    std::mt19937 random(7);
    std::uniform_int_distribution<TimeNs> time(0, 99);
    std::vector<TimeSpan> spans;
    std::array<bool, 120> covered{};
    for (int i = 0; i < 12; ++i) {
        const TimeNs start = time(random);
        spans.push_back({start, start + time(random) % 9});
        std::fill(covered.begin() + spans.back().start, covered.begin() + spans.back().end, true);
    }
    const CoveredTime answer(unionOfUnsorted(spans));
    for (TimeNs start = 0; start < 110; ++start) {
        for (TimeNs end = start; end < 110; ++end) {
            const auto expected = std::count(covered.begin() + start, covered.begin() + end, true);
            QCOMPARE(answer.inside({start, end}), TimeNs{expected});
        }
    }
}

void AnalysisBusyTest::sumsStayAtTheLargestTime() {
    constexpr TimeNs kMax = std::numeric_limits<TimeNs>::max();
    QCOMPARE(addTime(kMax - 5, 7), kMax);
    QCOMPARE(addTime(kMax - 5, 5), kMax);
    QCOMPARE(addTime(-5, 7), TimeNs{2});
    constexpr TimeNs kMin = std::numeric_limits<TimeNs>::min();
    QCOMPARE(addTime(7, -8), TimeNs{-1});
    QCOMPARE(addTime(kMin + 5, -7), kMin);
}

void AnalysisBusyTest::windowGoesFromTheFirstOperationToTheLatestEnd() {
    TraceMaker maker;
    maker.api(0, 5, 1);
    maker.kernel("long", 100, 900);
    maker.kernel("late but short", 950, 10);
    maker.annotation("after", 2'000, 10);
    const auto gpu = reportOf(maker.finish());
    QCOMPARE(gpu.window.start, TimeNs{100});
    QCOMPARE(gpu.window.end, TimeNs{1'000});
}

void AnalysisBusyTest::overlappingStreamsAreBusyOnce() {
    TraceMaker maker;
    maker.kernel("a", 0, 100, {.stream = 7});
    maker.kernel("b", 50, 100, {.stream = 8});
    maker.memcpy(120, 80, {.stream = 9});
    maker.kernel("c", 300, 10, {.stream = 7});
    const auto gpu = reportOf(maker.finish());
    QCOMPARE(gpu.busyNs, TimeNs{210});
    QCOMPARE(gpu.kernelBusyNs, TimeNs{160});
    QCOMPARE(gpu.kernelTimeSumNs, TimeNs{210});
    QCOMPARE(gpu.streams.size(), std::size_t{3});
    QCOMPARE(gpu.streams[0].busyNs, TimeNs{110});
    QCOMPARE(gpu.streams[0].operations, std::uint64_t{2});
}

void AnalysisBusyTest::synchronisationAndAnnotationsAreNoWork() {
    TraceMaker maker;
    maker.kernel("a", 100, 10);
    maker.kernel("b", 200, 10);
    for (const Category category :
         {Category::CudaSync, Category::CudaEvent, Category::GpuUserAnnotation}) {
        maker.cpu(category, "not work", 0, 1'000, {.tid = 7, .pid = 0});
    }
    const auto gpu = reportOf(maker.finish());
    QCOMPARE(gpu.window.duration(), TimeNs{110});
    QCOMPARE(gpu.busyNs, TimeNs{20});
}

void AnalysisBusyTest::operationsWithoutDurationCountButTakeNoTime() {
    TraceMaker maker;
    maker.kernel("a", 100, 10);
    maker.gpu(Category::GpuMemset, "Memset (Device)", 300, 0);
    const auto gpu = reportOf(maker.finish());
    QCOMPARE(gpu.window.end, TimeNs{300});
    QCOMPARE(gpu.operations.kernel, std::uint64_t{1});
    QCOMPARE(gpu.operations.memset, std::uint64_t{1});
    QCOMPARE(gpu.operations.memcpy, std::uint64_t{0});
    QCOMPARE(gpu.busyNs, TimeNs{10});
}

void AnalysisBusyTest::eachGpuHasItsOwnWindow() {
    TraceMaker maker;
    maker.kernel("late", 500, 10, {.gpu = 1});
    maker.kernel("early", 100, 20, {.gpu = 0});
    const auto trace = maker.finish();
    QCOMPARE(reportOf(trace, {}, 0).gpu, 0);
    QCOMPARE(reportOf(trace, {}, 0).window.end, TimeNs{120});
    QCOMPARE(reportOf(trace, {}, 1).gpu, 1);
    QCOMPARE(reportOf(trace, {}, 1).window.start, TimeNs{500});
    const auto strips = busyStrips(*trace);
    QCOMPARE(strips.size(), std::size_t{2});
    QVERIFY(strips[0].gpu == 0 && strips[1].gpu == 1);
}

void AnalysisBusyTest::deviceNamesComeFromTheProperties() {
    TraceMaker maker;
    maker.kernel("a", 0, 1, {.gpu = 3});
    DeviceProperties device;
    device.id = 3;
    device.name = "Some GPU";
    maker.builder().info().devices.push_back(device);
    QCOMPARE(reportOf(maker.finish()).name, std::string("Some GPU"));
}

void AnalysisBusyTest::breakdownPartsSumToTheWindow() {
    TraceMaker maker;
    maker.kernel("compute", 0, 100, {.stream = 1});
    maker.kernel("ncclDevKernel_AllReduce", 80, 100, {.stream = 2});  // exposed: 100 to 180
    maker.memcpy(90, 130, {.stream = 3});                             // exposed: 180 to 220
    maker.gpu(Category::GpuMemset, "Memset (Device)", 300, 50);       // exposed: all
    maker.kernel("compute", 400, 10);
    const auto gpu = reportOf(maker.finish());
    QCOMPARE(gpu.breakdown.computeNs, TimeNs{110});
    QCOMPARE(gpu.breakdown.exposedCommNs, TimeNs{80});
    QCOMPARE(gpu.breakdown.exposedCopyNs, TimeNs{90});
    QCOMPARE(gpu.breakdown.idleNs, TimeNs{130});
}

void AnalysisBusyTest::longestGapIsFoundWithItsPlace() {
    TraceMaker maker;
    maker.kernel("a", 0, 100, {.stream = 1});
    maker.memcpy(50, 200, {.stream = 2});  // hides the gap of stream 1
    maker.kernel("b", 300, 10, {.stream = 1});
    maker.kernel("c", 360, 10, {.stream = 1});
    maker.kernel("d", 420, 10, {.stream = 1});
    const auto trace = maker.finish();
    QVERIFY((reportOf(trace).longestGap == TimeSpan{250, 300}));  // the first of three of 50
    QVERIFY((reportOf(trace, range(320, 420)).longestGap == TimeSpan{370, 420}));
    QVERIFY((reportOf(trace, range(311, 359)).longestGap == TimeSpan{311, 359}));  // all idle
    const Figure& figure = *findFigure("longest_gap_ns");
    QCOMPARE(figure.number(reportOf(trace)), std::int64_t{50});
    TraceMaker busy;
    busy.kernel("a", 0, 100);
    const GpuReport without = reportOf(busy.finish());
    QCOMPARE(figure.number(without), std::int64_t{0});
    QVERIFY(!figure.place(without));
}

void AnalysisBusyTest::collectivesAreKnownByNameOrArgument_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("collective");
    QTest::addColumn<bool>("isCommunication");
    QTest::newRow("name") << QByteArray("ncclDevKernel_Broadcast") << false << true;
    QTest::newRow("capitals") << QByteArray("NCCL_AllReduce") << false << true;
    QTest::newRow("argument") << QByteArray("my_all_gather") << true << true;
    QTest::newRow("inside a name") << QByteArray("my_nccl_kernel") << false << false;
    QTest::newRow("another name") << QByteArray("oneCCL_kernel") << false << false;
    QTest::newRow("short name") << QByteArray("ncc") << false << false;
}

void AnalysisBusyTest::collectivesAreKnownByNameOrArgument() {
    QFETCH(QByteArray, name);
    QFETCH(bool, collective);
    QFETCH(bool, isCommunication);
    TraceMaker maker;
    maker.kernel(name.toStdString(), 0, 10, {.collective = collective});
    const auto gpu = reportOf(maker.finish());
    QCOMPARE(gpu.breakdown.exposedCommNs, TimeNs{isCommunication ? 10 : 0});
    QCOMPARE(gpu.breakdown.computeNs, TimeNs{isCommunication ? 0 : 10});
}

void AnalysisBusyTest::selectionClipsTimesButCountsWholeOperations() {
    TraceMaker maker;
    maker.kernel(kGemm, 1'000, 100);  // the trace begins here
    maker.kernel(kGemm, 1'150, 100);
    const auto trace = maker.finish();
    const auto report = makeReport(*trace, {range(50, 200), GroupBy::Family});
    QVERIFY(report.has_value());
    const GpuReport& gpu = report->gpus[0];
    QCOMPARE(gpu.window.start, TimeNs{1'050});
    QCOMPARE(gpu.window.duration(), TimeNs{150});
    QCOMPARE(gpu.busyNs, TimeNs{100});
    QCOMPARE(gpu.kernelTimeSumNs, TimeNs{100});
    QCOMPARE(gpu.mmConv.unionNs, TimeNs{100});
    QCOMPARE(gpu.mmConv.nameNs, TimeNs{100});
    QCOMPARE(gpu.breakdown.idleNs, TimeNs{50});
    QCOMPARE(gpu.operations.kernel, std::uint64_t{1});
    QCOMPARE(report->kernels[0].totalNs, TimeNs{100});
    QCOMPARE(report->categories[0].totalNs, TimeNs{100});
}

void AnalysisBusyTest::selectionTakesAnOperationAtItsStartButNotAtItsEnd() {
    TraceMaker maker;
    maker.kernel("a", 0, 0);
    maker.kernel("b", 10, 0);
    maker.kernel("c", 20, 0);
    QCOMPARE(reportOf(maker.finish(), range(0, 20)).operations.kernel, std::uint64_t{2});
}

void AnalysisBusyTest::traceWindowIsTheWholeExtent() {
    TraceMaker maker;
    maker.annotation("first", 100, 10);
    maker.kernel("a", 500, 20);
    maker.annotation("last", 900, 100);
    const auto gpu = reportOf(maker.finish(), {WindowKind::Trace, 0, {}});
    QCOMPARE(gpu.window.start, TimeNs{100});
    QCOMPARE(gpu.window.end, TimeNs{1'000});
    QCOMPARE(gpu.operations.kernel, std::uint64_t{1});
}

void AnalysisBusyTest::operatorsDecideBeforeNames() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "aten::mm", 0, 50, {.externalId = 1});
    maker.cpu(Category::CpuOp, "aten::cudnn_convolution_relu", 50, 50, {.externalId = 2});
    maker.cpu(Category::CpuOp, "aten::mm_but_not_really", 100, 50, {.externalId = 3});
    maker.kernel("no gemm by name", 200, 10, {.externalId = 1});
    maker.kernel("nothing", 205, 10, {.stream = 8, .externalId = 2});
    maker.kernel(kFill, 300, 10, {.externalId = 3});
    maker.kernel(kGemm, 400, 30, {.externalId = 3});
    maker.memcpy(500, 100, {.externalId = 1});
    const auto time = reportOf(maker.finish()).mmConv;
    QCOMPARE(time.operatorNs, TimeNs{20});
    QCOMPARE(time.nameNs, TimeNs{30});
    QCOMPARE(time.layoutNs, TimeNs{0});
    QCOMPARE(time.unionNs, TimeNs{45});
}

void AnalysisBusyTest::layoutConversionsAreApart() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "aten::cudnn_convolution", 0, 50, {.externalId = 1});
    maker.kernel(kLayout, 100, 10, {.externalId = 1});
    maker.kernel(kLayout, 200, 10);  // nobody's: no convolution, no conversion for one
    const auto time = reportOf(maker.finish()).mmConv;
    QCOMPARE(time.layoutNs, TimeNs{10});
    QCOMPARE(time.unionNs, TimeNs{0});
}

void AnalysisBusyTest::tritonNamesDecideFirst_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("counts");
    for (const char* never : {"triton_poi_fused_mm_0", "triton_red_fused_convolution_1",
                              "triton_per_fused_mm_2", "triton_for_fused_3", "triton_spl_mm"}) {
        QTest::newRow(never) << QByteArray(never) << false;
    }
    for (const char* always : {"triton_mm", "triton_bmm_1", "triton_tem_fused_addmm_2",
                               "triton_tem_fused_convolution_3", "my_triton_mm"}) {
        QTest::newRow(always) << QByteArray(always) << true;
    }
    // Neither: the operator (aten::mm here) decides.
    QTest::newRow("other template") << QByteArray("triton_tem_fused_4") << true;
}

void AnalysisBusyTest::tritonNamesDecideFirst() {
    QFETCH(QByteArray, name);
    QFETCH(bool, counts);
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "aten::mm", 0, 50, {.externalId = 1});
    maker.kernel(name.toStdString(), 100, 10, {.externalId = 1});
    const auto report = makeReport(*maker.finish());
    const auto time = report->gpus[0].mmConv;
    QCOMPARE(time.unionNs, TimeNs{counts ? 10 : 0});
    QCOMPARE(time.nameNs, TimeNs{counts && name != "triton_tem_fused_4" ? 10 : 0});
    QCOMPARE(report->kernels[0].mmConv, counts);
}

void AnalysisBusyTest::stripsAreDisjointUnionsOfTheirKind() {
    TraceMaker maker;
    maker.kernel(kGemm, 0, 10, {.stream = 1});
    maker.kernel(kFill, 5, 10, {.stream = 2});
    maker.cpu(Category::CpuOp, "aten::mm", 0, 5, {.externalId = 1});
    maker.memcpy(15, 5, {.externalId = 1});
    maker.kernel(kGemm, 30, 5);
    maker.kernel("empty", 50, 0);
    maker.kernel(kGemm, 0, 77, {.gpu = 1});
    const auto trace = maker.finish();
    const std::vector<TimeSpan> all{{0, 20}, {30, 35}};
    const std::vector<TimeSpan> kernels{{0, 15}, {30, 35}};
    const std::vector<TimeSpan> mmConv{{0, 10}, {30, 35}};
    const auto strips = busyStrips(*trace);
    QCOMPARE(strips.size(), std::size_t{2});
    QVERIFY(strips[0].all == all && strips[0].kernels == kernels && strips[0].mmConv == mmConv);
    QCOMPARE(strips[1].gpu, 1);
    QCOMPARE(strips[1].mmConv[0].end, TimeNs{77});
}

void AnalysisBusyTest::traceWithoutGpuWorkGivesAnEmptyReport() {
    TraceMaker maker;
    maker.api(0, 10, 1);
    const auto trace = maker.finish();
    const auto report = makeReport(*trace);
    QVERIFY(report.has_value());
    QVERIFY(report->gpus.empty() && report->categories.empty() && report->kernels.empty());
    QVERIFY(busyStrips(*trace).empty());
}

QTEST_APPLESS_MAIN(AnalysisBusyTest)
#include "AnalysisBusyTest.moc"
