// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <random>

#include "core/baseline/SequentialCompare.h"

using namespace kinetoscope;
using namespace kinetoscope::baseline;
using namespace kinetoscope::compare;
using stats::Verdict;

namespace {

constexpr std::size_t kMaxRuns = 20;

/// Runs whose rows vary from run to run, each by its own amount.
class Bench {
public:
    Bench(unsigned seed, std::vector<double> deviations)
        : m_random(seed), m_deviations(std::move(deviations)) {}

    [[nodiscard]] MeasuredResult run(double factor, const std::vector<OpenRow>* only = nullptr) {
        MeasuredResult result;
        result.id = "run";
        result.gpu = "NVIDIA H200";
        for (std::size_t i = 0; i < m_deviations.size(); ++i) {
            const std::string name = "kernel " + std::to_string(i);
            const double time = 1e4 * factor * std::exp(m_deviations[i] * m_normal(m_random));
            if (only == nullptr || std::ranges::any_of(*only, [&](const OpenRow& row) {
                    return row.name.candidate == name;
                })) {
                result.items.push_back({name, "k", {}, {time}, 1, time, 0.0, {}});
            }
        }
        return result;
    }
    [[nodiscard]] std::vector<MeasuredResult> runs(std::size_t count, double factor) {
        std::vector<MeasuredResult> all;
        for (std::size_t i = 0; i < count; ++i) {
            all.push_back(run(factor));
        }
        return all;
    }

private:
    std::mt19937 m_random;
    std::normal_distribution<double> m_normal;
    std::vector<double> m_deviations;
};

/// Looks until nothing is open. `whole`: each further run measures everything.
SequentialCompare compared(Bench& bench, double factor, bool whole, double percent = 5.0) {
    SequentialCompare sequence(bench.runs(10, 1.0), bench.runs(5, factor), {}, percent, kMaxRuns);
    for (;;) {
        if (!sequence.look() || sequence.open().empty()) {
            return sequence;
        }
        (void)sequence.add(bench.run(factor, whole ? nullptr : &sequence.open()));
    }
}

std::size_t count(const Comparison& comparison, std::initializer_list<Verdict> wanted) {
    return static_cast<std::size_t>(
        std::ranges::count_if(comparison.kernels, [&](const KernelChange& row) {
            return std::ranges::find(wanted, row.verdict) != wanted.end();
        }));
}

}  // namespace

class SequentialCompareTest final : public QObject {
    Q_OBJECT

private slots:
    // A quiet row is decided by five runs, one that varies by 4 % only by some more, by which time
    // it has the quieter ones that follow.
    void moreRunsDecideWhatFiveDoNot() {
        const auto runOf = [](double quiet, double noisy) {
            MeasuredResult run;
            run.items = {{"quiet", "k", {}, {}, 1, 1e4 * quiet, 0.0, {}},
                         {"noisy", "k", {}, {}, 1, 1e4 * noisy, 0.0, {}}};
            return run;
        };
        std::vector<MeasuredResult> base;
        for (int i = 0; i < 10; ++i) {
            base.push_back(i % 2 == 0 ? runOf(0.999, 0.99) : runOf(1.001, 1.01));
        }
        std::vector<MeasuredResult> candidate;
        for (const double noisy : {1.00, 1.10, 1.02, 1.09, 1.04}) {
            candidate.push_back(runOf(noisy > 1.05 ? 1.051 : 1.049, noisy));
        }
        SequentialCompare sequence(base, candidate, {}, 5.0, kMaxRuns);
        QVERIFY(sequence.look());
        QCOMPARE(sequence.open().size(), std::size_t{1});
        QCOMPARE(sequence.open().front().name.candidate, std::string("noisy"));
        QCOMPARE(sequence.open().front().key.base, std::string("k"));
        QCOMPARE(count(sequence.comparison(), {Verdict::Slower}), std::size_t{1});
        while (!sequence.open().empty()) {
            // Of the decided row the further runs say otherwise: it stays as it is.
            QVERIFY(sequence.add(runOf(1.0, 1.05 + 0.01 * double(sequence.runs() % 3))));
            QVERIFY(sequence.look());
        }
        QCOMPARE(count(sequence.comparison(), {Verdict::Slower}), std::size_t{2});
        QVERIFY(sequence.runs() > 5 && sequence.runs() < kMaxRuns);
        for (const KernelChange& row : sequence.comparison().kernels) {
            QCOMPARE(row.samplesNs.candidate.size(),
                     row.name == "noisy" ? sequence.runs() : std::size_t{5});
            QCOMPARE(row.samplesNs.base.size(), std::size_t{10});
        }
        QVERIFY(sequence.comparison().notes.back().find("more run") != std::string::npos);
    }

    // Whatever cannot be slower by 5 % needs no more runs, though it is UNSURE.
    void whatCannotMatterIsLeftOpen() {
        Bench bench(2, {0.006, 0.006, 0.006});
        const SequentialCompare sequence = compared(bench, 1.0, false);
        QCOMPARE(sequence.runs(), std::size_t{5});
        QVERIFY(count(sequence.comparison(), {Verdict::Slower, Verdict::Faster}) == 0);
    }

    // 300 benches of ten rows that did not change, and that did: the error of all looks together is
    // that of one, 5 % of the benches, however the further runs are made.
    void allLooksHaveOneError_data() {
        QTest::addColumn<bool>("whole");
        QTest::addColumn<double>("percent");
        QTest::newRow("only what is open") << false << 0.0;
        QTest::newRow("everything") << true << 0.0;
        QTest::newRow("what matters") << false << 5.0;
    }
    void allLooksHaveOneError() {
        QFETCH(bool, whole);
        QFETCH(double, percent);
        const std::vector<double> deviations{0.002, 0.005, 0.01, 0.015, 0.02,
                                             0.025, 0.03,  0.02, 0.01,  0.005};
        constexpr int kTrials = 300;
        int wrong = 0;
        std::size_t found = 0;
        for (int trial = 0; trial < kTrials; ++trial) {
            Bench bench(static_cast<unsigned>(trial), deviations);
            // Without a percentage that ends it there are as many looks as there can be.
            const SequentialCompare same = compared(bench, 1.0, whole, percent);
            wrong += count(same.comparison(), {Verdict::Slower, Verdict::Faster}) > 0 ? 1 : 0;
            const SequentialCompare slower = compared(bench, 1.06, whole);
            found += count(slower.comparison(), {Verdict::Slower});
        }
        QVERIFY2(wrong <= kTrials / 20, qPrintable(QString::number(wrong)));
        QVERIFY2(found >= 95U * kTrials * deviations.size() / 100U,
                 qPrintable(QString::number(found)));
    }

    void otherRunsAreRefused() {
        Bench bench(3, {0.01});
        SequentialCompare sequence(bench.runs(5, 1.0), bench.runs(5, 1.0), {}, 5.0, kMaxRuns);
        MeasuredResult other = bench.run(1.0);
        other.gpu = "NVIDIA L4";
        QVERIFY(sequence.add(other).error().message.find("another bench, GPU or method") !=
                std::string::npos);
        other = bench.run(1.0);
        other.kind = ResultKind::Modules;
        QVERIFY(!sequence.add(other));
        QVERIFY(sequence.add(bench.run(1.0)));
    }

    // Of each run its own clock: a run that was slow for its clock is not slow in cycles.
    void clocksOfEachRunCount() {
        std::vector<MeasuredResult> base;
        std::vector<MeasuredResult> candidate;
        const std::vector<double> clocks{1980, 1970, 1600, 1500, 1400};
        for (std::size_t i = 0; i < clocks.size(); ++i) {
            MeasuredResult run;
            run.items.push_back({"a", "k", {}, {}, 1, 1e4 + static_cast<double>(i), 1980.0, {}});
            base.push_back(run);
            run.items[0].clockMhz = clocks[i];
            run.items[0].timeNs = 1e4 * 1980.0 / clocks[i] + static_cast<double>(i);
            candidate.push_back(run);
        }
        const auto pooled = pooledResult(candidate);
        QVERIFY(pooled);
        QCOMPARE(pooled->items.front().clocksMhz, clocks);
        QCOMPARE(pooled->items.front().sampling, compare::Sampling::Runs);
        SequentialCompare sequence(base, candidate, {}, 5.0, 5);
        QVERIFY(sequence.look());
        QCOMPARE(sequence.comparison().kernels.front().verdict, Verdict::Unsure);
    }
};

QTEST_APPLESS_MAIN(SequentialCompareTest)
#include "SequentialCompareTest.moc"
