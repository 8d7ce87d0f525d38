// SPDX-License-Identifier: Apache-2.0
// Parts of a kernel's samples at other places in memory, and what they come to.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <map>

#include "core/bench/results/BenchResult.h"
#include "core/stats/Statistics.h"
#include "tests/core/bench/FakeQueue.h"

using namespace kinetoscope;
using namespace kinetoscope::bench::results;
using namespace kinetoscope::bench::run;
using namespace kinetoscope::stats;
using namespace kinetoscope::test;

class PlacementTest final : public QObject {
    Q_OBJECT

private slots:
    void theOrderOfTurnsChanges();
    void memoryMovesBetweenParts();
    void placesDecideWhatIsEnough();
    void repeatsAreTheirMiddleMean();
};

void PlacementTest::theOrderOfTurnsChanges() {
    const auto orderOf = [](std::uint64_t seed) {
        FakeQueue queue;
        queue.durations.assign(6, 10000.0);
        MeasureOptions options = quick(BenchMethod::EventCold);
        options.seed = seed;
        (void)measureConfigs(queue, 6, options);
        std::string order;
        for (std::size_t i = 0; i < queue.log.size(); ++i) {
            order += queue.log[i] == "block" ? queue.log[i + 5].substr(7) : "";
        }
        return order;
    };
    QCOMPARE(orderOf(3), orderOf(3));
    QVERIFY(orderOf(3) != orderOf(4));
    QVERIFY2(orderOf(3).substr(0, 6) != orderOf(3).substr(6, 6), orderOf(3).c_str());
}

// Eight places, and as many samples at each; what follows a move is warmed up outside of samples.
void PlacementTest::memoryMovesBetweenParts() {
    FakeQueue queue;
    queue.mostMoves = 100;
    MeasureOptions options = quick(BenchMethod::EventCold);
    options.timeLimitS = 1e9;
    options.maxWidth = 1.0;
    const auto samples = measureConfigs(queue, 1, options);
    QVERIFY(samples);
    QCOMPARE(queue.moves, std::size_t{7});
    std::map<std::uint32_t, std::size_t> places;
    for (const BenchSample& sample : (*samples)[0]) {
        ++places[sample.placement];
    }
    QCOMPARE(places.size(), std::size_t{8});
    for (const auto& [place, count] : places) {
        QVERIFY(count >= options.minSamples / 8);
    }
    const auto move = std::ranges::find(queue.log, "move");
    QCOMPARE(*(move + 1), std::string("restore"));
    QCOMPARE(*(move + 2), std::string("flush 0"));
    // At one place nothing moves, however wide the interval is.
    FakeQueue still;
    still.mostMoves = 100;
    options = quick(BenchMethod::EventCold);
    options.placements = 1;
    options.maxWidth = -1.0;
    QVERIFY(measureConfigs(still, 1, options));
    QCOMPARE(still.moves, std::size_t{0});
    // Where nothing can move, one place has all samples.
    FakeQueue fixed;
    const auto there = measureConfigs(fixed, 1, quick(BenchMethod::EventCold));
    QVERIFY(there && (*there)[0].size() >= options.minSamples);
    QCOMPARE((*there)[0].back().placement, 0U);
}

// Samples of one place agree within 1 %, places differ by 10 %: two medians' interval would be
// narrow.
void PlacementTest::placesDecideWhatIsEnough() {
    const auto movesOf = [](double factor, double width) {
        FakeQueue queue;
        queue.mostMoves = 1000;
        queue.moveFactor = factor;
        queue.alternates = true;
        MeasureOptions options = quick(BenchMethod::EventCold);
        options.timeLimitS = 1e9;
        options.maxSamples = 100'000;
        options.maxWidth = width;
        const auto samples = measureConfigs(queue, 1, options);
        return samples ? queue.moves : 0;
    };
    QCOMPARE(movesOf(1.0, 0.005), std::size_t{7});
    // Half of the places take 10 % longer: 4.8 % of the middle, whose mean is known to 2 % (two
    // times 1.98 standard errors) from 92 places on.
    const std::size_t moves = movesOf(1.1, 0.02);
    QVERIFY2(moves > 80 && moves < 100, std::to_string(moves).c_str());
}

void PlacementTest::repeatsAreTheirMiddleMean() {
    QCOMPARE(middleMean({}), 0.0);
    QCOMPARE(middleMean({4.0}), 4.0);
    QCOMPARE(middleMean({4.0, 2.0}), 3.0);
    QCOMPARE(middleMean({9.0, 1.0, 3.0}), 3.0);
    QCOMPARE(middleMean({9.0, 1.0, 3.0, 4.0}), 3.5);
    QCOMPARE(middleMean({0.0, 1.0, 2.0, 6.0, 100.0}), 3.0);
    // 10.4 and 2.7764451 (97.5 % of four degrees of freedom) standard errors of 0.509902
    const Interval interval = meanInterval(std::vector<double>{10, 11, 9, 12, 10});
    QVERIFY(std::abs(interval.low - 8.984286) < 1e-5);
    QVERIFY(std::abs(interval.high - 11.815714) < 1e-5);
    BenchSeries series;
    series.samples = {{10.0}, {10.2}, {11.0}, {11.2}};
    series.repeatsNs = {10.1, 11.1};
    QVERIFY(series.interval().low >= 10.0);  // of the samples
    series.moved = true;
    QVERIFY(series.interval().low < 10.0);  // of two places
    QCOMPARE(series.timeNs(), 10.6);
}

QTEST_APPLESS_MAIN(PlacementTest)
#include "PlacementTest.moc"
