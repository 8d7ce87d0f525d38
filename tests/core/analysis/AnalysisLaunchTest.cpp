// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <map>
#include <random>

#include "core/analysis/IdleGaps.h"
#include "core/analysis/Steps.h"
#include "core/query/LaunchLinks.h"
#include "core/query/StepSpans.h"
#include "core/report/Report.h"
#include "tests/core/AnalysisFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::query;
using namespace kinetoscope::report;
using namespace kinetoscope::trace;
using namespace kinetoscope::analysis_test;

namespace {

std::vector<std::string> namesOf(const std::vector<Step>& steps) {
    std::vector<std::string> names;
    for (const Step& step : steps) {
        names.push_back(step.name);
    }
    return names;
}

using Names = std::vector<std::string>;

}  // namespace

class AnalysisLaunchTest final : public QObject {
    Q_OBJECT

private slots:
    void correlationLinksCallAndOperation();
    void correlationStaysWithinItsFile();
    void ofSeveralCallsTheLastBeforeTheOperationCounts();
    void idsFarApartAreFoundToo();
    void externalIdNamesTheOperator();
    void wrongExternalIdFallsBackToNesting();
    void operatorMustEncloseTheWholeCall();
    void sharedExternalIdPicksTheInnermostAround();
    void innermostOperatorOfTheThreadCounts();
    void crossingOperatorsAreSearchedExactly_data();
    void crossingOperatorsAreSearchedExactly();
    void graphLaunchesAreOneToMany();
    void delaysAreSignedAndSkewIsCounted();
    void medianDelayMayEndInAHalf();
    void gapReasonsFollowTheirOrder_data();
    void gapReasonsFollowTheirOrder();
    void gapsInsideOneGraphLaunchAreApart();
    void overheadIsTakenOutOfAGapFirst();
    void gapBeginsAtTheLatestEnd();
    void streamsAndGpusHaveTheirOwnGaps();
    void profilerStepsAreTheSteps();
    void stepEndsWithTheWorkLaunchedInside();
    void stepBusyIsTheUnionOverAllGpus();
    void stepsHaveTheGpusThatAreBusyInThem();
    void gpuCopiesOfStepsAreNoSteps();
    void annotationsWithConsecutiveNumbersAreSteps();
    void annotationsThatAreNeverSteps_data();
    void annotationsThatAreNeverSteps();
    void nestedAnnotationsAreNoSteps();
    void mostMembersThenEarliestWins();
    void unknownStepWindowNamesTheStepsThereAre();
};

void AnalysisLaunchTest::correlationLinksCallAndOperation() {
    TraceMaker maker;
    const SliceId call = maker.api(10, 5, 42);
    maker.cpu(Category::CudaSync, "no call", 11, 1, {.correlation = 42});
    const GpuOpId linked = maker.kernel("a", 20, 5, {.correlation = 42});
    const GpuOpId other = maker.kernel("b", 30, 5, {.correlation = 43});
    const GpuOpId none = maker.kernel("c", 40, 5);
    const LaunchLinks links(*maker.finish());
    QCOMPARE(links.apiCall(linked), call);
    QCOMPARE(links.apiCall(other), kNoSlice);
    QCOMPARE(links.apiCall(none), kNoSlice);
    QVERIFY(!links.isGraphLaunch(linked));
}

void AnalysisLaunchTest::correlationStaysWithinItsFile() {
    TraceBuilder builder;
    const auto add = [&](Category category, std::int64_t pid, std::uint16_t source, TimeNs start) {
        SliceInput input;
        input.start = start;
        input.duration = 5;
        input.correlation = 1;
        input.track = builder.track(number(pid), number(7), TrackKind::Thread, source);
        input.category = static_cast<CategoryId>(category);
        const SliceId slice = builder.addSlice(input);
        if (category == Category::Kernel) {
            GpuOperation operation;
            operation.slice = slice;
            builder.addGpuOperation(operation);
        }
        return slice;
    };
    const SliceId second = add(Category::Runtime, 900, 1, 9);
    const SliceId first = add(Category::Runtime, 900, 0, 8);
    add(Category::Kernel, 0, 0, 20);
    add(Category::Kernel, 0, 1, 20);
    add(Category::Kernel, 0, 2, 20);
    const LaunchLinks links(*builder.finish());
    QCOMPARE(links.apiCall(0), first);
    QCOMPARE(links.apiCall(1), second);
    QCOMPARE(links.apiCall(2), kNoSlice);
}

void AnalysisLaunchTest::ofSeveralCallsTheLastBeforeTheOperationCounts() {
    TraceMaker maker;
    maker.api(10, 20, 1);
    const SliceId inner = maker.api(12, 5, 1);
    const SliceId late = maker.api(100, 5, 1);
    const GpuOpId between = maker.kernel("a", 50, 5, {.correlation = 1});
    const GpuOpId after = maker.kernel("b", 100, 5, {.correlation = 1});
    const GpuOpId before = maker.kernel("c", 1, 5, {.correlation = 1});
    const LaunchLinks links(*maker.finish());
    QCOMPARE(links.apiCall(between), inner);
    QCOMPARE(links.apiCall(after), late);
    QCOMPARE(links.apiCall(before), SliceId{0});
}

void AnalysisLaunchTest::idsFarApartAreFoundToo() {
    TraceMaker maker;
    constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
    const SliceId far = maker.api(10, 5, kFar);
    const SliceId negative = maker.api(20, 5, -kFar);
    const SliceId near = maker.api(30, 5, 3);
    maker.api(35, 5, 1'000'000);  // nobody asks for it
    const GpuOpId a = maker.kernel("a", 40, 5, {.correlation = kFar});
    const GpuOpId b = maker.kernel("b", 50, 5, {.correlation = -kFar});
    const GpuOpId c = maker.kernel("c", 60, 5, {.correlation = 3});
    const GpuOpId d = maker.kernel("d", 70, 5, {.correlation = 4});
    const LaunchLinks links(*maker.finish());
    QCOMPARE(links.apiCall(a), far);
    QCOMPARE(links.apiCall(b), negative);
    QCOMPARE(links.apiCall(c), near);
    QCOMPARE(links.apiCall(d), kNoSlice);
}

void AnalysisLaunchTest::externalIdNamesTheOperator() {
    TraceMaker maker;
    const SliceId op = maker.cpu(Category::CpuOp, "aten::mm", 0, 100, {.externalId = 5});
    maker.cpu(Category::CpuOp, "inside, but not named", 5, 50, {.externalId = 6});
    maker.cpu(Category::UserAnnotation, "run#0", 0, 200, {.externalId = 7});
    maker.api(10, 5, 1);
    const GpuOpId linked = maker.kernel("a", 20, 5, {.correlation = 1, .externalId = 5});
    const GpuOpId noCall = maker.kernel("b", 30, 5, {.externalId = 5});
    const GpuOpId notAnOperator = maker.kernel("c", 40, 5, {.externalId = 7});
    const LaunchLinks links(*maker.finish());
    QCOMPARE(links.launchingOperator(linked), op);
    QCOMPARE(links.launchingOperator(noCall), op);
    QCOMPARE(links.launchingOperator(notAnOperator), kNoSlice);
}

void AnalysisLaunchTest::wrongExternalIdFallsBackToNesting() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "named, elsewhere", 500, 100, {.externalId = 5});
    const SliceId around = maker.cpu(Category::CpuOp, "around", 0, 100, {.externalId = 6});
    maker.api(10, 5, 1);
    const GpuOpId wrong = maker.kernel("a", 20, 5, {.correlation = 1, .externalId = 5});
    const GpuOpId absent = maker.kernel("b", 30, 5, {.correlation = 1, .externalId = 999});
    const LaunchLinks links(*maker.finish());
    QCOMPARE(links.launchingOperator(wrong), around);
    QCOMPARE(links.launchingOperator(absent), around);
}

void AnalysisLaunchTest::operatorMustEncloseTheWholeCall() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "ends too early", 0, 14, {.externalId = 5});
    maker.api(10, 5, 1);
    const SliceId exact = maker.cpu(Category::CpuOp, "exactly", 20, 5, {.externalId = 6});
    maker.api(20, 5, 2);
    const GpuOpId early = maker.kernel("a", 40, 5, {.correlation = 1, .externalId = 5});
    const GpuOpId fits = maker.kernel("b", 50, 5, {.correlation = 2, .externalId = 6});
    const LaunchLinks links(*maker.finish());
    QCOMPARE(links.launchingOperator(early), kNoSlice);
    QCOMPARE(links.launchingOperator(fits), exact);
}

void AnalysisLaunchTest::sharedExternalIdPicksTheInnermostAround() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "outer", 0, 100, {.externalId = 5});
    const SliceId inner = maker.cpu(Category::CpuOp, "inner", 10, 50, {.externalId = 5});
    maker.cpu(Category::CpuOp, "later", 70, 10, {.externalId = 5});
    maker.api(20, 5, 1);
    const GpuOpId id = maker.kernel("a", 90, 5, {.correlation = 1, .externalId = 5});
    const LaunchLinks links(*maker.finish());
    QCOMPARE(links.launchingOperator(id), inner);
}

void AnalysisLaunchTest::innermostOperatorOfTheThreadCounts() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "outer", 0, 100);
    const SliceId inner = maker.cpu(Category::CpuOp, "inner", 10, 50);
    maker.cpu(Category::CpuOp, "over", 20, 5);
    maker.cpu(Category::CpuOp, "another thread", 24, 20, {.tid = 101});
    maker.cpu(Category::UserAnnotation, "no operator", 28, 10);
    maker.api(30, 5, 1);
    maker.api(31, 5, 2, 102);
    const GpuOpId id = maker.kernel("a", 90, 5, {.correlation = 1});
    const GpuOpId alone = maker.kernel("b", 95, 5, {.correlation = 2});
    const LaunchLinks links(*maker.finish());
    QCOMPARE(links.launchingOperator(id), inner);
    QCOMPARE(links.launchingOperator(alone), kNoSlice);
}

void AnalysisLaunchTest::crossingOperatorsAreSearchedExactly_data() {
    QTest::addColumn<bool>("withIds");
    QTest::newRow("by thread") << false;
    QTest::newRow("by External id, then by thread") << true;
}

void AnalysisLaunchTest::crossingOperatorsAreSearchedExactly() {
    QFETCH(bool, withIds);
    TraceMaker maker;
    std::vector<SliceId> operators;
    std::vector<SliceId> calls;
    std::vector<GpuOpId> kernels;
    // Spans that nest, cross and repeat, from a small generator with a fixed seed.
    std::uint32_t state = 12345;
    const auto next = [&](std::uint32_t below) {
        state = state * 1'664'525U + 1'013'904'223U;
        return TimeNs{(state >> 16U) % below};
    };
    const auto nextId = [&] { return withIds ? next(9) : kNoId; };
    constexpr std::int64_t kCallThread = 100;
    for (int i = 0; i < 200; ++i) {
        operators.push_back(maker.cpu(
            Category::CpuOp, "op", next(100), next(25),
            {.tid = withIds ? kCallThread + next(2) : kCallThread, .externalId = nextId()}));
        calls.push_back(maker.api(next(100), next(9), i, kCallThread));
        kernels.push_back(
            maker.kernel("k", 500 + i, 1, {.correlation = i, .externalId = nextId()}));
    }
    const auto trace = maker.finish();
    const LaunchLinks links(*trace);
    const auto depth = [&](SliceId slice) {
        return std::tuple(trace->start(slice), -trace->duration(slice), slice);
    };
    const auto innermost = [&](SliceId call, auto isWanted) {
        SliceId best = kNoSlice;
        for (const SliceId op : operators) {
            const bool encloses =
                trace->start(op) <= trace->start(call) && trace->end(call) <= trace->end(op);
            if (encloses && isWanted(op) && (best == kNoSlice || depth(op) > depth(best))) {
                best = op;
            }
        }
        return best;
    };
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const std::int64_t id = trace->externalId(trace->gpuOperations()[kernels[i]].slice);
        SliceId expected = innermost(
            calls[i], [&](SliceId op) { return id != kNoId && trace->externalId(op) == id; });
        if (expected == kNoSlice) {
            expected = innermost(calls[i], [&](SliceId op) {
                return trace->trackOf(op) == trace->trackOf(calls[i]);
            });
        }
        QCOMPARE(links.launchingOperator(kernels[i]), expected);
    }
}

void AnalysisLaunchTest::graphLaunchesAreOneToMany() {
    TraceMaker maker;
    maker.api(0, 10, 1);
    maker.kernel("a", 20, 5, {.correlation = 1});
    maker.kernel("b", 30, 5, {.correlation = 1});
    maker.api(100, 10, 2);
    maker.kernel("alone, but of a graph", 120, 5, {.correlation = 2, .graph = 3});
    maker.api(200, 10, 3);
    maker.kernel("plain", 250, 5, {.correlation = 3});
    const auto launches = firstGpuOf(maker.finish()).launches;
    QCOMPARE(launches.linked, std::uint64_t{4});
    QCOMPARE(launches.graphOperations, std::uint64_t{3});
    QCOMPARE(launches.medianDelayNs, 40.0);
}

void AnalysisLaunchTest::delaysAreSignedAndSkewIsCounted() {
    TraceMaker maker;
    maker.api(100, 10, 1);
    maker.kernel("while the call runs", 105, 5, {.correlation = 1});
    maker.api(200, 10, 2);
    maker.kernel("before the call", 199, 5, {.correlation = 2});
    maker.api(300, 10, 3);
    maker.kernel("with the call", 300, 5, {.correlation = 3});
    maker.api(400, 10, 4);
    maker.kernel("after", 410, 5, {.correlation = 4});
    maker.kernel("alone", 500, 5);
    const auto launches = firstGpuOf(maker.finish()).launches;
    QCOMPARE(launches.linked, std::uint64_t{4});
    QCOMPARE(launches.unlinked, std::uint64_t{1});
    QCOMPARE(launches.beforeApiStart, std::uint64_t{1});
    QCOMPARE(launches.negativeDelay, std::uint64_t{3});
    QCOMPARE(launches.maxDelayNs, TimeNs{0});
    QCOMPARE(launches.medianDelayNs, -7.5);  // -11, -10, -5, 0
}

void AnalysisLaunchTest::medianDelayMayEndInAHalf() {
    TraceMaker maker;
    maker.api(0, 10, 1);
    maker.kernel("a", 13, 5, {.correlation = 1});
    maker.api(100, 10, 2);
    maker.kernel("b", 114, 5, {.correlation = 2});
    const auto launches = firstGpuOf(maker.finish()).launches;
    QCOMPARE(launches.medianDelayNs, 3.5);
    QCOMPARE(launches.maxDelayNs, TimeNs{4});
}

void AnalysisLaunchTest::gapReasonsFollowTheirOrder_data() {
    QTest::addColumn<qlonglong>("callStart");
    QTest::addColumn<qlonglong>("gap");
    QTest::addColumn<QByteArray>("reason");
    // The operation before runs from 1,000 to 2,000.
    QTest::newRow("launched late") << 2'001LL << 5'000LL << QByteArray("host");
    QTest::newRow("launched at the very end") << 2'000LL << 5'000LL << QByteArray("kernel");
    QTest::newRow("just below the limit") << 1'500LL << 29'999LL << QByteArray("kernel");
    QTest::newRow("at the limit") << 1'500LL << 30'000LL << QByteArray("other");
    QTest::newRow("launched late, long") << 2'001LL << 90'000LL << QByteArray("host");
    QTest::newRow("launch unknown, short") << -1LL << 100LL << QByteArray("kernel");
    QTest::newRow("launch unknown, long") << -1LL << 30'000LL << QByteArray("other");
}

void AnalysisLaunchTest::gapReasonsFollowTheirOrder() {
    QFETCH(qlonglong, callStart);
    QFETCH(qlonglong, gap);
    QFETCH(QByteArray, reason);
    TraceMaker maker;
    maker.kernel("a", 1'000, 1'000);
    if (callStart >= 0) {
        maker.api(callStart, 10, 1);
    }
    maker.kernel("b", 2'000 + gap, 10, {.correlation = 1});
    const auto idle = firstGpuOf(maker.finish()).streamGaps;
    QCOMPARE(idle.hostWaitNs, TimeNs{reason == "host" ? gap : 0});
    QCOMPARE(idle.kernelWaitNs, TimeNs{reason == "kernel" ? gap : 0});
    QCOMPARE(idle.otherNs, TimeNs{reason == "other" ? gap : 0});
    QCOMPARE(idle.overheadNs + idle.insideGraphNs, TimeNs{0});
}

void AnalysisLaunchTest::gapsInsideOneGraphLaunchAreApart() {
    TraceMaker maker;
    maker.api(0, 10, 1);
    maker.kernel("a", 20, 10, {.correlation = 1});
    maker.kernel("b", 50, 10, {.correlation = 1});
    maker.kernel("c", 100, 10, {.correlation = 9});  // a launch that is not in the file
    maker.kernel("d", 150, 10, {.correlation = 9});
    maker.kernel("e", 200, 10);
    maker.kernel("f", 260, 10);  // no correlation at all: not one launch
    const auto idle = firstGpuOf(maker.finish()).streamGaps;
    QCOMPARE(idle.insideGraphNs, TimeNs{20 + 40});
    QCOMPARE(idle.kernelWaitNs, TimeNs{40 + 40 + 50});
}

void AnalysisLaunchTest::overheadIsTakenOutOfAGapFirst() {
    TraceMaker maker;
    const auto overhead = [&](TimeNs start, TimeNs duration) {
        maker.cpu(Category::Overhead, "Buffer Flush", start, duration, {.tid = 0, .pid = -1});
    };
    maker.kernel("a", 0, 100);
    overhead(150, 20'000);
    overhead(10'000, 20'000);
    overhead(50, 60);                // 10 of it in the gap
    maker.kernel("b", 50'000, 100);  // 49,900 less 29,860: below the limit
    maker.api(0, 10, 1);
    maker.kernel("c", 50'200, 100, {.correlation = 1});
    overhead(50'210, 10);  // while the GPU works
    overhead(50'310, 5);
    maker.kernel("d", 50'320, 100, {.correlation = 1});
    const auto idle = firstGpuOf(maker.finish()).streamGaps;
    QCOMPARE(idle.overheadNs, TimeNs{29'850 + 10 + 5});
    QCOMPARE(idle.kernelWaitNs, TimeNs{49'900 - 29'860 + 100});
    QCOMPARE(idle.insideGraphNs, TimeNs{15});
    QCOMPARE(idle.otherNs, TimeNs{0});
}

void AnalysisLaunchTest::gapBeginsAtTheLatestEnd() {
    TraceMaker maker;
    maker.kernel("long", 0, 100);
    maker.kernel("inside", 10, 5);
    maker.api(50, 5, 1);
    maker.kernel("after", 130, 5, {.correlation = 1});
    const auto idle = firstGpuOf(maker.finish()).streamGaps;
    QCOMPARE(idle.kernelWaitNs, TimeNs{30});
    QCOMPARE(idle.hostWaitNs, TimeNs{0});
}

void AnalysisLaunchTest::streamsAndGpusHaveTheirOwnGaps() {
    TraceMaker maker;
    maker.kernel("a", 0, 10, {.stream = 7});
    maker.kernel("b", 0, 100, {.stream = 8});
    maker.kernel("c", 20, 10, {.stream = 7});
    maker.kernel("d", 105, 10, {.stream = 8});
    maker.kernel("e", 50, 10, {.gpu = 1, .stream = 7});
    const auto gpu = firstGpuOf(maker.finish());
    QCOMPARE(gpu.streams.size(), std::size_t{2});
    QCOMPARE(gpu.streams[0].gaps.kernelWaitNs, TimeNs{10});
    QCOMPARE(gpu.streams[1].gaps.kernelWaitNs, TimeNs{5});
    QCOMPARE(gpu.streamGaps.kernelWaitNs, TimeNs{15});
}

void AnalysisLaunchTest::profilerStepsAreTheSteps() {
    TraceMaker maker;
    maker.annotation("run#0", 0, 10);
    maker.annotation("run#1", 10, 10);
    maker.cpu(Category::CpuOp, "ProfilerStep#9", 50, 20);  // as very old files have it
    maker.annotation("ProfilerStep#3", 0, 20);
    maker.annotation("ProfilerStep#", 80, 20);
    maker.annotation("ProfilerStep#x", 80, 20);
    const auto steps = findSteps(*maker.finish());
    QVERIFY((namesOf(steps) == Names{"ProfilerStep#3", "ProfilerStep#9"}));
    QCOMPARE(steps[1].number, std::int64_t{9});
    QCOMPARE(steps[1].cpuEndNs, TimeNs{70});
}

void AnalysisLaunchTest::stepEndsWithTheWorkLaunchedInside() {
    TraceMaker maker;
    maker.annotation("ProfilerStep#1", 100, 100);
    maker.annotation("ProfilerStep#2", 200, 100);
    maker.api(100, 5, 1);       // at the start: inside
    maker.api(150, 5, 2, 777);  // another thread: inside
    maker.api(200, 5, 3);       // at the end: in the next step
    maker.cpu(Category::Runtime, "another process", 160, 5, {.pid = 901, .correlation = 4});
    maker.kernel("a", 210, 20, {.correlation = 1});
    maker.memcpy(240, 20, {.correlation = 2});
    maker.kernel("c", 270, 500, {.correlation = 3});
    maker.kernel("d", 900, 20, {.stream = 8, .correlation = 4});
    maker.kernel("e", 950, 20, {.stream = 9});
    const auto steps = findSteps(*maker.finish());
    QCOMPARE(steps[0].span.end, TimeNs{260});
    QCOMPARE(steps[0].kernels, std::uint64_t{1});
    QCOMPARE(steps[1].span.end, TimeNs{770});
    QCOMPARE(steps[1].kernels, std::uint64_t{1});
}

void AnalysisLaunchTest::stepBusyIsTheUnionOverAllGpus() {
    TraceMaker maker;
    maker.annotation("ProfilerStep#1", 100, 100);
    maker.kernel("a", 50, 100, {.gpu = 0});   // 50 inside
    maker.kernel("b", 140, 30, {.gpu = 1});   // 20 beyond the first
    maker.kernel("c", 190, 100, {.gpu = 1});  // 10 inside: nothing launched it
    const auto steps = findSteps(*maker.finish());
    QCOMPARE(steps[0].busyNs, TimeNs{80});
    QCOMPARE(steps[0].gpus.size(), std::size_t{2});
    QCOMPARE(steps[0].gpus[0].busyNs, TimeNs{50});
    QCOMPARE(steps[0].gpus[1].busyNs, TimeNs{40});
}

// Of many those with work in it, against looking at every pair.
void AnalysisLaunchTest::stepsHaveTheGpusThatAreBusyInThem() {
    std::mt19937 random(20261128);
    const auto below = [&](int limit) {
        return std::uniform_int_distribution(0, limit - 1)(random);
    };
    for (int round = 0; round < 100; ++round) {
        TraceMaker maker;
        std::vector<TimeSpan> steps;
        for (int step = 0; step < 8; ++step) {
            steps.push_back({100 * step, 100 * step + 1 + below(150)});
            maker.annotation("ProfilerStep#" + std::to_string(step), steps.back().start,
                             steps.back().duration());
        }
        std::map<std::pair<std::size_t, std::int32_t>, TimeNs> busy;
        const std::int32_t gpus = round % 2 == 0 ? 12 : int(kMostGpus) + 1;
        for (std::int32_t gpu = 0; gpu < gpus; ++gpu) {
            maker.kernel("before", -10, 5, {.gpu = gpu});
            for (TimeNs at = below(400); at < 900 && below(4) > 0; at += 30 + below(400)) {
                const TimeSpan span{at, at + 1 + below(29)};
                maker.kernel("k", span.start, span.duration(), {.gpu = gpu});
                for (std::size_t step = 0; step < steps.size(); ++step) {
                    if (const TimeNs inside = steps[step].clip(span).duration(); inside > 0) {
                        busy[{step, gpu}] += inside;
                    }
                }
            }
        }
        std::map<std::pair<std::size_t, std::int32_t>, TimeNs> found;
        const auto measured = findSteps(*maker.finish());
        for (std::size_t step = 0; step < measured.size(); ++step) {
            for (const StepGpu& gpu : measured[step].gpus) {
                found[{step, gpu.gpu}] = gpu.busyNs;
            }
            if (gpus == 12) {
                QCOMPARE(measured[step].gpus.size(), std::size_t(gpus));
                std::erase_if(found, [](const auto& entry) { return entry.second == 0; });
            }
        }
        QCOMPARE(measured.size(), steps.size());
        QVERIFY(found == busy);
    }
}

void AnalysisLaunchTest::gpuCopiesOfStepsAreNoSteps() {
    TraceMaker maker;
    maker.annotation("ProfilerStep#1", 100, 100);
    maker.cpu(Category::GpuUserAnnotation, "ProfilerStep#1", 120, 100, {.tid = 7, .pid = 0});
    QCOMPARE(findSteps(*maker.finish()).size(), std::size_t{1});
}

void AnalysisLaunchTest::annotationsWithConsecutiveNumbersAreSteps() {
    TraceMaker maker;
    maker.annotation("run#8", 200, 50);
    maker.annotation("run#7", 100, 50);
    maker.annotation("run#9", 300, 50);
    maker.annotation("gap#1", 100, 10, 101);
    maker.annotation("gap#3", 120, 10, 101);
    maker.annotation("gap#4", 140, 10, 101);
    maker.annotation("gap#5", 160, 10, 101);
    maker.annotation("once#1", 0, 5, 102);
    const auto steps = findSteps(*maker.finish());
    QVERIFY((namesOf(steps) == Names{"run#7", "run#8", "run#9"}));
}

void AnalysisLaunchTest::annotationsThatAreNeverSteps_data() {
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    QTest::newRow("collectives") << QByteArray("nccl:all#1") << QByteArray("nccl:all#2");
    QTest::newRow("optimizers") << QByteArray("Optimizer.step#1") << QByteArray("Optimizer.step#2");
    QTest::newRow("graph calls") << QByteArray("## Call g#1") << QByteArray("## Call g#2");
    QTest::newRow("no text") << QByteArray("#1") << QByteArray("#2");
    QTest::newRow("no number") << QByteArray("run#") << QByteArray("run#");
    QTest::newRow("words") << QByteArray("run#one") << QByteArray("run#two");
    QTest::newRow("signs") << QByteArray("run#-2") << QByteArray("run#-1");
    QTest::newRow("backwards") << QByteArray("run#2") << QByteArray("run#1");
    QTest::newRow("the same") << QByteArray("run#1") << QByteArray("run#1");
    QTest::newRow("alone") << QByteArray("run#1") << QByteArray("other#2");
    QTest::newRow("too large") << QByteArray("run#99999999999999999998")
                               << QByteArray("run#99999999999999999999");
}

void AnalysisLaunchTest::annotationsThatAreNeverSteps() {
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    TraceMaker maker;
    maker.annotation(first.toStdString(), 0, 10);
    maker.annotation(second.toStdString(), 20, 10);
    QVERIFY(findSteps(*maker.finish()).empty());
}

void AnalysisLaunchTest::nestedAnnotationsAreNoSteps() {
    TraceMaker maker;
    maker.annotation("outside", 0, 100);
    maker.annotation("run#1", 0, 100);  // equal span, later in the file: nested
    maker.annotation("run#2", 100, 50);
    maker.annotation("micro#1", 110, 5);
    maker.annotation("micro#2", 120, 5);
    maker.annotation("micro#3", 130, 20);
    maker.annotation("step#1", 0, 100, 101);   // another thread: not nested there
    maker.annotation("step#2", 90, 100, 101);  // overlaps only
    const auto steps = findSteps(*maker.finish());
    QVERIFY((namesOf(steps) == Names{"step#1", "step#2"}));
}

void AnalysisLaunchTest::mostMembersThenEarliestWins() {
    TraceMaker maker;
    maker.annotation("two#1", 0, 5, 1);
    maker.annotation("two#2", 10, 5, 1);
    for (int i = 0; i < 3; ++i) {
        maker.annotation("late#" + std::to_string(i), 30 + i * 10, 5, 2);
        maker.annotation("early#" + std::to_string(i), 20 + i * 10, 5, 3);
    }
    QVERIFY((namesOf(findSteps(*maker.finish())) == Names{"early#0", "early#1", "early#2"}));
}

void AnalysisLaunchTest::unknownStepWindowNamesTheStepsThereAre() {
    TraceMaker maker;
    maker.annotation("ProfilerStep#4", 0, 10);
    maker.annotation("ProfilerStep#5", 10, 10);
    maker.kernel("k", 12, 5);
    const auto trace = maker.finish();
    WindowChoice choice{WindowKind::Step, 7, {}};
    const auto report = makeReport(*trace, {choice, GroupBy::Inductor});
    QVERIFY(!report.has_value());
    QCOMPARE(report.error().message,
             std::string("there is no step 7; the trace has the steps 4 to 5"));
    choice.step = 5;
    QCOMPARE(windowSpan(*trace, choice)->start, TimeNs{10});
    QCOMPARE(makeReport(*trace, {choice, GroupBy::Inductor})->gpus[0].window.duration(),
             TimeNs{10});
}

QTEST_APPLESS_MAIN(AnalysisLaunchTest)
#include "AnalysisLaunchTest.moc"
