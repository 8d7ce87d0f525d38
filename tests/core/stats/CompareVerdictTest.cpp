// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <random>

#include "core/stats/ChangePoints.h"
#include "core/stats/Student.h"
#include "core/stats/Verdict.h"

using namespace kinetoscope;
using namespace kinetoscope::stats;

namespace {

// Candidate times against a baseline of 1000.
const std::vector<double> kOdd{1010, 1500, 1019, 1080, 1030, 990, 1042, 1060, 1027, 1047, 1035};
const std::vector<double> kEven{1010, 1500, 1019, 1080, 1030, 990,
                                1042, 1060, 1027, 1047, 1035, 1051};

std::vector<double> logsOf(const std::vector<double>& times) {
    std::vector<double> logs;
    for (const double time : times) {
        logs.push_back(std::log(time / 1000.0));
    }
    return logs;
}

PairedTimes against1000(std::vector<double> candidate) {
    return {std::vector<double>(candidate.size(), 1000.0), std::move(candidate), false};
}

bool near(double a, double b, double tolerance) {
    return std::abs(a - b) <= tolerance;
}

/// Pairs around a ratio, none equal to another.
PairedTimes around(double ratio, std::size_t count, double spread) {
    std::vector<double> times;
    for (std::size_t i = 0; i < count; ++i) {
        const double part = 2.0 * static_cast<double>(i) / static_cast<double>(count - 1) - 1.0;
        times.push_back(1000.0 * ratio * (1.0 + part * spread));
    }
    return against1000(times);
}

}  // namespace

class CompareVerdictTest : public QObject {
    Q_OBJECT

private slots:
    // SciPy 1.17.1: scipy.stats.bootstrap((log(times / 1000),), numpy.median, method="percentile",
    // n_resamples=2_000_000, rng=default_rng(1)), exp of its bounds, and shares of
    // bootstrap_distribution with 4_000_000 resamples and default_rng(5). Both approach the exact
    // bootstrap: intervals of an odd count hit its values, shares are good to 0.0005.
    void intervalsAreSciPys_data() {
        QTest::addColumn<std::vector<double>>("times");
        QTest::addColumn<double>("level");
        QTest::addColumn<double>("median");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("odd 95 %") << kOdd << 0.95 << 1.035 << 1.019 << 1.060;
        QTest::newRow("odd 99 %") << kOdd << 0.99 << 1.035 << 1.010 << 1.080;
        QTest::newRow("even 95 %") << kEven << 0.95 << 1.038494102 << 1.022992180 << 1.055490407;
        QTest::newRow("even 99 %") << kEven << 0.99 << 1.038494102 << 1.018464531 << 1.065401333;
        QTest::newRow("even 99.5 %") << kEven << 0.995 << 1.038494102 << 1.014490020 << 1.069953270;
    }
    void intervalsAreSciPys() {
        QFETCH(std::vector<double>, times);
        QFETCH(double, level);
        QFETCH(double, median);
        QFETCH(double, low);
        QFETCH(double, high);
        const MedianBootstrap bootstrap(logsOf(times));
        QVERIFY(near(std::exp(bootstrap.median()), median, 1e-9));
        QVERIFY(near(std::exp(bootstrap.quantile((1.0 - level) / 2.0)), low, 1e-8));
        QVERIFY(near(std::exp(bootstrap.quantile((1.0 + level) / 2.0)), high, 1e-8));
    }

    void probabilitiesAreSciPys_data() {
        QTest::addColumn<double>("change");
        QTest::addColumn<double>("odd");
        QTest::addColumn<double>("even");
        QTest::newRow("1 %") << 0.01 << 0.007233 << 0.001379;
        QTest::newRow("3 %") << 0.03 << 0.3787335 << 0.19514575;
        QTest::newRow("3.5 %") << 0.035 << 0.6212605 << 0.40176825;
        QTest::newRow("5 %") << 0.05 << 0.9486715 << 0.91697875;
    }
    void probabilitiesAreSciPys() {
        QFETCH(double, change);
        QFETCH(double, odd);
        QFETCH(double, even);
        const double bound = std::log1p(change) + 1e-12;
        QVERIFY(near(MedianBootstrap(logsOf(kOdd)).atMost(bound), odd, 5e-4));
        QVERIFY(near(MedianBootstrap(logsOf(kEven)).atMost(bound), even, 5e-4));
    }

    // The exact distribution against resampling, on sizes and ties that the table has not.
    void agreesWithResampling_data() {
        QTest::addColumn<int>("count");
        for (const int count : {5, 6, 7, 10, 40, 101, 250}) {
            QTest::addRow("%d", count) << count;
        }
    }
    void agreesWithResampling() {
        QFETCH(int, count);
        std::mt19937_64 random(static_cast<unsigned>(count));
        std::uniform_int_distribution<int> steps(-6, 9);
        std::vector<double> values;
        for (int i = 0; i < count; ++i) {
            values.push_back(0.01 * steps(random));
        }
        const MedianBootstrap bootstrap(values);
        constexpr int kResamples = 40000;
        std::uniform_int_distribution<std::size_t> index(0, values.size() - 1);
        int within = 0;
        int below = 0;
        std::vector<double> sample(values.size());
        const double bound = 0.01;
        for (int i = 0; i < kResamples; ++i) {
            for (double& value : sample) {
                value = values[index(random)];
            }
            std::ranges::sort(sample);
            const std::size_t half = sample.size() / 2;
            const double median =
                sample.size() % 2 == 1 ? sample[half] : (sample[half - 1] + sample[half]) / 2.0;
            within += median <= bound + 1e-12 ? 1 : 0;
            below += median < bound - 1e-12 ? 1 : 0;
        }
        QVERIFY(near(bootstrap.atMost(bound + 1e-12), within / double(kResamples), 0.012));
        QVERIFY(near(bootstrap.atMost(bound - 1e-12, false), below / double(kResamples), 0.012));
    }

    void manyPairsAreNoTrouble() {
        std::vector<double> values;
        for (int i = 0; i < 100000; ++i) {
            values.push_back(1e-6 * ((i * 7919) % 100003));
        }
        const MedianBootstrap bootstrap(values);
        QVERIFY(near(bootstrap.atMost(bootstrap.median()), 0.5, 0.01));
        // 1.96 standard errors: 1 / (2 f sqrt(n)) with a density of one value each 1e-6 of 100003
        QVERIFY(near(bootstrap.quantile(0.975) - bootstrap.median(), 1.96 * 0.1 / 2 / 316.2, 3e-5));
    }

    void everyVerdict() {
        const std::vector<PairedTimes> kernels{around(1.10, 20, 0.01), around(0.90, 20, 0.01),
                                               around(1.00, 20, 0.01), around(1.03, 20, 0.02)};
        const auto decisions = decide(kernels, {});
        QCOMPARE(decisions[0].verdict, Verdict::Slower);
        QCOMPARE(decisions[1].verdict, Verdict::Faster);
        QCOMPARE(decisions[2].verdict, Verdict::Same);
        QCOMPARE(decisions[3].verdict, Verdict::Unsure);
        QVERIFY(near(decisions[0].ratio, 1.10, 1e-3));
        QVERIFY(decisions[0].interval->low > 1.03 && decisions[0].interval->high < 1.12);
    }

    // 4 % are a change for benchmarks and for traces, 2 % only for benchmarks.
    void toleranceDecides() {
        const std::vector<PairedTimes> kernels{around(1.02, 30, 0.001), around(1.04, 30, 0.001)};
        QCOMPARE(decide(kernels, {})[0].verdict, Verdict::Same);
        QCOMPARE(decide(kernels, {})[1].verdict, Verdict::Slower);
        QCOMPARE(decide(kernels, {.tolerance = kBenchTolerance})[0].verdict, Verdict::Slower);
    }

    void identicalIsSameHoweverFew() {
        const std::vector<PairedTimes> kernels{{{1000.0}, {1000.0}, true}};
        const auto decisions = decide(kernels, {});
        QCOMPARE(decisions[0].verdict, Verdict::Same);
        QCOMPARE(decisions[0].ratio, 1.0);
    }

    void fourPairsAreUnsureFiveAreNot() {
        const auto four = decide(std::vector{around(1.5, 4, 0.001)}, {});
        QCOMPARE(four[0].verdict, Verdict::Unsure);
        QVERIFY(!four[0].interval);
        QVERIFY(near(four[0].ratio, 1.5, 1e-3));
        QCOMPARE(decide(std::vector{around(1.5, 5, 0.001)}, {})[0].verdict, Verdict::Slower);
        QCOMPARE(decide(std::vector{PairedTimes{}}, {})[0].verdict, Verdict::Unsure);
    }

    // Eleven pairs of which three are within 3 %: the interval of 95 % begins at the third value,
    // above; that of 99.5 %, which ten kernels together need, at the second, within.
    void holmWidensIntervals() {
        const std::vector<double> times{1010, 1020, 1040, 1050, 1051, 1052,
                                        1053, 1054, 1055, 1056, 1057};
        const auto alone = decide(std::vector{against1000(times)}, {});
        QCOMPARE(alone[0].verdict, Verdict::Slower);
        QVERIFY(near(alone[0].interval->low, 1.040, 1e-9));
        const std::vector<PairedTimes> ten(10, against1000(times));
        const auto together = decide(ten, {});
        for (const Decision& decision : together) {
            QCOMPARE(decision.verdict, Verdict::Unsure);
            QVERIFY(near(decision.interval->low, 1.020, 1e-9));
        }
    }

    // Step down: nine clear kernels are decided first and leave the whole error to the tenth.
    void holmStepsDown() {
        std::vector<PairedTimes> kernels(9, around(1.2, 40, 0.001));
        kernels.push_back(
            against1000({1010, 1020, 1040, 1050, 1051, 1052, 1053, 1054, 1055, 1056, 1057}));
        const auto decisions = decide(kernels, {});
        QCOMPARE(decisions.back().verdict, Verdict::Slower);
        QCOMPARE(decisions.front().verdict, Verdict::Slower);
    }

    // Kernels that are not tested do not cost the others anything.
    void untestedKernelsDoNotCount() {
        std::vector<PairedTimes> kernels(50, PairedTimes{{1000.0}, {1000.0}, true});
        kernels.push_back(
            against1000({1010, 1020, 1040, 1050, 1051, 1052, 1053, 1054, 1055, 1056, 1057}));
        QCOMPARE(decide(kernels, {}).back().verdict, Verdict::Slower);
    }

    // By Simpson's rule over the angle whose tangent is t / sqrt(freedom), in tests/gpu/alarms.py.
    void tailsAreStudents_data() {
        QTest::addColumn<double>("t");
        QTest::addColumn<double>("freedom");
        QTest::addColumn<double>("tail");
        QTest::newRow("2.5 %") << 2.306004 << 8.0 << 0.0250000053;
        QTest::newRow("0.05 %") << 5.041305 << 8.0 << 0.000500000269;
        QTest::newRow("no whole number") << 3.0 << 6.7 << 0.01050443916;
        QTest::newRow("near") << 0.5 << 4.3 << 0.32079419045;
        QTest::newRow("far out") << 30.0 << 9.2 << 8.56329784594e-11;
        QTest::newRow("middle") << 0.0 << 3.0 << 0.5;
        QTest::newRow("below") << -2.306004 << 8.0 << 1.0 - 0.0250000053;
        QTest::newRow("one") << 12.7062 << 1.0 << 0.0250000;
        QTest::newRow("as good as normal") << 1.959964 << 1e6 << 0.025000138;
    }
    void tailsAreStudents() {
        QFETCH(double, t);
        QFETCH(double, freedom);
        QFETCH(double, tail);
        const double found = studentTail(t, freedom);
        QVERIFY2(near(found, tail, 1e-6 * tail), qPrintable(QString::number(found, 'g', 12)));
        if (t > 0.0) {
            QVERIFY(near(studentQuantile(tail, freedom), t, 1e-5 * t));
        }
    }

    void independentTimesByWelch() {
        const IndependentTimes times{{1000, 1012, 991, 1005, 998}, {1049, 1060, 1031, 1055, 1040}};
        const VerdictRule rule{.tolerance = kBenchTolerance};
        const Decision decision = decideIndependent(std::span(&times, 1), rule).front();
        QCOMPARE(decision.verdict, Verdict::Slower);
        QVERIFY(near(decision.ratio, 1.045719026, 1e-9));
        QVERIFY(near(decision.interval->low, 1.030842494, 1e-8));
        QVERIFY(near(decision.interval->high, 1.060810247, 1e-8));
        // It holds at 0.00066605: among 75 rows it does, among 76 no longer.
        for (const auto& [count, verdict] :
             {std::pair{std::size_t{75}, Verdict::Slower}, {std::size_t{76}, Verdict::Unsure}}) {
            const std::vector<IndependentTimes> rows(count, times);
            QCOMPARE(decideIndependent(rows, rule).front().verdict, verdict);
            const VerdictRule beside{.tolerance = kBenchTolerance, .others = count - 1};
            QCOMPARE(decideIndependent(std::span(&times, 1), beside).front().verdict, verdict);
        }
        const std::vector<IndependentTimes> others{
            {times.candidate, times.base},
            {{1000, 1002, 1001, 999, 1000}, {1001, 1000, 999, 1002, 1000, 1001, 1000}},
            {{1000, 1100, 950, 1030, 990}, {1010, 1120, 940, 1010, 1000}},
            {{1000, 1001, 1002, 1003}, {1500, 1501, 1502, 1503, 1504}},
            {{1000, 1000, 1000, 1000, 1000}, {1020, 1020, 1020, 1020, 1020}},
            {{1000}, {1000}, true}};
        std::vector<Verdict> verdicts;
        for (const Decision& one : decideIndependent(others, rule)) {
            verdicts.push_back(one.verdict);
        }
        QCOMPARE(verdicts, (std::vector{Verdict::Faster, Verdict::Same, Verdict::Unsure,
                                        Verdict::Unsure, Verdict::Slower, Verdict::Same}));
    }

    // Five runs against five of twenty rows, of which some vary by 3 % from run to run: pairs that
    // all lie beyond a bound are no rare thing, Welch's test knows better.
    void runsAreSeldomWrong() {
        std::mt19937 random(5);
        std::normal_distribution<double> normal;
        constexpr int kTrials = 300;
        int alarms = 0;
        int found = 0;
        for (int trial = 0; trial < kTrials; ++trial) {
            std::vector<IndependentTimes> rows(20);
            std::vector<IndependentTimes> slower(20);
            for (std::size_t row = 0; row < rows.size(); ++row) {
                const double deviation = row % 4 == 0 ? 0.03 : 0.004;
                for (int run = 0; run < 5; ++run) {
                    rows[row].base.push_back(std::exp(deviation * normal(random)));
                    rows[row].candidate.push_back(std::exp(deviation * normal(random)));
                    slower[row].base.push_back(std::exp(0.004 * normal(random)));
                    slower[row].candidate.push_back(1.05 * std::exp(0.004 * normal(random)));
                }
            }
            const VerdictRule rule{.tolerance = kBenchTolerance};
            for (const Decision& one : decideIndependent(rows, rule)) {
                alarms += one.verdict == Verdict::Faster || one.verdict == Verdict::Slower ? 1 : 0;
            }
            for (const Decision& one : decideIndependent(slower, rule)) {
                found += one.verdict == Verdict::Slower ? 1 : 0;
            }
        }
        QVERIFY2(alarms <= 20 * kTrials / 200, qPrintable(QString::number(alarms)));  // 0.5 %
        QVERIFY2(found >= 20 * kTrials * 99 / 100, qPrintable(QString::number(found)));
    }

    // A planted change is found where it is, by about as much as it is; noise alone has none.
    void changePointsAreWhereTheyArePlanted() {
        std::mt19937 random(7);
        std::normal_distribution<double> noise(0.0, 0.004);
        const auto runs = [&](std::initializer_list<std::pair<int, double>> levels) {
            TimeSeries series;
            for (const auto& [count, level] : levels) {
                for (int i = 0; i < count; ++i) {
                    series.push_back({level * std::exp(noise(random))});
                }
            }
            return series;
        };
        const std::vector<TimeSeries> all{
            runs({{40, 100.0}}),
            runs({{15, 100.0}, {12, 105.0}}),
            runs({{10, 100.0}, {10, 90.0}, {10, 100.0}}),
            runs({{20, 100.0}, {4, 150.0}}),
            {},
            {{100.0, 101.0, 100.0, 101.0, 100.0}, {}, {110.0, 111.0, 110.0, 111.0, 110.0}}};
        const auto found = changePoints(all, {});
        QCOMPARE(found.size(), all.size());
        QVERIFY(found[0].empty());
        QCOMPARE(found[1].size(), std::size_t(1));
        QCOMPARE(found[1][0].entry, std::size_t(15));
        QCOMPARE(found[1][0].decision.verdict, Verdict::Slower);
        QVERIFY(near(found[1][0].decision.ratio, 1.05, 0.006));
        QCOMPARE(found[2].size(), std::size_t(2));
        QCOMPARE(found[2][0].entry, std::size_t(10));
        QCOMPARE(found[2][0].decision.verdict, Verdict::Faster);
        QCOMPARE(found[2][1].entry, std::size_t(20));
        QCOMPARE(found[2][1].decision.verdict, Verdict::Slower);
        QVERIFY(found[3].empty());  // four runs are too few for any verdict
        QVERIFY(found[4].empty());
        QCOMPARE(found[5].size(), std::size_t(1));
        QCOMPARE(found[5][0].decision.verdict, Verdict::Slower);
    }

    // Of 400 series of 30 runs that never changed, and of as many with a change of 10 %.
    void changePointsAreSeldomWrong() {
        std::mt19937 random(3);
        std::normal_distribution<double> noise(0.0, 0.02);
        int alarms = 0;
        int seen = 0;
        for (int i = 0; i < 400; ++i) {
            std::vector<TimeSeries> pair(2);
            for (int run = 0; run < 30; ++run) {
                pair[0].push_back({std::exp(noise(random))});
                pair[1].push_back({(run < 15 ? 1.0 : 1.1) * std::exp(noise(random))});
            }
            alarms += changePoints(std::span(pair).first(1), {})[0].empty() ? 0 : 1;
            const auto points = changePoints(std::span(pair).last(1), {})[0];
            seen += !points.empty() && points[0].entry >= 14 && points[0].entry <= 16 ? 1 : 0;
        }
        QVERIFY2(alarms <= 8, qPrintable(QString::number(alarms)));
        QVERIFY2(seen >= 380, qPrintable(QString::number(seen)));
    }
};

QTEST_APPLESS_MAIN(CompareVerdictTest)
#include "CompareVerdictTest.moc"
