// SPDX-License-Identifier: Apache-2.0
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

#include "core/bench/results/KernelText.h"
#include "core/bench/results/ResultDocument.h"
#include "core/bench/results/ResultSheet.h"
#include "core/bench/results/ResultStore.h"
#include "core/bench/run/BufferFill.h"
#include "core/bench/run/Measure.h"
#include "core/stats/Statistics.h"
#include "core/text/Csv.h"
#include "tests/core/bench/FakeQueue.h"

using namespace kinetoscope;
using namespace kinetoscope::bench::results;
using namespace kinetoscope::bench::run;
using namespace kinetoscope::stats;
using namespace kinetoscope::test;
using namespace kinetoscope::text;

namespace {

ResultDocument oneKernel() {
    ResultDocument document;
    document.created = "2026-11-20T23:28:05Z";
    document.method = "event-cold";
    document.gpu.name = "Test GPU";
    document.gpu.copyGbPerS = 4000.0;
    BenchItem kernel;
    kernel.name = "triton_poi_fused_gelu_5";
    kernel.key = "c5djcxg7aopse4";
    kernel.category = "pointwise";
    kernel.gigabytes = 0.100663296;
    kernel.flop = 0.0;
    BenchSeries config;
    config.name = "XBLOCK: 1024, num_warps: 4, num_ctas: 1, num_stages: 1, maxnreg: None";
    config.registers = 32;
    config.samples.assign(9, {35232.0, 1980.0, false});
    kernel.series.push_back(config);
    config.name = "XBLOCK: 512, num_warps: 8, num_ctas: 1, num_stages: 1, maxnreg: None";
    config.spills = 2;
    config.sharedBytes = 1024;
    config.samples.assign(9, {651000.0, 1980.0, false});
    kernel.series.push_back(config);
    document.items.push_back(kernel);
    BenchItem lost;
    lost.name = "user_kernel";
    lost.category = "unknown";
    lost.reason = "its source has no get_args; compile with config.benchmark_kernel=True";
    document.items.push_back(lost);
    return document;
}

}  // namespace

class BenchTest final : public QObject {
    Q_OBJECT

private slots:
    void quantilesInterpolate();
    void medianRanksAreThoseOfTheBinomial_data();
    void medianRanksAreThoseOfTheBinomial();
    void summaryOfKnownValues();
    void intervalHoldsTheMedian();
    void coldSampleFlushesOutsideTheMarks();
    void blockedQueueNeverOverflows();
    void measuringStopsWhenTheIntervalIsNarrow();
    void timeLimitEndsANoisyKernel();
    void configurationsTakeTurns();
    void throttledSamplesAreSetAside();
    void graphMethodLaunchesGraphs();
    void cuptiMethodTakesTheKernelsOwnTime();
    void aRoundWithLostRecordsIsRepeated();
    void lostRecordsEndTheMeasurement();
    void batchDividesByTheLaunches();
    void doBenchRepeatsAsTritonDoes();
    void seedParityRepeatsAsPyTorchDoes();
    void firstErrorEndsTheMeasurement();
    void compatLinesAreThoseOfPyTorch();
    void aKernelWithoutABinarySaysSo();
    void nothingFoundHasItsOwnLine();
    void jsonKeepsEverySample();
    void csvHasNanosecondsToATenth();
    void csvAndMarkdownHoldReasons();
    void resultsAreKeptListedAndRemoved();
    void storeOpensNothingOutsideItsFolder();
    void halvesConvertBothWays();
    void normalValuesAreNormalAndRepeat();
};

void BenchTest::quantilesInterpolate() {
    const std::vector<double> values{1, 2, 4, 8};
    // numpy.quantile([1, 2, 4, 8], [0, .2, .5, .8, 1])
    QCOMPARE(quantileOfSorted(values, 0.0), 1.0);
    QCOMPARE(quantileOfSorted(values, 0.2), 1.6);
    QCOMPARE(quantileOfSorted(values, 0.5), 3.0);
    QCOMPARE(quantileOfSorted(values, 0.8), 5.6);
    QCOMPARE(quantileOfSorted(values, 1.0), 8.0);
}

void BenchTest::medianRanksAreThoseOfTheBinomial_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("rank");
    // Largest r with sum(C(n, k), k < r) / 2^n <= 0.025, computed with exact integers.
    const std::vector<std::pair<int, int>> known{{0, 0},   {5, 0},    {6, 1},     {8, 1},
                                                 {9, 2},   {10, 2},   {15, 4},    {20, 6},
                                                 {50, 18}, {100, 40}, {1000, 469}};
    for (const auto& [count, rank] : known) {
        QTest::addRow("%d", count) << count << rank;
    }
}

void BenchTest::medianRanksAreThoseOfTheBinomial() {
    QFETCH(int, count);
    QFETCH(int, rank);
    QCOMPARE(medianRank(static_cast<std::size_t>(count)), static_cast<std::size_t>(rank));
}

void BenchTest::summaryOfKnownValues() {
    const SampleSummary s = summarize(std::vector<double>{9, 1, 4, 2, 8, 7, 3, 6, 5, 10});
    QCOMPARE(s.median, 5.5);
    QCOMPARE(s.q1, 3.25);
    QCOMPARE(s.q3, 7.75);
    QCOMPARE(s.mean, 5.5);
    QVERIFY(std::abs(s.deviation - 3.0276503540974917) < 1e-12);
    QCOMPARE(s.low, 2.0);
    QCOMPARE(s.high, 9.0);
    QCOMPARE(summarize({}).count, 0U);
    QCOMPARE(summarize(std::vector<double>{3}).relativeWidth(), 1.0);
}

void BenchTest::intervalHoldsTheMedian() {
    // Of many samples from a skewed distribution the interval must hold the true median in at
    // least 95 % (less three standard errors).
    std::uint64_t state = 1;
    const auto uniform = [&] {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return (static_cast<double>(state >> 11U) + 0.5) / 9007199254740992.0;
    };
    int held = 0;
    constexpr int kTrials = 4000;
    for (int trial = 0; trial < kTrials; ++trial) {
        std::vector<double> values(25);
        std::generate(values.begin(), values.end(), [&] { return -std::log(uniform()); });
        const SampleSummary s = summarize(values);
        held += s.low <= std::log(2.0) && std::log(2.0) <= s.high ? 1 : 0;
    }
    QVERIFY2(held >= kTrials * 0.94, std::to_string(held).c_str());
}

void BenchTest::coldSampleFlushesOutsideTheMarks() {
    FakeQueue queue;
    QVERIFY(measureConfigs(queue, 1, quick(BenchMethod::EventCold)));
    const auto block = std::find(queue.log.begin(), queue.log.end(), "block");
    const std::vector<std::string> sample(block + 1, block + 8);
    const std::vector<std::string> expected{"restore",  "clock", "flush 0", "mark",
                                            "launch 0", "mark",  "clock"};
    QCOMPARE(sample, expected);
}

void BenchTest::blockedQueueNeverOverflows() {
    FakeQueue queue;
    QVERIFY(measureConfigs(queue, 1, quick(BenchMethod::EventCold)));
    QVERIFY(measureConfigs(queue, 1, quick(BenchMethod::EventBatch)));
    QVERIFY2(queue.mostQueued <= queue.queueDepth() + 2, std::to_string(queue.mostQueued).c_str());
}

void BenchTest::measuringStopsWhenTheIntervalIsNarrow() {
    FakeQueue queue;
    MeasureOptions options = quick(BenchMethod::EventCold);
    options.timeLimitS = 1e9;
    const auto samples = measureConfigs(queue, 1, options);
    QVERIFY(samples);
    QVERIFY((*samples)[0].size() >= options.minSamples);
    QVERIFY((*samples)[0].size() < options.minSamples + 10);
    QCOMPARE(summarize(countedNs((*samples)[0])).median, 10000.0);
}

void BenchTest::timeLimitEndsANoisyKernel() {
    FakeQueue queue;
    MeasureOptions options = quick(BenchMethod::EventCold);
    options.maxWidth = -1.0;
    options.timeLimitS = 0.2;
    const auto samples = measureConfigs(queue, 1, options);
    QVERIFY(samples);
    QVERIFY(!(*samples)[0].empty());
    QVERIFY((*samples)[0].size() < 200);
}

void BenchTest::configurationsTakeTurns() {
    FakeQueue queue;
    queue.durations = {10000.0, 20000.0};
    const auto samples = measureConfigs(queue, 2, quick(BenchMethod::EventCold));
    QVERIFY(samples);
    QCOMPARE(summarize(countedNs((*samples)[1])).median, 20000.0);
    std::string order;
    for (std::size_t i = 0; i < queue.log.size(); ++i) {
        if (queue.log[i] == "block") {
            order += queue.log[i + 5].back();
        }
    }
    // Both in each turn, in either order.
    QVERIFY2(order.size() >= 6, order.c_str());
    for (std::size_t turn = 0; turn + 1 < 6; turn += 2) {
        QVERIFY2(order[turn] != order[turn + 1], order.c_str());
    }
}

void BenchTest::throttledSamplesAreSetAside() {
    std::vector<BenchSample> samples{{10, 1980, false}, {99, 900, true}, {12, 1980, false}};
    QCOMPARE(countedNs(samples), (std::vector<double>{10, 12}));
    samples = {{99, 900, true}};
    QCOMPARE(countedNs(samples), (std::vector<double>{99}));
    FakeQueue queue;
    queue.clock = 1000.0;
    MeasureOptions options = quick(BenchMethod::EventCold);
    options.expectedClockMhz = 1980.0;
    options.timeLimitS = 0.02;
    const auto measured = measureConfigs(queue, 1, options);
    QVERIFY(measured);
    QVERIFY((*measured)[0].front().throttled);
}

void BenchTest::graphMethodLaunchesGraphs() {
    FakeQueue queue;
    const auto samples = measureConfigs(queue, 1, quick(BenchMethod::GraphCold));
    QVERIFY(samples);
    QVERIFY(queue.graphs >= (*samples)[0].size());
}

void BenchTest::cuptiMethodTakesTheKernelsOwnTime() {
    FakeQueue queue;
    queue.durations = {10000.0, 20000.0};
    const auto samples = measureConfigs(queue, 2, quick(BenchMethod::CuptiCold));
    QVERIFY2(samples, samples ? "" : samples.error().message.c_str());
    QCOMPARE(queue.log.front(), std::string("record"));
    QCOMPARE(summarize(countedNs((*samples)[0])).median, 9300.0);
    QCOMPARE(summarize(countedNs((*samples)[1])).median, 19300.0);
    QVERIFY((*samples)[0].size() >= 32);
}

void BenchTest::aRoundWithLostRecordsIsRepeated() {
    FakeQueue queue;
    queue.loseOnce = 40;
    const auto samples = measureConfigs(queue, 1, quick(BenchMethod::CuptiCold));
    QVERIFY2(samples, samples ? "" : samples.error().message.c_str());
    QCOMPARE(summarize(countedNs((*samples)[0])).median, 9300.0);
}

void BenchTest::lostRecordsEndTheMeasurement() {
    FakeQueue queue;
    queue.loseAfter = 5;
    const auto samples = measureConfigs(queue, 1, quick(BenchMethod::CuptiCold));
    QVERIFY(!samples);
    QVERIFY(samples.error().message.starts_with("CUPTI recorded "));
}

void BenchTest::batchDividesByTheLaunches() {
    FakeQueue queue;
    const auto samples = measureConfigs(queue, 1, quick(BenchMethod::EventBatch));
    QVERIFY(samples);
    const double median = summarize(countedNs((*samples)[0])).median;
    QVERIFY(median >= 10000.0 && median < 10050.0);
}

void BenchTest::doBenchRepeatsAsTritonDoes() {
    FakeQueue queue;
    queue.durations = {1e6};
    const auto samples = measureConfigs(queue, 1, quick(BenchMethod::DoBench));
    QVERIFY(samples);
    // One launch, five to estimate, 25 ms of warm-up and 40 ms of samples at 1 ms each.
    QCOMPARE((*samples)[0].size(), 40U);
    QCOMPARE(queue.launches, 1U + 5U + 25U + 40U);
    QVERIFY(std::find(queue.log.begin(), queue.log.end(), "restore") == queue.log.end());
    QVERIFY(std::find(queue.log.begin(), queue.log.end(), "flush 268435456") != queue.log.end());
}

void BenchTest::seedParityRepeatsAsPyTorchDoes() {
    FakeQueue queue;
    queue.durations = {1e6};
    const auto samples = measureConfigs(queue, 1, quick(BenchMethod::Benchmarker));
    QVERIFY(samples);
    // Five to estimate, then 25 ms of 1 ms each; all of them count.
    QCOMPARE((*samples)[0].size(), 5U + 25U);
    QCOMPARE(queue.launches, 1U + 5U + 25U);
    FakeQueue fast;
    const auto capped = measureConfigs(fast, 1, quick(BenchMethod::Benchmarker));
    QVERIFY(capped);
    QCOMPARE((*capped)[0].size(), 5U + 100U);
    BenchSeries result;
    result.samples = {{12.0, 0.0, false}, {10.0, 0.0, false}, {11.0, 0.0, false}};
    QCOMPARE(result.timeNs(), 11.0);
    result.minimum = true;
    QCOMPARE(result.timeNs(), 10.0);
}

void BenchTest::firstErrorEndsTheMeasurement() {
    FakeQueue queue;
    queue.failAtLaunch = 9;
    const auto samples = measureConfigs(queue, 1, quick(BenchMethod::EventCold));
    QVERIFY(!samples);
    QCOMPARE(samples.error().message, std::string("the kernel: lost"));
}

void BenchTest::compatLinesAreThoseOfPyTorch() {
    KernelTextOptions options;
    const ResultDocument document = oneKernel();
    // As f"{prefix}{ms:.3f}ms    \t{gb:.3f} GB \t {rate:7.2f}GB/s{suffix}" prints it.
    QCOMPARE(kernelCompat(document, options, true),
             std::string("None                 POI c5djcxg7ao 0.035ms    \t0.101 GB \t "
                         "2857.16GB/s   32 regs    0 spills         0 shared mem\n"));
    options.allConfigs = true;
    options.name = "resnet50";
    QCOMPARE(kernelCompat(document, options, true),
             std::string("resnet50             POI c5djcxg7ao\n"
                         "  0.035ms    \t0.101 GB \t 2857.16GB/s   32 regs    0 spills         0 "
                         "shared mem @ XBLOCK: 1024, num_warps: 4, num_ctas: 1, num_stages: 1, "
                         "maxnreg: None\n"
                         "  \x1b[31m0.651ms    \t0.101 GB \t  154.63GB/s   32 regs    2 spills   "
                         "   1024 shared mem\x1b[39m @ XBLOCK: 512, num_warps: 8, num_ctas: 1, "
                         "num_stages: 1, maxnreg: None\n"));
}

void BenchTest::aKernelWithoutABinarySaysSo() {
    ResultDocument document = oneKernel();
    document.items.erase(document.items.begin());
    document.items[0].key = "cabc";
    document.items[0].reason = "its binary is not in the given folders";
    QCOMPARE(
        kernelCompat(document, {}, false),
        std::string(
            "None                 UNK cabc not run: its binary is not in the given folders\n"));
}

void BenchTest::nothingFoundHasItsOwnLine() {
    QCOMPARE(kernelCompat({}, {}, false),
             std::string("No kernel with benchmark functionality found. Make sure you run "
                         "inductor with config.benchmark_kernel being True\n"));
}

void BenchTest::jsonKeepsEverySample() {
    ResultDocument document = oneKernel();
    document.items[0].series[0].samples[3] = {36000.5, 1200.25, true};
    document.items[0].accuracy =
        Accuracy{.maxAbsolute = 0.5, .maxRelative = 0.25, .buffer = "out_ptr0"};
    const auto read = parseResult(resultJson(document), ResultKind::Kernels);
    QVERIFY(read);
    const BenchSeries& config = read->items[0].series[0];
    QCOMPARE(config.samples.size(), 9U);
    QCOMPARE(config.samples[3].gpuNs, 36000.5);
    QCOMPARE(config.samples[3].clockMhz, 1200.25);
    QVERIFY(config.samples[3].throttled);
    QCOMPARE(config.name, document.items[0].series[0].name);
    QCOMPARE(read->items[0].accuracy->maxAbsolute, 0.5);
    QCOMPARE(read->items[1].reason,
             std::string("its source has no get_args; compile with config.benchmark_kernel=True"));
    QCOMPARE(read->gpu.copyGbPerS, 4000.0);
    QVERIFY(!parseResult("{\"schema\": \"other\"}", ResultKind::Kernels));
    QVERIFY(!parseResult(resultJson(document).substr(0, 300), ResultKind::Kernels));
}

void BenchTest::csvHasNanosecondsToATenth() {
    ResultDocument document = oneKernel();
    document.items.resize(1);
    document.items[0].series.resize(1);
    auto& samples = document.items[0].series[0].samples;
    samples.resize(3);
    samples[0].gpuNs = 15088.00033479929;
    samples[1].gpuNs = 15088.24999;
    samples[2].gpuNs = 15090.96;
    const std::string csv = resultCsv(document);
    // median, low, high, min, max
    QVERIFY2(csv.find(",false,15088.2,15088,15091,15088,15091,3,") != std::string::npos,
             csv.c_str());
    QCOMPARE(
        parseResult(resultJson(document), ResultKind::Kernels)->items[0].series[0].samples[0].gpuNs,
        15088.00033479929);
    QCOMPARE(csvNs(-0.04), std::string("0"));
    QCOMPARE(csvNs(-2.5), std::string("-2.5"));
}

void BenchTest::csvAndMarkdownHoldReasons() {
    const std::string csv = resultCsv(oneKernel());
    QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), 4);
    QVERIFY(csv.find("its source has no get_args") != std::string::npos);
    const std::string markdown = sheetMarkdown(resultSheet(oneKernel()));
    QVERIFY(markdown.find("not run: user\\_kernel: its source has no get\\_args") !=
            std::string::npos);
    QVERIFY(markdown.find("18.48×") != std::string::npos);
    QVERIFY(markdown.find("71.4 %") != std::string::npos);
}

void BenchTest::resultsAreKeptListedAndRemoved() {
    QTemporaryDir folder;
    const ResultStore store(folder.filePath("new/results").toStdString());
    QVERIFY(store.list().empty());
    QVERIFY(!store.loadText("last"));
    const auto first = store.saveText(oneKernel().created, resultJson(oneKernel()));
    const auto second = store.saveText(oneKernel().created, resultJson(oneKernel()));
    QVERIFY(first && second);
    QCOMPARE(*first, std::string("20261120-232805"));
    QCOMPARE(*second, std::string("20261120-232805-2"));
    QCOMPARE(store.list().size(), 2U);
    QCOMPARE(store.list()[0].gpu, std::string("Test GPU"));
    QCOMPARE(store.list()[0].kernels, 2U);
    QCOMPARE(store.loadText("last")->id, *second);
    QCOMPARE(parseResult(store.loadText(*first)->text, ResultKind::Kernels)->items.size(), 2U);
    QVERIFY(!store.loadText("2026"));
    QVERIFY(store.remove(*second));
    QCOMPARE(store.loadText("2026")->id, *first);
    QVERIFY(!store.remove("nothing"));
}

void BenchTest::storeOpensNothingOutsideItsFolder() {
    QTemporaryDir folder;
    QFile outside(folder.filePath("secret.json"));
    QVERIFY(outside.open(QIODevice::WriteOnly));
    const ResultStore store(folder.filePath("results").toStdString());
    QVERIFY(store.saveText(oneKernel().created, resultJson(oneKernel())));
    QVERIFY(!store.loadText("../secret"));
    QVERIFY(!store.remove("../secret"));
    QVERIFY(outside.exists());
    QFile broken(folder.filePath("results/broken.json"));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("{\"schema\":");
    broken.close();
    QCOMPARE(store.list().size(), 2U);
    QVERIFY(!store.list()[1].problem.empty());
}

void BenchTest::halvesConvertBothWays() {
    for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
        QCOMPARE(halfBits(halfValue(static_cast<std::uint16_t>(bits))),
                 static_cast<std::uint16_t>(bits));
    }
    QCOMPARE(halfBits(65504.0F), std::uint16_t{0x7bff});
    QCOMPARE(halfBits(65520.0F), std::uint16_t{0x7c00});
    QCOMPARE(halfBits(-1.0F), std::uint16_t{0xbc00});
    QCOMPARE(halfBits(1.0F + 1.0F / 2048.0F), std::uint16_t{0x3c00});
    QCOMPARE(halfBits(1.0F + 3.0F / 2048.0F), std::uint16_t{0x3c02});
}

void BenchTest::normalValuesAreNormalAndRepeat() {
    constexpr std::size_t kCount = 100000;
    const auto bytes = normalValues("float32", kCount, 4, 7);
    QCOMPARE(bytes, normalValues("float32", kCount, 4, 7));
    QVERIFY(bytes != normalValues("float32", kCount, 4, 8));
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < kCount; ++i) {
        const double value = valueAt(bytes, "float32", i);
        sum += value;
        squares += value * value;
    }
    QVERIFY(std::abs(sum / kCount) < 0.02);
    QVERIFY(std::abs(squares / kCount - 1.0) < 0.03);
}

QTEST_APPLESS_MAIN(BenchTest)
#include "BenchTest.moc"
