// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <algorithm>
#include <limits>
#include <random>

#include "core/stats/DurationHistogram.h"
#include "core/stats/Statistics.h"

using namespace kinetoscope;
using namespace kinetoscope::stats;

namespace {

constexpr TimeNs kLongest = std::numeric_limits<TimeNs>::max();

/// Of many sizes, with some that are powers of ten or just below.
std::vector<TimeNs> sample(unsigned seed, double decades) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> exponent(0.0, decades);
    std::vector<TimeNs> durations{10, 100, 1'000, 9, 99, 999};
    for (int i = 0; i < 20'000; ++i) {
        durations.push_back(static_cast<TimeNs>(std::pow(10.0, exponent(random))));
    }
    return durations;
}

}  // namespace

class DurationHistogramTest final : public QObject {
    Q_OBJECT

private slots:
    void binsHoldWhatAnIndependentCountSays_data() {
        QTest::addColumn<int>("scale");
        QTest::addColumn<double>("decades");
        for (const double decades : {2.0, 4.5, 12.0}) {
            QTest::addRow("logarithmic %g", decades) << 0 << decades;
            QTest::addRow("linear %g", decades) << 1 << decades;
        }
    }
    void binsHoldWhatAnIndependentCountSays() {
        QFETCH(int, scale);
        QFETCH(double, decades);
        const auto durations = sample(7, decades);
        const auto bins = durationHistogram(durations, static_cast<BinScale>(scale));
        QVERIFY(bins.size() >= 20 && bins.size() <= 120);
        std::uint64_t all = 0;
        for (std::size_t i = 0; i < bins.size(); ++i) {
            QVERIFY(bins[i].from < bins[i].to);
            QVERIFY(i == 0 || bins[i - 1].to == bins[i].from);
            std::uint64_t count = 0;
            TimeNs total = 0;
            for (const TimeNs duration : durations) {
                if (duration >= bins[i].from && duration < bins[i].to) {
                    ++count;
                    total += duration;
                }
            }
            QCOMPARE(bins[i].count, count);
            QCOMPARE(bins[i].total, total);
            all += count;
        }
        QCOMPARE(all, std::uint64_t{durations.size()});
        QVERIFY(bins.front().count > 0 && bins.back().count > 0);
    }

    void powersOfTenAreEdges() {
        for (const TimeNs most : {TimeNs{5'000}, TimeNs{7'000'000'000}}) {
            const auto edges = binEdges(3, most, BinScale::Logarithmic);
            for (TimeNs power = 10; power <= most; power *= 10) {
                QVERIFY(std::ranges::binary_search(edges, power));
            }
            QVERIFY(edges.front() <= 3 && edges.back() > most);
        }
    }

    void linearBinsAreRoundAndEquallyWide() {
        const auto edges = binEdges(1'234, 98'765, BinScale::Linear);
        for (std::size_t i = 1; i < edges.size(); ++i) {
            QCOMPARE(edges[i] - edges[i - 1], TimeNs{5'000});
            QCOMPARE(edges[i] % 5'000, TimeNs{0});
        }
        QVERIFY(edges.front() == 0 && edges.back() == 100'000);
    }

    void oddDurationsHaveTheirBins() {
        QVERIFY(durationHistogram({}, BinScale::Logarithmic).empty());
        for (const BinScale scale : {BinScale::Logarithmic, BinScale::Linear}) {
            for (const std::vector<TimeNs>& durations : {std::vector<TimeNs>{0},
                                                         {0, 0, 1},
                                                         {7, 7, 7},
                                                         {kLongest},
                                                         {0, 5, kLongest},
                                                         {kLongest - 1, kLongest},
                                                         {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}) {
                const auto bins = durationHistogram(durations, scale);
                std::uint64_t all = 0;
                for (const DurationBin& bin : bins) {
                    all += bin.count;
                }
                QCOMPARE(all, std::uint64_t{durations.size()});
                QVERIFY(bins.size() < 400);
                QVERIFY(bins.front().from <= durations.front());
            }
        }
        // Nothing is as long as 0 and as 1.
        const auto bins = durationHistogram(std::vector<TimeNs>{0, 0, 1}, BinScale::Logarithmic);
        QCOMPARE(bins.front(), (DurationBin{0, 1, 2, 0}));
    }

    void narrowDurationsAreStillDivided() {
        std::vector<TimeNs> durations;
        for (TimeNs duration = 10'000; duration < 11'000; duration += 7) {
            durations.push_back(duration);
        }
        QVERIFY(durationHistogram(durations, BinScale::Logarithmic).size() >= 20);
        QVERIFY(durationHistogram(durations, BinScale::Linear).size() >= 20);
    }

    void quantilesAreThoseOfSortedDurations() {
        for (const unsigned seed : {1U, 2U, 3U}) {
            auto durations = sample(seed, 6.0);
            durations.resize(1'000 + seed);
            std::vector<double> sorted(durations.begin(), durations.end());
            std::ranges::sort(sorted);
            const std::vector<double> wanted{0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0};
            const auto found = durationQuantiles(durations, wanted);
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                QCOMPARE(found[i], quantileOfSorted(sorted, wanted[i]));
            }
        }
        std::vector<TimeNs> none;
        QCOMPARE(durationQuantiles(none, std::vector{0.5}), std::vector{0.0});
        std::vector<TimeNs> one{42};
        QCOMPARE(durationQuantiles(one, std::vector{0.05, 0.5, 0.95}),
                 (std::vector{42.0, 42.0, 42.0}));
    }
};

QTEST_GUILESS_MAIN(DurationHistogramTest)
#include "DurationHistogramTest.moc"
