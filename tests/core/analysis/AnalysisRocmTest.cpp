// SPDX-License-Identifier: Apache-2.0
// How launches are found in what the profiler writes on ROCm.
#include <QtTest>

#include "core/query/LaneLayout.h"
#include "core/query/LaunchFlow.h"
#include "core/query/LaunchLinks.h"
#include "core/report/Report.h"
#include "tests/core/AnalysisFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::query;
using namespace kinetoscope::report;
using namespace kinetoscope::trace;
using namespace kinetoscope::analysis_test;

namespace {

// ROCm 6.1: kernels of communication have correlation 0, their launches one of their own.
struct RcclTrace {
    TraceMaker maker;
    std::vector<SliceId> launches;
    std::vector<GpuOpId> kernels;

    void launch(TimeNs start, std::string_view name = "hipExtLaunchKernel") {
        launches.push_back(maker.cpu(Category::Runtime, name, start, 3,
                                     {.correlation = static_cast<std::int64_t>(100 + start)}));
    }
    void kernel(TimeNs start, std::int64_t stream = 3, std::int64_t correlation = 0) {
        kernels.push_back(maker.kernel("ncclDevKernel_Generic(ncclDevComm*)", start, 4,
                                       {.stream = stream, .correlation = correlation}));
    }
    std::vector<SliceId> calls() {
        const LaunchLinks links(*maker.finish());
        std::vector<SliceId> result;
        for (const GpuOpId kernel : kernels) {
            result.push_back(links.apiCall(kernel));
        }
        return result;
    }
};

using Calls = std::vector<SliceId>;

}  // namespace

class AnalysisRocmTest final : public QObject {
    Q_OBJECT

private slots:
    void withoutAnyCorrelationExternalIdsJoinLaunches();
    void oneCorrelationKeepsExternalIdsForOperators();
    void externalIdsOfOperatorsAreNoLaunches();
    void kernelsAndLaunchesWithoutAPartnerAreJoinedInOrder();
    void kernelsWithoutAPartnerAreNotGuessed();
    void zeroIsNoGraph();
};

// The profiler on ROCm until 2024: calls and their work share an External id, operators have
// others.
void AnalysisRocmTest::withoutAnyCorrelationExternalIdsJoinLaunches() {
    TraceMaker maker;
    const SliceId mm = maker.cpu(Category::CpuOp, "aten::mm", 0, 50, {.externalId = 1025});
    maker.cpu(Category::CpuOp, "aten::add", 60, 30, {.externalId = 70});
    const SliceId first =
        maker.cpu(Category::Runtime, "hipExtModuleLaunchKernel", 10, 5, {.externalId = 70});
    const SliceId graph =
        maker.cpu(Category::Runtime, "hipGraphLaunch", 100, 5, {.externalId = 72});
    const GpuOpId gemm = maker.kernel("Cijk_Ailk_Bljk", 20, 5, {.externalId = 70});
    const GpuOpId one = maker.kernel("a", 120, 5, {.externalId = 72});
    const GpuOpId two = maker.kernel("b", 130, 5, {.externalId = 72});
    const auto trace = maker.finish();
    const LaunchLinks links(*trace);
    QCOMPARE(links.apiCall(gemm), first);
    QCOMPARE(links.launchingOperator(gemm), mm);  // and not the one that happens to be number 70
    QCOMPARE(links.apiCall(one), graph);
    QVERIFY(links.isGraphLaunch(two));
    const GpuReport gpu = firstGpuOf(trace);
    QCOMPARE(gpu.launches.linked, std::uint64_t{3});
    QCOMPARE(gpu.streamGaps.hostWaitNs,
             TimeNs{95});  // the graph was launched long after the first kernel
    QCOMPARE(gpu.streamGaps.insideGraphNs, TimeNs{5});
    // The reasons of an idle GPU are told as they are on CUDA.
    QCOMPARE(gpu.idle.hostNs, TimeNs{75});
    QCOMPARE(gpu.idle.launchNs, TimeNs{20});
    QCOMPARE(gpu.idle.graphNs, TimeNs{5});
    QCOMPARE(gpu.idle.unknownNs, TimeNs{0});
    LaneIndex index(trace);
    const SliceId kernel = trace->gpuOperations()[two].slice;
    QCOMPARE(arrowsOf(index, kernel), (std::vector<FlowArrow>{{graph, kernel, FlowKind::Launch}}));
    QVERIFY(arrowsOf(index, mm).empty());
}

void AnalysisRocmTest::oneCorrelationKeepsExternalIdsForOperators() {
    TraceMaker maker;
    maker.api(5, 2, 1);
    maker.cpu(Category::Runtime, "cudaStreamSynchronize", 10, 5, {.externalId = 70});
    const SliceId add = maker.cpu(Category::CpuOp, "aten::add", 60, 30, {.externalId = 70});
    const GpuOpId kernel = maker.kernel("a", 100, 5, {.externalId = 70});
    const LaunchLinks links(*maker.finish());
    QCOMPARE(links.apiCall(kernel), kNoSlice);
    QCOMPARE(links.launchingOperator(kernel), add);
}

void AnalysisRocmTest::externalIdsOfOperatorsAreNoLaunches() {
    TraceMaker maker;
    const SliceId add = maker.cpu(Category::CpuOp, "aten::add", 0, 30, {.externalId = 5});
    maker.cpu(Category::Runtime, "cudaLaunchKernel", 10, 5, {.externalId = 5});
    const GpuOpId kernel = maker.kernel("a", 100, 5, {.externalId = 5});
    const LaunchLinks links(*maker.finish());
    QCOMPARE(links.apiCall(kernel), kNoSlice);
    QCOMPARE(links.launchingOperator(kernel), add);
}

void AnalysisRocmTest::kernelsAndLaunchesWithoutAPartnerAreJoinedInOrder() {
    RcclTrace trace;
    trace.maker.api(5, 2, 1);
    trace.maker.kernel("a", 30, 5, {.correlation = 1});
    trace.kernel(8);  // launched before the recording
    trace.launch(10);
    trace.launch(20);
    trace.kernel(50, 3, kNoId);
    trace.kernel(25);
    trace.launch(12, "hipMemsetAsync");  // whatever it launched is not a kernel
    QCOMPARE(trace.calls(), (Calls{kNoSlice, trace.launches[1], trace.launches[0]}));
}

void AnalysisRocmTest::kernelsWithoutAPartnerAreNotGuessed() {
    RcclTrace twoStreams;
    twoStreams.launch(10);
    twoStreams.launch(20);
    twoStreams.kernel(25, 3);
    twoStreams.kernel(50, 4);
    QCOMPARE(twoStreams.calls(), (Calls{kNoSlice, kNoSlice}));
    RcclTrace lost;
    lost.launch(10);
    lost.launch(20);
    lost.kernel(25);
    QCOMPARE(lost.calls(), Calls{kNoSlice});
    RcclTrace early;
    early.launch(10);
    early.launch(40);
    early.kernel(25);
    early.kernel(30);
    QCOMPARE(early.calls(), (Calls{kNoSlice, kNoSlice}));
    RcclTrace others;
    others.launch(10);
    others.kernel(25, 3, 77);  // a correlation that nothing else has: launched before the recording
    QCOMPARE(others.calls(), Calls{kNoSlice});
    RcclTrace cuda;
    cuda.launch(10, "cudaLaunchKernel");
    cuda.kernel(25);
    QCOMPARE(cuda.calls(), Calls{kNoSlice});
}

void AnalysisRocmTest::zeroIsNoGraph() {
    TraceMaker maker;
    maker.kernel("a", 0, 10, {.correlation = 0});
    maker.kernel("b", 20, 10, {.correlation = 0});
    const GpuReport gpu = firstGpuOf(maker.finish());
    QCOMPARE(gpu.streamGaps.insideGraphNs, TimeNs{0});
    QCOMPARE(gpu.streamGaps.kernelWaitNs, TimeNs{10});
}

QTEST_APPLESS_MAIN(AnalysisRocmTest)
#include "AnalysisRocmTest.moc"
