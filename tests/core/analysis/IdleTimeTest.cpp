// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <random>
#include <set>

#include "core/analysis/IdleList.h"
#include "core/report/Figures.h"
#include "core/report/Report.h"
#include "tests/core/AnalysisFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::report;
using namespace kinetoscope::trace;
using namespace kinetoscope::analysis_test;

namespace {

GpuReport reportOf(TraceMaker& maker, std::size_t gaps = 0, const WindowChoice& window = {}) {
    const auto trace = maker.finish();
    return makeReport(*trace, {.window = window, .gaps = gaps})->gpus.at(0);
}

// In thousands: host, launch, dependency, graph, profiler, unknown.
void compare(const IdleTime& idle, const std::array<TimeNs, 6>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
        QCOMPARE(idle.of(kIdleReasons[i]), expected[i] * 1'000);
    }
}

// Busy for a microsecond from 0 and from 141 µs, launched at 41 µs.
void makeLateLaunch(TraceMaker& maker) {
    maker.kernel("a", 0, 1'000);
    maker.api(41'000, 10, 1);
    maker.kernel("b", 141'000, 1'000, {.correlation = 1});
}

WindowChoice range(TimeNs start, TimeNs end) {
    return {WindowKind::Range, 0, {start, end}};
}

struct Activity {
    QByteArray name = "nothing";
    QByteArray kind = "nothing";
};

// Before the launch of "b", in the gap [1 µs, 41 µs).
Activity activityOf(TraceMaker& maker) {
    makeLateLaunch(maker);
    const auto trace = maker.finish();
    const auto report = makeReport(*trace, {.window = {}, .gaps = 1});
    const SliceId slice = report->gpus.at(0).gaps.at(0).host.slice;
    if (slice == kNoSlice) {
        return {};
    }
    const std::string_view name = trace->name(slice);
    return {QByteArray(name.data(), static_cast<qsizetype>(name.size())),
            activityKind(*trace, slice)};
}

}  // namespace

class IdleTimeTest final : public QObject {
    Q_OBJECT

private slots:
    void lateLaunchHasThreeParts();
    void launchInTimeHasNoHostPart();
    void graphAndUnknownAreWhole();
    void profilerIsTakenOutFirst();
    void windowCutsParts_data();
    void windowCutsParts();
    void emptyOperationsEndNothing();
    void partsSumToIdle();
    void longestGapsComeFirst();
    void hostActivity_data();
    void hostActivity();
    void onlyTheLaunchingThreadIsAsked();
    void whatEndedLastIsBeforeTheGap();
    void eachReasonIsSaidAndAnswered();
};

void IdleTimeTest::lateLaunchHasThreeParts() {
    TraceMaker maker;
    makeLateLaunch(maker);
    const GpuReport gpu = reportOf(maker, 3);
    compare(gpu.idle, {40, 30, 70, 0, 0, 0});
    QCOMPARE(gpu.gaps.size(), 1U);
    QCOMPARE(gpu.gaps[0].parts.mainReason(), IdleReason::Dependency);
    QCOMPARE(gpu.gaps[0].hostPart.end, TimeNs{41'000});
}

void IdleTimeTest::whatEndedLastIsBeforeTheGap() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "earlier", 0, 10);
    maker.kernel("long", 5'000, 10'000);
    maker.kernel("begins later, ends sooner", 6'000, 1'000, {.stream = 8});
    maker.kernel("next", 50'000, 1'000, {.stream = 8});
    const auto trace = maker.finish();
    const auto list = listIdleGaps(*trace, {WindowKind::Trace, 0, {}}, 10);
    QVERIFY(list.has_value());
    QCOMPARE(list->gaps.size(), 2U);
    QCOMPARE(list->gaps[0].previous, kNoSlice);  // nothing ran before
    QCOMPARE(trace->name(list->gaps[1].previous), std::string_view("long"));
    QCOMPARE(trace->name(list->gaps[1].next), std::string_view("next"));
}

void IdleTimeTest::eachReasonIsSaidAndAnswered() {
    std::set<std::string_view> advice;
    for (const IdleReason reason : kIdleReasons) {
        const Figure* figure = findFigure("idle." + std::string(idleReasonName(reason)) + "_ns");
        QVERIFY(figure != nullptr);
        QCOMPARE(figure->label, idleReasonLabel(reason));
        QVERIFY(idleReasonAdvice(reason).ends_with('.'));
        advice.insert(idleReasonAdvice(reason));
    }
    QCOMPARE(advice.size(), kIdleReasons.size());
}

void IdleTimeTest::launchInTimeHasNoHostPart() {
    TraceMaker maker;
    maker.kernel("a", 0, 1'000);
    maker.api(500, 10, 1);
    maker.kernel("b", 21'000, 1'000, {.correlation = 1});
    compare(reportOf(maker).idle, {0, 20, 0, 0, 0, 0});
}

void IdleTimeTest::graphAndUnknownAreWhole() {
    TraceMaker maker;
    maker.api(0, 10, 1);
    maker.kernel("a", 1'000, 1'000, {.correlation = 1});
    maker.kernel("b", 52'000, 1'000, {.correlation = 1});
    maker.kernel("no launch", 60'000, 1'000);
    compare(reportOf(maker).idle, {0, 0, 0, 50, 0, 7});
}

void IdleTimeTest::profilerIsTakenOutFirst() {
    TraceMaker maker;
    maker.kernel("a", 0, 1'000);
    maker.api(2'000, 10, 1);
    maker.cpu(Category::Overhead, "Buffer Flush", 5'000, 20'000, {.tid = 0, .pid = -1});
    maker.kernel("b", 61'000, 1'000, {.correlation = 1});
    compare(reportOf(maker).idle, {1, 30, 9, 0, 20, 0});
}

void IdleTimeTest::windowCutsParts_data() {
    QTest::addColumn<qlonglong>("start");
    QTest::addColumn<qlonglong>("end");
    QTest::addColumn<QList<int>>("parts");
    QTest::newRow("its end") << 0LL << 60'000LL << QList<int>{40, 19, 0, 0, 0, 0};
    QTest::newRow("its begin") << 50'000LL << 142'000LL << QList<int>{0, 21, 70, 0, 0, 0};
    QTest::newRow("inside of it") << 10'000LL << 20'000LL << QList<int>{10, 0, 0, 0, 0, 0};
    QTest::newRow("behind the last") << 140'000LL << 150'000LL << QList<int>{0, 0, 1, 0, 0, 8};
}

void IdleTimeTest::windowCutsParts() {
    QFETCH(qlonglong, start);
    QFETCH(qlonglong, end);
    QFETCH(QList<int>, parts);
    TraceMaker maker;
    makeLateLaunch(maker);
    maker.annotation("to the end", 0, 200'000);
    std::array<TimeNs, 6> expected{};
    std::ranges::copy(parts, expected.begin());
    compare(reportOf(maker, 0, range(start, end)).idle, expected);
}

void IdleTimeTest::emptyOperationsEndNothing() {
    TraceMaker maker;
    makeLateLaunch(maker);
    maker.kernel("nothing", 20'000, 0);
    compare(reportOf(maker).idle, {40, 30, 70, 0, 0, 0});
}

void IdleTimeTest::partsSumToIdle() {
    std::mt19937 random(17);
    const auto any = [&](int most) {
        return static_cast<TimeNs>(random() % static_cast<unsigned>(most));
    };
    for (int round = 0; round < 300; ++round) {
        TraceMaker maker;
        for (std::int64_t i = 1; i < 40; ++i) {
            const TimeNs start = any(400'000);
            if (i % 5 != 0) {
                maker.api(std::max<TimeNs>(0, start - any(60'000) + 5'000), any(9'000), i / 2);
            }
            maker.kernel("k", start, any(12'000), {.stream = 7 + any(3), .correlation = i / 2});
        }
        for (int i = 0; i < 4; ++i) {
            maker.cpu(Category::Overhead, "flush", any(400'000), any(30'000),
                      {.tid = 0, .pid = -1});
        }
        const TimeNs start = any(300'000);
        const GpuReport gpu =
            reportOf(maker, 1'000, round % 2 == 0 ? WindowChoice() : range(start, start + 90'000));
        QCOMPARE(gpu.idle.total(), gpu.breakdown.idleNs);
        for (const NamedGap& gap : gpu.gaps) {
            QCOMPARE(gap.parts.total(), gap.span.duration());
        }
    }
}

void IdleTimeTest::longestGapsComeFirst() {
    TraceMaker maker;
    for (const TimeNs start : {0, 5'000, 9'000, 20'000, 20'999, 25'500}) {
        maker.kernel("k", start, 500);
    }
    std::vector<TimeNs> lengths;
    for (const NamedGap& gap : reportOf(maker, 3).gaps) {
        lengths.push_back(gap.span.duration());
    }
    QCOMPARE(lengths, (std::vector<TimeNs>{10'500, 4'500, 4'001}));
}

void IdleTimeTest::hostActivity_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("kind");
    QTest::newRow("operator") << QByteArray("aten::add") << QByteArray("operator");
    QTest::newRow("inside a step") << QByteArray("aten::mul") << QByteArray("operator");
    QTest::newRow("around everything") << QByteArray("train") << QByteArray("Python function");
    QTest::newRow("loader") << QByteArray("enumerate(DataLoader)#next")
                            << QByteArray("data loader");
    QTest::newRow("waiting") << QByteArray("cudaDeviceSynchronize")
                             << QByteArray("synchronizing call");
    QTest::newRow("little") << QByteArray("nothing") << QByteArray("nothing");
}

void IdleTimeTest::hostActivity() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, kind);
    const QByteArray row = QTest::currentDataTag();
    TraceMaker maker;
    if (row == "operator") {
        maker.cpu(Category::CpuOp, "aten::add", 2'000, 25'000);
        maker.cpu(Category::CpuOp, "aten::inner", 3'000, 20'000);
        maker.cpu(Category::CpuOp, "aten::later", 28'000, 13'500);
    } else if (row == "inside a step") {
        maker.annotation("ProfilerStep#3", 0, 100'000);
        maker.cpu(Category::CpuOp, "aten::mul", 2'000, 39'500);
    } else if (row == "around everything") {
        maker.cpu(Category::PythonFunction, "<module>", 0, 500'000);
        maker.cpu(Category::PythonFunction, "train", 1'000, 100'000);
    } else if (row == "loader") {
        maker.annotation("enumerate(DataLoader)#next", 0, 60'000);
    } else if (row == "waiting") {
        maker.cpu(Category::Runtime, "cudaDeviceSynchronize", 500, 39'000);
    } else {
        maker.cpu(Category::CpuOp, "aten::add", 2'000, 10'000);
    }
    const Activity found = activityOf(maker);
    QCOMPARE(found.name, name);
    QCOMPARE(found.kind, kind);
}

void IdleTimeTest::onlyTheLaunchingThreadIsAsked() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "elsewhere", 1'000, 40'000, {.tid = 101});
    QCOMPARE(activityOf(maker).name, QByteArray("nothing"));
}

QTEST_APPLESS_MAIN(IdleTimeTest)
#include "IdleTimeTest.moc"
