// SPDX-License-Identifier: Apache-2.0
#include <QtTest>

#include "core/compare/CompareText.h"
#include "core/compare/Comparison.h"
#include "tests/core/AnalysisFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::compare;
using namespace kinetoscope::analysis_test;

namespace {

/// A launch by the CPU and its kernel.
void launched(TraceMaker& maker, std::int64_t correlation, TimeNs call, TimeNs start,
              TimeNs duration, std::int32_t gpu = 0) {
    maker.api(call, 500, correlation);
    maker.kernel("work", start, duration, {.gpu = gpu, .correlation = correlation});
}

Comparison perStep(TraceMaker& base, TraceMaker& candidate, MatchKind match = MatchKind::Operator) {
    const ComparedRun one = makeComparedRun(base.finish()).value();
    const ComparedRun other = makeComparedRun(candidate.finish()).value();
    return compareRuns(Baseline(&one), Candidate(&other),
                       {.per = Normalisation::Step, .match = match})
        .value();
}

/// Six steps of 100 µs with one kernel each, after one of 500 µs before all steps.
void makeWarmedUp(TraceMaker& maker, TimeNs duration) {
    launched(maker, 1, 1'000, 10'000, 500'000);
    for (std::int64_t step = 0; step < 6; ++step) {
        const TimeNs start = 1'000'000 + step * 100'000;
        maker.annotation("ProfilerStep#" + std::to_string(step), start, 100'000);
        launched(maker, step + 2, start + 1'000, start + 10'000, duration);
    }
}

/// Both sides are the same run.
using MakeRun = void (*)(TraceMaker& maker);
std::vector<GpuChange> gpusOfRun(MakeRun make) {
    TraceMaker base;
    TraceMaker candidate;
    make(base);
    make(candidate);
    return perStep(base, candidate).gpus;
}

double timeOf(const GpuChange& gpu, std::string_view figure) {
    return gpu.times.of(figure).value.base;
}

}  // namespace

class CompareStepsTest final : public QObject {
    Q_OBJECT

private slots:
    void workBeforeTheStepsIsNotCounted() {
        TraceMaker base;
        TraceMaker candidate;
        makeWarmedUp(base, 20'000);
        makeWarmedUp(candidate, 30'000);
        const Comparison comparison = perStep(base, candidate);
        const Both<double> expected{20'000.0, 30'000.0};
        for (const char* figure :
             {"busy_ns", "kernel_busy_ns", "kernel_time_sum_ns", "compute_ns"}) {
            QVERIFY2(comparison.breakdown.of(figure).value == expected, figure);
        }
        QCOMPARE(comparison.kernelTimeNs.value, expected);
        QCOMPARE(comparison.breakdown.of("window_ns").value, (Both<double>{1e5, 1e5}));
        QCOMPARE(comparison.breakdown.of("idle_ns").value, (Both<double>{80'000.0, 70'000.0}));
        QCOMPARE(comparison.breakdown.of("launch_ns").value.base, 9'000.0);
        QVERIFY(compareText(comparison, {}, {}).find("GPU busy") != std::string::npos);
    }

    // A sum is divided, once: three tenths are not 0.30000000000000004.
    void countsAndTimesPerStepAreTheNearestNumbers() {
        const auto make = [](TraceMaker& maker, std::string_view last) {
            for (std::int64_t step = 0; step < 49; ++step) {
                const TimeNs start = step * 100'000;
                maker.annotation("ProfilerStep#" + std::to_string(step), start, 100'000);
                launched(maker, 2 * step + 1, start + 1'000, start + 10'000, 1'001 + step);
                maker.api(start + 2'000, 500, 2 * step + 2);
                maker.kernel(last, start + 20'000, 1'001 + step, {.correlation = 2 * step + 2});
            }
        };
        TraceMaker base;
        TraceMaker candidate;
        make(base, "before");
        make(candidate, "after");
        const Comparison comparison = perStep(base, candidate, MatchKind::Exact);
        const KernelChange& both = comparison.kernels.at(0);
        QVERIFY(both.count == (Both<double>{1.0, 1.0}));
        QVERIFY(both.parts.base.at(0).count == 1.0);
        QVERIFY(both.parts.base.at(0).totalNs == 1'025.0);
        for (const auto* only : {&comparison.onlyBase.at(0), &comparison.onlyCandidate.at(0)}) {
            QVERIFY(only->count == 1.0);
            QVERIFY(only->totalNs == 1'025.0);
        }
        QVERIFY(comparison.kernelTimeNs.value == (Both<double>{2'050.0, 2'050.0}));
    }

    // Steps of 100 µs with 900 µs between them, in which something else runs.
    void timeBetweenStepsIsNotCounted() {
        const auto gpus = gpusOfRun([](TraceMaker& maker) {
            for (std::int64_t step = 0; step < 4; ++step) {
                const TimeNs start = step * 1'000'000;
                maker.annotation("ProfilerStep#" + std::to_string(step), start, 100'000);
                launched(maker, 2 * step + 1, start + 1'000, start + 5'000, 10'000);
                launched(maker, 2 * step + 2, start + 400'000, start + 410'000, 200'000);
            }
        });
        QCOMPARE(timeOf(gpus.at(0), "window_ns"), 100'000.0);
        QCOMPARE(timeOf(gpus.at(0), "busy_ns"), 10'000.0);
        QCOMPARE(timeOf(gpus.at(0), "idle_ns"), 90'000.0);
        // After the step's kernel the host launches no other one until the step has ended.
        QCOMPARE(timeOf(gpus.at(0), "host_ns"), 86'000.0);
        QCOMPARE(timeOf(gpus.at(0), "launch_ns"), 4'000.0);
    }

    // The GPU is not idle while it runs what was launched before the step, nor is that of the step.
    void otherWorkThatRunsIntoAStepIsNeitherBusyNorIdle() {
        const auto gpus = gpusOfRun([](TraceMaker& maker) {
            launched(maker, 1, 0, 40'000, 30'000);
            maker.annotation("ProfilerStep#0", 50'000, 100'000);
            launched(maker, 2, 51'000, 70'000, 50'000);
        });
        QCOMPARE(timeOf(gpus.at(0), "window_ns"), 80'000.0);
        QCOMPARE(timeOf(gpus.at(0), "busy_ns"), 50'000.0);
        QCOMPARE(timeOf(gpus.at(0), "idle_ns"), 30'000.0);
        QCOMPARE(timeOf(gpus.at(0), "unknown_ns"), 30'000.0);
    }

    // A kernel whose launch is not known belongs to the step in which it starts, to its end.
    void aKernelCountsToItsEnd() {
        const auto gpus = gpusOfRun([](TraceMaker& maker) {
            maker.annotation("ProfilerStep#0", 0, 100'000);
            maker.annotation("ProfilerStep#1", 300'000, 100'000);
            maker.kernel("work", 90'000, 30'000);
            launched(maker, 1, 301'000, 310'000, 10'000);
        });
        QCOMPARE(timeOf(gpus.at(0), "window_ns"), 110'000.0);
        QCOMPARE(timeOf(gpus.at(0), "kernel_time_sum_ns"), 20'000.0);
        QCOMPARE(timeOf(gpus.at(0), "busy_ns"), 20'000.0);
    }

    void aGpuWithoutWorkInStepsIsIdle() {
        const auto gpus = gpusOfRun([](TraceMaker& maker) {
            launched(maker, 1, 0, 1'000, 10'000, 1);
            maker.annotation("ProfilerStep#0", 50'000, 100'000);
            launched(maker, 2, 51'000, 60'000, 50'000);
        });
        QCOMPARE(gpus.size(), std::size_t{2});
        QCOMPARE(gpus.at(1).gpu, (Both<std::int64_t>{1, 1}));
        QCOMPARE(timeOf(gpus.at(0), "busy_ns"), 50'000.0);
        QCOMPARE(timeOf(gpus.at(1), "busy_ns"), 0.0);
        QCOMPARE(timeOf(gpus.at(1), "idle_ns"), 100'000.0);
    }
};

QTEST_APPLESS_MAIN(CompareStepsTest)
#include "CompareStepsTest.moc"
