// SPDX-License-Identifier: Apache-2.0
#include "core/query/CpuActivity.h"

#include <QTest>
#include <algorithm>
#include <random>

#include "tests/core/query/QueryFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::query;

class CpuActivityTest final : public QObject {
    Q_OBJECT

private slots:
    void operatorsAndCallsCount() {
        QueryFixture fixture;
        const auto thread = fixture.track(1, 1);
        const auto other = fixture.track(1, 2);
        const auto gpu = fixture.track(0, 7);
        fixture.slice(thread, 0, 100, "ProfilerStep#1", trace::Category::UserAnnotation);
        fixture.slice(thread, 0, 100, "main.py: run", trace::Category::PythonFunction);
        fixture.slice(thread, 10, 30);
        fixture.slice(thread, 15, 20, "cudaLaunchKernel", trace::Category::Runtime);
        fixture.slice(other, 25, 40, "cuLaunchKernel", trace::Category::Driver);
        fixture.slice(other, 60, 60);
        fixture.kernel(gpu, 50, 70);
        const std::vector<TimeSpan> wanted{{10, 40}};
        QCOMPARE(cpuActivity(*fixture.finish()), wanted);
    }

    void withoutEitherAnythingOfTheHostCounts() {
        QueryFixture fixture;
        fixture.slice(fixture.track(1, 1), 5, 9, "span", trace::Category::Other);
        fixture.slice(fixture.track(0, 7), 0, 100, "note", trace::Category::GpuUserAnnotation);
        fixture.kernel(fixture.track(0, 7), 20, 30);
        const std::vector<TimeSpan> wanted{{5, 9}};
        QCOMPARE(cpuActivity(*fixture.finish()), wanted);
    }

    void nothingIsNothing() {
        QueryFixture fixture;
        QVERIFY(cpuActivity(*fixture.finish()).empty());
    }

    /// Slices in any order, that nest or cross: each nanosecond on its own.
    void everyNanosecondIsRight() {
        std::mt19937 random(7);
        for (int round = 0; round < 50; ++round) {
            QueryFixture fixture;
            std::vector<bool> active(200, false);
            for (int i = 0; i < 25; ++i) {
                const auto start = static_cast<TimeNs>(random() % 150);
                const auto end = start + static_cast<TimeNs>(random() % 50);
                fixture.slice(fixture.track(1, 1 + static_cast<int>(random() % 3)), start, end);
                std::fill(active.begin() + start, active.begin() + end, true);
            }
            const std::vector<TimeSpan> spans = cpuActivity(*fixture.finish());
            for (TimeNs time = 0; time < 200; ++time) {
                QCOMPARE(
                    std::ranges::any_of(spans, [&](TimeSpan span) { return span.contains(time); }),
                    static_cast<bool>(active[static_cast<std::size_t>(time)]));
            }
        }
    }
};

QTEST_GUILESS_MAIN(CpuActivityTest)
#include "CpuActivityTest.moc"
