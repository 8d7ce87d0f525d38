// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/bench/results/ResultDocument.h"
#include "core/compare/CompareInput.h"
#include "core/compare/CompareJson.h"
#include "core/compare/CompareOutput.h"
#include "core/compare/CompareText.h"
#include "core/compare/ResultCompare.h"
#include "core/compare/SelfCheck.h"
#include "core/compare/gate/FailOn.h"
#include "tests/core/AnalysisFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::bench::results;
using namespace kinetoscope::compare;
using namespace kinetoscope::stats;
using namespace kinetoscope::analysis_test;

namespace {

struct Kernel {
    std::string_view name;
    TimeNs duration;
};

/// Steps of 1 ms with these kernels in each, `times` times; `slower` percent on the first kernel.
ComparedRun runOf(std::int64_t steps, const std::vector<Kernel>& kernels, int times,
                  TimeNs slower = 0, TimeNs outside = 0) {
    TraceMaker maker;
    std::int64_t correlation = 0;
    for (std::int64_t step = 0; step < steps; ++step) {
        const TimeNs start = step * 1'000'000;
        maker.annotation("ProfilerStep#" + std::to_string(step + 4), start, 900'000);
        TimeNs at = start;
        for (int i = 0; i < times; ++i) {
            for (const Kernel& kernel : kernels) {
                maker.api(at + 10, 10, ++correlation);
                const TimeNs percent = kernel.name == kernels.front().name ? slower : 0;
                maker.kernel(kernel.name, at + 1000, kernel.duration * (100 + percent) / 100,
                             {.correlation = correlation});
                at += 10'000;
            }
        }
    }
    if (outside > 0) {
        maker.kernel("warm up", -1'000'000, outside);
    }
    return makeComparedRun(maker.finish()).value();
}

const std::vector<Kernel> kTwo{{"a", 1000}, {"b", 3000}};

Result<Comparison> comparisonOf(const ComparedRun& base, const ComparedRun& candidate,
                                const CompareOptions& options = {}) {
    return compareRuns(Baseline(&base), Candidate(&candidate), options);
}

const KernelChange& kernelOf(const Comparison& comparison, std::string_view name) {
    for (const KernelChange& kernel : comparison.kernels) {
        if (kernel.name == name) {
            return kernel;
        }
    }
    throw std::runtime_error("no such kernel");
}

BenchItem measuredKernel(const std::string& name, double ns, double clockMhz = 0.0,
                         const std::string& key = "k") {
    BenchItem kernel;
    kernel.name = name;
    kernel.key = key;
    BenchSeries config;
    for (int i = 0; i < 40; ++i) {
        config.samples.push_back({ns * (1.0 + 0.0001 * (i % 7)), clockMhz, false});
    }
    // A throttled sample counts for nothing.
    config.samples.push_back({ns * 9.0, clockMhz, true});
    kernel.series.push_back(config);
    return kernel;
}

Comparison compareMeasured(const MeasuredResult& base, const MeasuredResult& candidate) {
    const CompareInput one = base;
    const CompareInput other = candidate;
    return compareInputs(Baseline(&one), Candidate(&other), {}).value();
}

Comparison compareDocuments(const ResultDocument& base, const ResultDocument& candidate) {
    return compareMeasured(measured(base), measured(candidate));
}

/// One call by one implementation, 60 batches unless they are left out.
BenchSeries implementation(const std::string& name, double ns, std::size_t repeats = 3,
                           bool batches = true) {
    BenchSeries result;
    result.name = name;
    result.runs = 600;
    for (std::size_t i = 0; i < repeats; ++i) {
        result.repeatsNs.push_back(ns * (1.0 + 0.0001 * static_cast<double>(i)));
    }
    for (int i = 0; batches && i < 60; ++i) {
        result.samples.push_back({ns * (1.0 + 0.0001 * (i % 7))});
    }
    return result;
}

BenchItem callOf(std::size_t index, const std::string& input,
                 std::vector<BenchSeries> implementations, const std::string& reason = {}) {
    BenchItem call;
    call.index = index;
    call.count = 1;
    call.name = input;
    call.reason = reason;
    call.series = std::move(implementations);
    return call;
}

ResultDocument operatorsOf(std::vector<BenchItem> calls) {
    ResultDocument document(ResultKind::Operators);
    document.device = "cpu";
    document.options.dtype = "float32";
    BenchItem mm;
    mm.name = "aten.mm.default";
    mm.parts = std::move(calls);
    document.items.push_back(std::move(mm));
    return document;
}

ResultDocument modulesOf(double forwardMs, double backwardMs) {
    BenchItem runner;
    runner.name = "jit";
    for (const auto& [direction, ms] :
         {std::pair{"forward", forwardMs}, {"backward", backwardMs}}) {
        BenchSeries& series = runner.series.emplace_back();
        series.name = direction;
        for (int i = 0; i < 20; ++i) {
            series.samples.push_back({1e6 * ms * (1.0 + 0.0001 * (i % 5))});
        }
    }
    BenchItem lost;
    lost.name = "cudnn";
    lost.reason = "no GPU";
    ResultDocument document(ResultKind::Modules);
    document.device = "cpu";
    BenchItem& group = document.items.emplace_back();
    group.key = "lstm";
    group.name = "LSTM";
    group.parts = {runner, lost};
    return document;
}

}  // namespace

class CompareRunTest : public QObject {
    Q_OBJECT

private slots:
    void againstItselfEverythingIsZero() {
        const ComparedRun run = runOf(3, kTwo, 2);
        const auto comparison = comparisonOf(run, run);
        QVERIFY(comparison);
        QCOMPARE(comparison->kernels.size(), std::size_t{2});
        for (const KernelChange& kernel : comparison->kernels) {
            QCOMPARE(kernel.totalNs.delta(), 0.0);
            QCOMPARE(kernel.shareOfChange, 0.0);
            QCOMPARE(kernel.verdict, Verdict::Same);
            QCOMPARE(kernel.speedup.q50, 1.0);
        }
        for (const StepChange& step : comparison->steps) {
            QCOMPARE(step.durationNs.delta(), 0.0);
            QCOMPARE(step.verdict, Verdict::Same);
        }
        QCOMPARE(comparison->breakdown.of("idle_ns").delta(), 0.0);
        QVERIFY(comparison->onlyBase.empty() && comparison->onlyCandidate.empty());
    }

    void oneKernelSlower() {
        const auto comparison = comparisonOf(runOf(3, kTwo, 2), runOf(3, kTwo, 2, 10));
        QVERIFY(comparison);
        const KernelChange& slower = comparison->kernels.front();  // the largest change comes first
        QCOMPARE(slower.name, std::string("a"));
        QCOMPARE(slower.verdict, Verdict::Slower);
        QCOMPARE(slower.count, (Both<double>{6.0, 6.0}));
        QCOMPARE(slower.totalNs.value, (Both<double>{6000.0, 6600.0}));
        QCOMPARE(*slower.totalNs.percent(), 10.0);
        QCOMPARE(slower.shareOfChange, 1.0);
        QVERIFY(std::abs(slower.speedup.q50 - 1.0 / 1.1) < 1e-12);
        QCOMPARE(slower.speedup.pairs, std::size_t{6});
        QCOMPARE(kernelOf(*comparison, "b").verdict, Verdict::Same);
        QCOMPARE(comparison->kernelTimeNs.value, (Both<double>{24000.0, 24600.0}));
        QCOMPARE(comparison->breakdown.of("kernel_time_sum_ns").delta(), 600.0);
    }

    // Half of the pairs of a step are 10 % slower: its median lies between.
    void stepsAreComparedByTheirKernels() {
        const std::vector<Kernel> three{{"a", 1000}, {"b", 3000}, {"c", 500}};
        const auto comparison = comparisonOf(runOf(3, three, 4), runOf(3, three, 4, 10));
        QCOMPARE(comparison->steps.size(), std::size_t{3});
        QCOMPARE(comparison->steps[0].name.base, std::string("ProfilerStep#4"));
        QCOMPARE(comparison->steps[0].speedup.pairs, std::size_t{12});
        QCOMPARE(comparison->steps[0].speedup.q50, 1.0);
        QVERIFY(comparison->steps[0].speedup.min < 0.92);
    }

    void stepsOfDifferentNumbersAreNormalised() {
        const ComparedRun base = runOf(2, kTwo, 3, 0, 5000);
        const ComparedRun candidate = runOf(4, kTwo, 3);
        const auto comparison = comparisonOf(base, candidate);
        QCOMPARE(comparison->per, Normalisation::Step);
        QCOMPARE(kernelOf(*comparison, "b").count, (Both<double>{3.0, 3.0}));
        QCOMPARE(kernelOf(*comparison, "b").totalNs.value, (Both<double>{9000.0, 9000.0}));
        QVERIFY(comparison->onlyBase.empty());  // what is outside of steps is not part of a step
        const auto whole = comparisonOf(base, candidate, {.per = Normalisation::Run});
        QCOMPARE(kernelOf(*whole, "b").count, (Both<double>{6.0, 12.0}));
        QCOMPARE(whole->onlyBase.at(0).name, std::string("warm up"));
        QCOMPARE(whole->onlyBase.at(0).totalNs, 5000.0);
        // The same kernels, just as fast: twice as many are not slower kernels.
        QCOMPARE(kernelOf(*whole, "b").verdict, Verdict::Same);
    }

    void perStepNeedsSteps() {
        const ComparedRun run = runOf(2, kTwo, 3);
        TraceMaker maker;
        maker.kernel("a", 0, 10);
        const ComparedRun bare = makeComparedRun(maker.finish()).value();
        const auto comparison = comparisonOf(run, bare, {.per = Normalisation::Step});
        QVERIFY(!comparison);
        QVERIFY(comparison.error().message.find("no steps") != std::string::npos);
        QVERIFY(comparisonOf(run, bare));
    }

    void sharesSumToTheWholeChange() {
        const auto comparison =
            comparisonOf(runOf(2, {{"a", 1000}, {"gone", 300}}, 3),
                         runOf(2, {{"a", 1000}, {"new", 700}}, 3, 50), {.match = MatchKind::Exact});
        double sum = 0.0;
        for (const KernelChange& kernel : comparison->kernels) {
            sum += kernel.shareOfChange;
        }
        sum += comparison->onlyBase.at(0).shareOfChange;
        sum += comparison->onlyCandidate.at(0).shareOfChange;
        QCOMPARE(sum, 1.0);
        QCOMPARE(comparison->kernelTimeNs.delta(), 6 * (500.0 + 700.0 - 300.0));
    }

    void halvesOfSteps() {
        const ComparedRun run = runOf(5, kTwo, 3);
        const ComparedRun first = stepsOf(run, 0, 2);
        const ComparedRun last = stepsOf(run, 3, 5);
        QCOMPARE(first.launches.size(), std::size_t{12});
        QCOMPARE(last.launches.front().step, std::uint32_t{0});
        QCOMPARE(last.launches.front().start, TimeNs{3'001'000});
        const auto check = checkHalves(run, {});
        QVERIFY(check);
        QCOMPARE(check->kind, std::string("steps"));
        QCOMPARE(check->kernels, std::size_t{2});
        QCOMPARE(check->falseAlarmPercent(), 0.0);
        QCOMPARE(check->unsureTimePercent(), 0.0);
    }

    // Without steps every kernel is cut in two; later launches here are slower.
    void halvesOfLaunches() {
        TraceMaker maker;
        for (int i = 0; i < 21; ++i) {
            maker.kernel("a", i * 1000, i < 10 ? 100 : 200);
            maker.kernel("b", i * 1000 + 500, 300);
        }
        const auto check = checkHalves(makeComparedRun(maker.finish()).value(), {});
        QCOMPARE(check->kind, std::string("launches"));
        QCOMPARE(check->count[static_cast<std::size_t>(Verdict::Slower)], std::size_t{1});
        QCOMPARE(check->falseAlarmPercent(), 50.0);
        QCOMPARE(check->timeNs[static_cast<std::size_t>(Verdict::Same)], 3000.0);
    }

    // Each run's halves, and each with the one before it where they are of one program.
    void severalRunsAreCheckedInTurn() {
        const std::vector<CompareInput> inputs{runOf(4, kTwo, 6), runOf(4, kTwo, 6, 10),
                                               runOf(4, {{"other", 500}}, 6)};
        const auto all = checkInputs(inputs, {});
        QVERIFY(all);
        std::vector<std::string> kinds;
        for (const SelfCheck& check : all->checks) {
            kinds.push_back(check.kind);
        }
        QCOMPARE(kinds, std::vector<std::string>({"steps", "steps", "runs", "steps"}));
        QCOMPARE(all->checks[2].falseAlarmPercent(), 50.0);
        QCOMPARE(all->skipped.size(), std::size_t{1});
        const std::vector<CompareInput> result{measured(modulesOf(1.0, 2.0))};
        QVERIFY(checkInputs(result, {}).error().message.starts_with("--self needs traces"));
    }

    void slowerByAtLeast() {
        const auto comparison = comparisonOf(runOf(4, kTwo, 6), runOf(4, kTwo, 6, 10));
        const auto fails = [](const Comparison& of, const char* condition) {
            const std::vector<FailCondition> one{parseFailCondition(condition).value()};
            return !gateOutcome(gateFigures(of), one).passed();
        };
        QVERIFY(fails(*comparison, "slower"));
        QVERIFY(fails(*comparison, "slower:10"));
        QVERIFY(!fails(*comparison, "slower:10.1"));
        QVERIFY(!fails(*comparisonOf(runOf(4, kTwo, 6, 10), runOf(4, kTwo, 6)), "slower"));
    }

    void severalComparisonsAreAnArray() {
        const std::vector<Comparison> one{*comparisonOf(runOf(2, kTwo, 3), runOf(2, kTwo, 3))};
        const std::vector<Comparison> two{one.front(), one.front()};
        const auto json = [](const std::vector<Comparison>& all) {
            return nlohmann::json::parse(compareOutput(all, text::OutputFormat::Json, {}, {}));
        };
        QVERIFY(json(one).is_object());
        QCOMPARE(json(two).size(), std::size_t{2});
        QCOMPARE(json(two)[1], json(one));
        const std::string text = compareOutput(one, text::OutputFormat::Text, {}, {});
        QCOMPARE(compareOutput(two, text::OutputFormat::Text, {}, {}), text + "\n" + text);
    }

    void jsonIsTheSchema() {
        const auto comparison =
            comparisonOf(runOf(2, {{"a", 1000}, {"gone", 300}}, 3),
                         runOf(2, {{"a", 1000}, {"new", 700}}, 3, 10), {.match = MatchKind::Exact});
        const auto json = nlohmann::json::parse(compareJson(*comparison));
        QCOMPARE(json.at("schema").get<std::string>(), std::string("kinetoscope.compare/1"));
        for (const char* key :
             {"gpus", "kernels", "only_base", "only_candidate", "breakdown", "steps"}) {
            QVERIFY2(json.contains(key), key);
        }
        const auto& kernel = json.at("kernels").at(0);
        QCOMPARE(kernel.at("name").get<std::string>(), std::string("a"));
        QCOMPARE(kernel.at("match").get<std::string>(), std::string("exact"));
        QCOMPARE(kernel.at("count").dump(), std::string("[6,6]"));
        QCOMPARE(kernel.at("total_ns").dump(), std::string("[6000,6600]"));
        QCOMPARE(kernel.at("delta_ns").dump(), std::string("600"));
        QCOMPARE(kernel.at("delta_percent").get<double>(), 10.0);
        QCOMPARE(kernel.at("verdict").get<std::string>(), std::string("SLOWER"));
        for (const char* key : {"q20", "q50", "q80"}) {
            QVERIFY(std::abs(kernel.at("speedup").at(key).get<double>() - 1 / 1.1) < 1e-12);
        }
        QCOMPARE(kernel.at("speedup").at("interval").size(), std::size_t{2});
        QCOMPARE(json.at("only_base").at(0).at("name").get<std::string>(), std::string("gone"));
        QCOMPARE(json.at("only_candidate").at(0).at("count").dump(), std::string("6"));
        QCOMPARE(json.at("steps").size(), std::size_t{2});
    }

    void csvHasAllRows() {
        const auto comparison =
            comparisonOf(runOf(2, {{"a", 1000}, {"gone", 300}}, 3),
                         runOf(2, {{"a", 1000}, {"new", 700}}, 3, 10), {.match = MatchKind::Exact});
        const QString csv = QString::fromStdString(compareCsv({*comparison}));
        const QStringList lines = csv.split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[1].contains(",a,exact,6,6,6000,6600,600,10,"));
        QVERIFY(lines[1].endsWith(",6,SLOWER"));
        QVERIFY(lines[2].contains(",gone,only_base,6,0,1800,0,-1800,-100,"));
    }

    void csvHasNanosecondsToATenth() {
        ResultDocument base;
        ResultDocument candidate;
        base.items = {measuredKernel("triton_a_1", 15088.00033479929)};
        candidate.items = {measuredKernel("triton_a_1", 15190.26001)};
        const QString csv = QString::fromStdString(compareCsv({compareDocuments(base, candidate)}));
        const QStringList fields = csv.split('\n').at(1).split(',');
        const QRegularExpression tenth("^[0-9]+([.][1-9])?$");
        for (const int column : {6, 7, 8}) {  // total_base_ns, total_candidate_ns, delta_ns
            QVERIFY2(tenth.match(fields.at(column)).hasMatch(), qPrintable(fields.at(column)));
        }
    }

    void markdownAnswersFirst() {
        const auto comparison = comparisonOf(runOf(3, kTwo, 3), runOf(3, kTwo, 3, 10));
        const std::string text = compareMarkdown(*comparison, {});
        const std::size_t slower = text.find("**SLOWER**");
        QVERIFY(slower != std::string::npos);
        QVERIFY(slower < text.find("<details>"));
        QVERIFY(text.find("1 SLOWER, 0 FASTER, 1 SAME, 0 UNSURE of 2 kernels") !=
                std::string::npos);
    }

    void resultsOfBenchmarks() {
        ResultDocument base;
        ResultDocument candidate;
        base.items = {measuredKernel("triton_a_1", 1000), measuredKernel("triton_b_2", 1000),
                      measuredKernel("triton_c_3", 1000), measuredKernel("gone", 5)};
        candidate.items = {measuredKernel("triton_c_9", 1000), measuredKernel("triton_b_2", 980),
                           measuredKernel("triton_a_1", 1020)};
        const Comparison comparison = compareDocuments(base, candidate);
        const KernelChange& slower = kernelOf(comparison, "triton_a_1");
        QCOMPARE(slower.verdict, Verdict::Slower);  // 2 % are beyond the 1 % of benchmarks
        QVERIFY(std::abs(*slower.totalNs.percent() - 2.0) < 1e-9);
        QCOMPARE(slower.speedup.pairs, std::size_t{40});
        QCOMPARE(kernelOf(comparison, "triton_b_2").verdict, Verdict::Faster);
        const KernelChange& renamed = kernelOf(comparison, "triton_c");
        QCOMPARE(renamed.match, MatchKind::Normalised);
        QCOMPARE(renamed.verdict, Verdict::Same);
        QCOMPARE(comparison.onlyBase.at(0).name, std::string("gone"));
    }

    // 10 % slower at 10 % less clock: as many cycles, so the kernel is not to blame.
    void clocksAreEvidence() {
        ResultDocument base;
        ResultDocument candidate;
        base.items = {measuredKernel("clock", 1000, 1980.0), measuredKernel("code", 1000, 1980.0)};
        candidate.items = {measuredKernel("clock", 1100, 1800.0),
                           measuredKernel("code", 1400, 1800.0)};
        const Comparison comparison = compareDocuments(base, candidate);
        QCOMPARE(kernelOf(comparison, "clock").verdict, Verdict::Unsure);
        QCOMPARE(kernelOf(comparison, "code").verdict, Verdict::Slower);
        QCOMPARE(comparison.notes.size(), std::size_t{2});
    }

    void resultsOfOneNameKeepTheirSources() {
        ResultDocument base;
        ResultDocument candidate;
        base.items = {measuredKernel("k", 1000, 0.0, "x"), measuredKernel("k", 3000, 0.0, "y")};
        candidate.items = {measuredKernel("k", 3000, 0.0, "y"),
                           measuredKernel("k", 1000, 0.0, "x")};
        for (const KernelChange& kernel : compareDocuments(base, candidate).kernels) {
            QCOMPARE(kernel.verdict, Verdict::Same);
        }
    }

    // Each implementation of each call is a row; 2 % are beyond the 1 % of benchmarks.
    void resultsOfOperators() {
        const ResultDocument base = operatorsOf(
            {callOf(0, "((a,), {})", {implementation("eager", 1000), implementation("jit", 800)}),
             callOf(1, "((b,), {})", {implementation("eager", 5000)})});
        ResultDocument candidate = operatorsOf(
            {callOf(0, "((a,), {})", {implementation("eager", 1020), implementation("jit", 780)}),
             callOf(1, "((b,), {})", {implementation("eager", 5000)})});
        candidate.options.dtype = "recorded";
        const Comparison comparison = compareMeasured(measured(base), measured(candidate));
        QCOMPARE(comparison.kernels.size(), std::size_t{3});
        const KernelChange& slower = kernelOf(comparison, "aten.mm.default eager ((a,), {})");
        QCOMPARE(slower.verdict, Verdict::Slower);
        QVERIFY(std::abs(*slower.totalNs.percent() - 2.0) < 1e-9);
        QCOMPARE(slower.speedup.pairs, std::size_t{60});
        QCOMPARE(slower.count, (Both<double>{600.0, 600.0}));
        QCOMPARE(slower.parts.base.at(0).op, std::string("aten.mm.default"));
        QCOMPARE(kernelOf(comparison, "aten.mm.default jit ((a,), {})").verdict, Verdict::Faster);
        QCOMPARE(kernelOf(comparison, "aten.mm.default eager ((b,), {})").verdict, Verdict::Same);
        QCOMPARE(comparison.notes,
                 (std::vector<std::string>{"different data types: float32 against recorded"}));
        const auto json = nlohmann::json::parse(compareJson(comparison));
        QCOMPARE(json.at("kind").get<std::string>(), std::string("results"));
        QCOMPARE(json.at("of").get<std::string>(), std::string("operators"));
    }

    // Older documents have the repeats only: fewer than five pairs are UNSURE.
    void repeatsArePairsWhereThereAreNoBatches() {
        for (const std::size_t repeats : {3U, 4U, 5U}) {
            const auto result = [&](double ns) {
                return measured(operatorsOf(
                    {callOf(0, "((a,), {})", {implementation("eager", ns, repeats, false)})}));
            };
            const Comparison comparison = compareMeasured(result(1000), result(1100));
            QCOMPARE(comparison.kernels.at(0).speedup.pairs, repeats);
            QCOMPARE(comparison.kernels.at(0).verdict,
                     repeats < 5 ? Verdict::Unsure : Verdict::Slower);
        }
    }

    // Calls with the same text, as --shrink makes them, are told apart by their index.
    void callsOfOneTextKeepTheirOrder() {
        const auto result = [&](double first, double second, bool swapped) {
            std::vector<BenchItem> calls{callOf(3, "()", {implementation("eager", first)}),
                                         callOf(7, "()", {implementation("eager", second)})};
            if (swapped) {
                std::swap(calls[0], calls[1]);
            }
            return measured(operatorsOf(std::move(calls)));
        };
        for (const KernelChange& call :
             compareMeasured(result(10, 900, false), result(10, 900, true)).kernels) {
            QCOMPARE(call.verdict, Verdict::Same);
        }
    }

    void whatOneSideDidNotMeasureIsListed() {
        BenchSeries broken;
        broken.name = "jit";
        broken.reason = "it broke";
        const ResultDocument base = operatorsOf(
            {callOf(0, "((a,), {})", {implementation("eager", 1000), implementation("jit", 900)}),
             callOf(1, "((b,), {})", {}, "no such operator")});
        const ResultDocument candidate =
            operatorsOf({callOf(0, "((a,), {})", {implementation("eager", 1000), broken}),
                         callOf(1, "((b,), {})", {}, "no such operator")});
        const Comparison comparison = compareMeasured(measured(base), measured(candidate));
        QCOMPARE(comparison.onlyBase.size(), std::size_t{1});
        QCOMPARE(comparison.onlyBase[0].totalNs, 900.09);
        QCOMPARE(comparison.onlyCandidate.size(), std::size_t{1});
        QCOMPARE(comparison.onlyCandidate[0].name, std::string("aten.mm.default jit ((a,), {})"));
        QCOMPARE(comparison.onlyCandidate[0].reason, std::string("it broke"));
        QCOMPARE(comparison.notes, (std::vector<std::string>{"1 call measured on neither side"}));
    }

    void resultsOfModules() {
        const Comparison comparison =
            compareMeasured(measured(modulesOf(2.0, 5.0)), measured(modulesOf(2.0, 5.1)));
        QCOMPARE(comparison.kernels.size(), std::size_t{2});
        const KernelChange& slower = kernelOf(comparison, "lstm jit backward");
        QCOMPARE(slower.verdict, Verdict::Slower);
        QCOMPARE(slower.speedup.pairs, std::size_t{20});
        QVERIFY(std::abs(slower.totalNs.delta() - 0.1 * 1.0002e6) < 1e-3);
        QCOMPARE(kernelOf(comparison, "lstm jit forward").verdict, Verdict::Same);
        QVERIFY(comparison.onlyBase.empty() && comparison.onlyCandidate.empty());
        const std::string text = compareText(comparison, {}, {});
        QVERIFY(text.find("1 SLOWER, 0 FASTER, 1 SAME, 0 UNSURE of 2 runners") !=
                std::string::npos);
        QVERIFY(text.find("per loop") != std::string::npos);
        QVERIFY(text.find("1 runner measured on neither side") != std::string::npos);
    }

    void documentsOfEveryBenchAreRead() {
        const auto kindOf = [](const std::string& json) {
            return parseMeasuredResult(json).value().kind;
        };
        QCOMPARE(kindOf(resultJson(ResultDocument())), ResultKind::Kernels);
        QCOMPARE(kindOf(resultJson(operatorsOf({}))), ResultKind::Operators);
        QCOMPARE(kindOf(resultJson(modulesOf(1, 1))), ResultKind::Modules);
        QVERIFY(!parseMeasuredResult("{}"));
        QVERIFY(!parseMeasuredResult("["));
        QVERIFY(!parseMeasuredResult(
            R"({"schema":"kinetoscope.result/1","kind":"others","kernels":[]})"));
    }

    void kindsDoNotMix() {
        const std::vector<CompareInput> inputs{runOf(2, kTwo, 3), measured(ResultDocument()),
                                               measured(ResultDocument(ResultKind::Operators)),
                                               measured(ResultDocument(ResultKind::Modules))};
        for (std::size_t a = 0; a < inputs.size(); ++a) {
            for (std::size_t b = 0; b < inputs.size(); ++b) {
                const auto comparison =
                    compareInputs(Baseline(&inputs[a]), Candidate(&inputs[b]), {});
                QCOMPARE(comparison.has_value(), a == b);
                QVERIFY(comparison || comparison.error().message.find("kind") != std::string::npos);
            }
        }
    }
};

QTEST_APPLESS_MAIN(CompareRunTest)
#include "CompareRunTest.moc"
