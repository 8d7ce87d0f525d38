// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <set>

#include "core/analysis/KernelRules.h"
#include "core/report/Explain.h"
#include "core/report/Report.h"
#include "core/stats/DurationSummary.h"
#include "core/stats/Statistics.h"
#include "tests/core/AnalysisFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::query;
using namespace kinetoscope::report;
using namespace kinetoscope::trace;
using namespace kinetoscope::analysis_test;

namespace {

Report reportOf(const std::shared_ptr<const Trace>& trace, GroupBy group = GroupBy::Inductor) {
    return makeReport(*trace, {{}, group}).value();
}

std::string rowText(const CategoryRow& row) {
    return row.name + " " + std::to_string(row.totalNs) + " " + std::to_string(row.count);
}

QByteArray messageOf(const Result<WindowChoice>& result) {
    return QByteArray::fromStdString(result ? "no error" : result.error().message);
}

}  // namespace

class AnalysisTablesTest final : public QObject {
    Q_OBJECT

private slots:
    void statisticsOfKnownNumbers();
    void medianOfAnEvenCountMayEndInAHalf();
    void oneTimeHasNoDeviation();
    void kernelsAreGroupedByNameAndGpu();
    void kernelRowsAreSortedByTotalThenName();
    void mostFrequentShapeIsShown();
    void firstShapeWinsATie();
    void shapeDiffersInEveryPart();
    void rowCountsAsMmConvWhenAnyLaunchDoes();
    void operationsAreGroupedByInductorCategory();
    void operationsAreGroupedByFamily();
    void withoutAChoiceInductorsKernelsDecideTheGroups();
    void operationsAreGroupedByOperator();
    void operationsAreGroupedByStream();
    void sharesAreOfTheSumOfAllRows();
    void sharesOfNothingAreZero();
    void windowsAreParsed_data();
    void windowsAreParsed();
    void badWindowsAreRefused_data();
    void badWindowsAreRefused();
    void windowsAreDescribed();
    void selectionBeyondTheTraceIsRefused();
    void gpuWindowSpansAllGpus();
    void rulesDecideTheirExamples();
    void namesOfOtherEngines_data();
    void namesOfOtherEngines();
    void namesWithoutARuleAreOther();
    void rulesSeeMangledAndDemangledNames();
    void longNamesAreJudgedByTheirBeginning();
    void badRulesAreRefused_data();
    void badRulesAreRefused();
    void inductorCategoriesByPrefix_data();
    void inductorCategoriesByPrefix();
    void everyFigureIsExplainedOnce();
};

void AnalysisTablesTest::statisticsOfKnownNumbers() {
    const stats::DurationSummary result = stats::summarizeDurations({2, 4, 4, 4, 5, 5, 7, 9});
    QCOMPARE(result.count, std::uint64_t{8});
    QCOMPARE(result.total, TimeNs{40});
    QCOMPARE(result.min, TimeNs{2});
    QCOMPARE(result.max, TimeNs{9});
    QCOMPARE(result.mean, 5.0);
    QCOMPARE(result.median, 4.5);
    QCOMPARE(result.standardDeviation, std::sqrt(32.0 / 7.0));
}

void AnalysisTablesTest::medianOfAnEvenCountMayEndInAHalf() {
    std::vector<TimeNs> even{10, 1, 4, 3};
    QCOMPARE(stats::medianOf(even), 3.5);
    std::vector<TimeNs> odd{10, 1, 4};
    QCOMPARE(stats::medianOf(odd), 4.0);
    std::vector<TimeNs> none;
    QCOMPARE(stats::medianOf(none), 0.0);
}

void AnalysisTablesTest::oneTimeHasNoDeviation() {
    QCOMPARE(stats::summarizeDurations({7}).standardDeviation, 0.0);
    QCOMPARE(stats::summarizeDurations({7}).median, 7.0);
    QCOMPARE(stats::summarizeDurations({}).count, std::uint64_t{0});
}

void AnalysisTablesTest::kernelsAreGroupedByNameAndGpu() {
    TraceMaker maker;
    maker.kernel("a", 0, 10);
    maker.kernel("b", 20, 1);
    maker.kernel("a", 40, 20, {.stream = 8});
    maker.kernel("a", 60, 5, {.gpu = 1});
    maker.memcpy(80, 500);
    const auto trace = maker.finish();
    const auto rows = reportOf(trace).kernels;
    QCOMPARE(rows.size(), std::size_t{3});
    QVERIFY(trace->text(rows[0].name) == "a");
    QCOMPARE(rows[0].gpu, 0);
    QCOMPARE(rows[0].count, std::uint64_t{2});
    QCOMPARE(rows[0].totalNs, TimeNs{30});
    QCOMPARE(rows[0].meanNs, 15.0);
    QCOMPARE(rows[1].gpu, 1);
    QCOMPARE(rows[1].count, std::uint64_t{1});
}

void AnalysisTablesTest::kernelRowsAreSortedByTotalThenName() {
    TraceMaker maker;
    maker.kernel("z", 0, 10);
    maker.kernel("m", 20, 10, {.gpu = 1});
    maker.kernel("m", 20, 10);
    maker.kernel("big", 40, 11);
    const auto trace = maker.finish();
    std::string order;
    for (const KernelRow& row : reportOf(trace).kernels) {
        order += std::string(trace->text(row.name)) + std::to_string(row.gpu) + " ";
    }
    QCOMPARE(order, std::string("big0 m0 m1 z0 "));
}

void AnalysisTablesTest::mostFrequentShapeIsShown() {
    TraceMaker maker;
    maker.kernel("a", 0, 10, {.grid = 5, .occupancy = 90});
    maker.kernel("a", 20, 10, {.grid = 8, .occupancy = 30});
    maker.kernel("a", 40, 10, {.grid = 8, .occupancy = 31});
    maker.kernel("a", 60, 10, {.grid = 8, .occupancy = 32});
    maker.kernel("a", 80, 10, {.grid = 5, .occupancy = 91});
    const auto row = reportOf(maker.finish()).kernels.at(0);
    QCOMPARE(row.grid[0], 8U);
    QCOMPARE(row.occupancyPercent, std::int16_t{30});
    QCOMPARE(row.shapes, std::uint64_t{2});
}

void AnalysisTablesTest::firstShapeWinsATie() {
    TraceMaker maker;
    maker.kernel("a", 100, 10, {.grid = 1});  // first in the file, last in time
    maker.kernel("a", 0, 10, {.grid = 2});
    maker.kernel("a", 20, 10, {.grid = 3});
    QCOMPARE(reportOf(maker.finish()).kernels.at(0).grid[0], 2U);
}

void AnalysisTablesTest::shapeDiffersInEveryPart() {
    TraceMaker maker;
    const auto add = [&](auto change) {
        GpuOperation operation;
        operation.slice = maker.cpu(Category::Kernel, "a", 0, 1, {.tid = 7, .pid = 0});
        operation.stream = 7;
        change(operation);
        maker.builder().addGpuOperation(operation);
    };
    add([](GpuOperation&) {});
    add([](GpuOperation& row) { row.grid[2] = 2; });
    add([](GpuOperation& row) { row.block[1] = 2; });
    add([](GpuOperation& row) { row.registers = 2; });
    add([](GpuOperation& row) { row.sharedBytes = 2; });
    add([](GpuOperation& row) { row.occupancyPercent = 2; });  // a result, no part of the shape
    QCOMPARE(reportOf(maker.finish()).kernels.at(0).shapes, std::uint64_t{5});
}

void AnalysisTablesTest::rowCountsAsMmConvWhenAnyLaunchDoes() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "aten::mm", 0, 50, {.externalId = 1});
    maker.kernel("helper", 100, 10);
    maker.kernel("helper", 120, 10, {.externalId = 1});
    maker.kernel("other", 140, 1);
    const auto rows = reportOf(maker.finish()).kernels;
    QVERIFY(rows[0].mmConv);
    QVERIFY(!rows[1].mmConv);
}

void AnalysisTablesTest::operationsAreGroupedByInductorCategory() {
    TraceMaker maker;
    maker.kernel("triton_poi_fused_0", 0, 10);
    maker.kernel("triton_poi_fused_1", 20, 10, {.gpu = 1});
    maker.kernel("triton_red_fused_0", 40, 7);
    maker.memcpy(60, 8);
    const auto rows = reportOf(maker.finish()).categories;
    QCOMPARE(rows.size(), std::size_t{3});
    QCOMPARE(rowText(rows[0]), std::string("triton_pointwise 20 2"));
    QCOMPARE(rowText(rows[1]), std::string("unknown 8 1"));
    QCOMPARE(rowText(rows[2]), std::string("triton_reduction 7 1"));
}

void AnalysisTablesTest::operationsAreGroupedByFamily() {
    TraceMaker maker;
    maker.kernel(kGemm, 0, 10);
    maker.kernel(kFill, 20, 10);
    maker.kernel("nobody knows", 40, 3);
    maker.memcpy(60, 8);
    const auto rows = reportOf(maker.finish(), GroupBy::Family).categories;
    QCOMPARE(rows.size(), std::size_t{4});
    QCOMPARE(rowText(rows[0]), std::string("elementwise 10 1"));
    QCOMPARE(rowText(rows[1]), std::string("gemm 10 1"));
    QCOMPARE(rowText(rows[2]), std::string("copy 8 1"));
    QCOMPARE(rowText(rows[3]), std::string("other 3 1"));
}

void AnalysisTablesTest::withoutAChoiceInductorsKernelsDecideTheGroups() {
    TraceMaker eager;
    eager.kernel(kGemm, 0, 10);
    eager.kernel("_my_triton_kernel", 20, 5);
    const auto families = makeReport(*eager.finish());
    QVERIFY(families->group == GroupBy::Family);
    QCOMPARE(rowText(families->categories.at(0)), std::string("gemm 10 1"));
    TraceMaker compiled;
    compiled.kernel(kGemm, 0, 10);
    compiled.kernel("triton_poi_fused_0", 100, 5);
    // The whole trace decides, so that its windows can be compared.
    const auto trace = compiled.finish();
    WindowChoice firstPart;
    firstPart.kind = WindowKind::Range;
    firstPart.range = {0, 50};
    const auto early = makeReport(*trace, {.window = firstPart, .group = {}});
    QVERIFY(early->group == GroupBy::Inductor);
    QCOMPARE(rowText(early->categories.at(0)), std::string("unknown 10 1"));
    QVERIFY(reportOf(trace, GroupBy::Family).group == GroupBy::Family);
}

void AnalysisTablesTest::operationsAreGroupedByOperator() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "aten::mm", 0, 5, {.externalId = 1});
    maker.cpu(Category::CpuOp, "aten::mm", 10, 5, {.externalId = 2});
    maker.kernel("a", 100, 10, {.externalId = 1});
    maker.kernel("b", 120, 10, {.externalId = 2});
    maker.memcpy(140, 7);
    const auto rows = reportOf(maker.finish(), GroupBy::Operator).categories;
    QCOMPARE(rows.size(), std::size_t{2});
    QCOMPARE(rowText(rows[0]), std::string("aten::mm 20 2"));
    QCOMPARE(rowText(rows[1]), std::string("(no operator) 7 1"));
}

void AnalysisTablesTest::operationsAreGroupedByStream() {
    TraceMaker maker;
    maker.kernel("a", 0, 10, {.gpu = 0, .stream = 7});
    maker.kernel("b", 20, 5, {.gpu = 1, .stream = 7});
    maker.memcpy(40, 1, {.gpu = 0, .stream = 20});
    const auto rows = reportOf(maker.finish(), GroupBy::Stream).categories;
    QCOMPARE(rows.size(), std::size_t{3});
    QCOMPARE(rowText(rows[0]), std::string("GPU 0 stream 7 10 1"));
    QCOMPARE(rowText(rows[1]), std::string("GPU 1 stream 7 5 1"));
    QCOMPARE(rowText(rows[2]), std::string("GPU 0 stream 20 1 1"));
}

void AnalysisTablesTest::sharesAreOfTheSumOfAllRows() {
    TraceMaker maker;
    maker.kernel("triton_poi_fused_0", 0, 30);
    maker.kernel("a", 0, 10, {.stream = 8});  // at the same time: shares are of sums
    const auto rows = reportOf(maker.finish()).categories;
    QCOMPARE(rows[0].percentOfSum, 75.0);
    QCOMPARE(rows[1].percentOfSum, 25.0);
}

void AnalysisTablesTest::sharesOfNothingAreZero() {
    TraceMaker maker;
    maker.kernel("a", 0, 0);
    QCOMPARE(reportOf(maker.finish()).categories.at(0).percentOfSum, 0.0);
}

void AnalysisTablesTest::windowsAreParsed_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("kind");
    QTest::addColumn<qlonglong>("start");
    QTest::addColumn<qlonglong>("end");
    const auto row = [](const char* text, WindowKind kind, qlonglong start, qlonglong end) {
        QTest::newRow(text) << QByteArray(text) << static_cast<int>(kind) << start << end;
    };
    row("gpu", WindowKind::Gpu, 0, 0);
    row("trace", WindowKind::Trace, 0, 0);
    row("step:12", WindowKind::Step, 12, 0);
    row("10..20", WindowKind::Range, 10'000, 20'000);
    row("10ns..20us", WindowKind::Range, 10, 20'000);
    row("1.5ms..2s", WindowKind::Range, 1'500'000, 2'000'000'000);
    row("0..0.001", WindowKind::Range, 0, 1);
    row(".5...75", WindowKind::Range, 500, 750);
    row("0.0005..2.0015", WindowKind::Range, 0, 2'002);
    row("0.00051..1", WindowKind::Range, 1, 1'000);
    row("0ns..2.50ns", WindowKind::Range, 0, 2);
    row("-1.5..2", WindowKind::Range, -1'500, 2'000);
    row("-2ms..-1ns", WindowKind::Range, -2'000'000, -1);
    row("0ns..4000000000s", WindowKind::Range, 0, 4'000'000'000'000'000'000);
}

void AnalysisTablesTest::windowsAreParsed() {
    QFETCH(QByteArray, text);
    QFETCH(int, kind);
    QFETCH(qlonglong, start);
    QFETCH(qlonglong, end);
    const auto window = parseWindow(text.toStdString());
    QVERIFY2(window.has_value(), messageOf(window));
    QCOMPARE(static_cast<int>(window->kind), kind);
    QCOMPARE(qlonglong{window->range.start + window->step}, start);
    QCOMPARE(qlonglong{window->range.end}, end);
}

void AnalysisTablesTest::badWindowsAreRefused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("named");
    const auto row = [](const char* text, const char* named) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(named);
    };
    row("", "unknown");
    row("gpus", "unknown");
    row("step:", "not a step number");
    row("step:x", "not a step number");
    row("step:-1", "not a step number");
    row("step:1.5", "not a step number");
    row("..5", "not a time");
    row("5..", "not a time");
    row("1..2..3", "not a time");
    row("--1..2", "\"--1\" is not a time");
    row("-..2", "\"-\" is not a time");
    row("-1..-2", "empty");
    row("1..2h", "\"2h\" is not a time");
    row("1 ..2", "not a time");
    row("1e3..2e3", "not a time");
    row("ms..2", "not a time");
    row("5..5", "empty");
    row("6..5", "empty");
    row("0..99999999999999s", "not a time");
}

void AnalysisTablesTest::badWindowsAreRefused() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, named);
    const QByteArray message = messageOf(parseWindow(text.toStdString()));
    QVERIFY2(message.contains(named), message);
}

void AnalysisTablesTest::windowsAreDescribed() {
    QCOMPARE(describeWindow({WindowKind::Trace, 0, {}}), std::string("the whole trace"));
    QCOMPARE(describeWindow({WindowKind::Step, 4, {}}), std::string("step 4"));
    QCOMPARE(describeWindow({WindowKind::Range, 0, {0, 1'500'000}}),
             std::string("0 ns to 1.500 ms after the first event"));
}

void AnalysisTablesTest::selectionBeyondTheTraceIsRefused() {
    TraceMaker maker;
    maker.kernel("a", 5'000, 1'000);
    const auto trace = maker.finish();
    QVERIFY(!windowSpan(*trace, {WindowKind::Range, 0, {1'000, 2'000}}).has_value());
    const auto last = windowSpan(*trace, {WindowKind::Range, 0, {999, 2'000}});
    QCOMPARE(last->start, TimeNs{5'999});
    QCOMPARE(last->end, TimeNs{7'000});
    QVERIFY(!windowSpan(*trace, {WindowKind::Range, 0, {-2'000, 0}}).has_value());
    QCOMPARE(windowSpan(*trace, {WindowKind::Range, 0, {-2'000, 1}})->start, TimeNs{3'000});
    // A trace of instants alone, or of slices of no length, has its first moment.
    TraceMaker moment;
    moment.kernel("a", 5'000, 0);
    QVERIFY(windowSpan(*moment.finish(), {WindowKind::Range, 0, {0, 1}}).has_value());
}

void AnalysisTablesTest::gpuWindowSpansAllGpus() {
    TraceMaker maker;
    maker.annotation("run", 0, 5'000);
    QVERIFY(!windowSpan(*maker.finish(), {}).has_value());
    maker.annotation("run", 0, 5'000);
    maker.kernel("a", 1'000, 100, {.gpu = 1});
    maker.kernel("b", 400, 100, {.gpu = 0});
    const auto span = windowSpan(*maker.finish(), {});
    QCOMPARE(span->start, TimeNs{400});
    QCOMPARE(span->end, TimeNs{1'100});
}

void AnalysisTablesTest::rulesDecideTheirExamples() {
    const KernelRules& rules = KernelRules::builtin();
    std::set<std::string> families;
    QVERIFY(rules.rules().size() > 20);
    for (std::size_t i = 0; i < rules.rules().size(); ++i) {
        const KernelRule& rule = rules.rules()[i];
        families.insert(rule.family);
        QVERIFY2(!rule.examples.empty(), rule.pattern.c_str());
        for (const std::string& name : rule.examples) {
            QVERIFY2(
                rules.decidingRule(name) == i,
                (rule.family + ": " + name + " is " + std::string(rules.family(name))).c_str());
        }
        for (const std::string& name : rule.nots) {
            QVERIFY2(rules.decidingRule(name) != i, (rule.family + ": not " + name).c_str());
        }
    }
    for (const char* family :
         {"gemm",        "conv",         "rnn",       "attention", "norm",      "reduce",
          "elementwise", "copy",         "layout",    "comm",      "triton",    "embedding",
          "pooling",     "softmax",      "optimizer", "random",    "rope",      "moe",
          "kv_cache",    "quantization", "sampling",  "fusion",    "autotuning"}) {
        QVERIFY2(families.contains(family), family);
    }
}

void AnalysisTablesTest::namesOfOtherEngines_data() {
    QTest::addColumn<std::string>("name");
    QTest::addColumn<std::string>("family");
    const auto row = [](const char* name, const char* family) {
        QTest::newRow(name) << std::string(name) << std::string(family);
    };
    // Counters of random numbers among its arguments round its results.
    row("split_embedding_backward_codegen_rowwise_adagrad_unweighted_kernel_warp_per_row_1<float, "
        "float, float, long>(at::PhiloxCudaState)",
        "embedding");
    row("fusion_8", "fusion");
    row("gemm_fusion_dot_general_3", "gemm");
    row("input_reduce_fusion", "reduce");
    row("loop_add_fusion", "elementwise");
    row("wrapped_broadcast", "elementwise");
    row("RedzoneAllocatorKernelImpl", "autotuning");
    row("_ZN2ck16tensor_operation6device37kernel_batched_gemm_xdlops_bwd_weightINS_47Grid", "conv");
    row("ck::kernel_gemm_xdl_cshuffle_v3<ck::GridwiseGemm_xdl>(ck::Argument)", "gemm");
    row("_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256ELb1EEEvPT0_PT_i", "norm");
    row("void vllm::reshape_and_cache_kernel<float, float>(float const*)", "kv_cache");
    row("void flashinfer::BatchDecodeWithPagedKVCacheKernel<2u>(int)", "attention");
}

void AnalysisTablesTest::namesOfOtherEngines() {
    QFETCH(std::string, name);
    QFETCH(std::string, family);
    QCOMPARE(std::string(kernelFamily(name)), family);
}

void AnalysisTablesTest::namesWithoutARuleAreOther() {
    QVERIFY(kernelFamily("some_kernel_of_mine") == "other");
    QVERIFY(kernelFamily("") == "other");
    QVERIFY(kernelFamily("bytes \xff\xfe that are not text") == "other");
}

void AnalysisTablesTest::rulesSeeMangledAndDemangledNames() {
    const auto rules = KernelRules::fromJson(R"({"rules": [
        {"family": "letters", "pattern": "Li512E"},
        {"family": "readable", "pattern": "^void mine::add"}]})");
    QVERIFY(rules->family("_ZN4mine3addIfEEvT_") == "readable");
    QVERIFY(rules->family("_ZN4mine3addILi512EEEvv") == "letters");
    QVERIFY(rules->family("_ZN4mine3subIfEEvT_") == "other");
}

void AnalysisTablesTest::longNamesAreJudgedByTheirBeginning() {
    const std::string filler(1'000'000, 'x');
    QVERIFY(kernelFamily("ampere_sgemm_" + filler) == "gemm");
    QVERIFY(kernelFamily(filler + "_sgemm") == "other");
}

void AnalysisTablesTest::badRulesAreRefused_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("named");
    QTest::newRow("no JSON") << QByteArray("{") << QByteArray("not a list of rules");
    QTest::newRow("no rules") << QByteArray("{}") << QByteArray("rules");
    QTest::newRow("no pattern") << QByteArray(R"({"rules": [{"family": "a"}]})")
                                << QByteArray("pattern");
    QTest::newRow("bad pattern") << QByteArray(R"({"rules": [{"family": "a", "pattern": "(x"}]})")
                                 << QByteArray("\"(x\" of family a");
}

void AnalysisTablesTest::badRulesAreRefused() {
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, named);
    const auto rules = KernelRules::fromJson(json.toStdString());
    QVERIFY(!rules.has_value());
    QVERIFY2(QByteArray::fromStdString(rules.error().message).contains(named),
             rules.error().message.c_str());
}

void AnalysisTablesTest::inductorCategoriesByPrefix_data() {
    QTest::addColumn<QByteArray>("category");
    QTest::newRow("triton_poi_fused_0") << QByteArray("triton_pointwise");
    QTest::newRow("triton_red_fused_0") << QByteArray("triton_reduction");
    QTest::newRow("triton_per_fused_0") << QByteArray("triton_persistent_reduction");
    QTest::newRow("triton_for_fused_0") << QByteArray("foreach");
    QTest::newRow("triton_tem_fused_0") << QByteArray("template");
    QTest::newRow("triton_mm") << QByteArray("template");
    QTest::newRow("triton_spl_fused_0") << QByteArray("split_scan");
    QTest::newRow("triton_kernel") << QByteArray("triton_unknown");
    QTest::newRow("my_triton_poi") << QByteArray("unknown");
    QTest::newRow("Triton_poi") << QByteArray("unknown");
}

void AnalysisTablesTest::inductorCategoriesByPrefix() {
    QFETCH(QByteArray, category);
    QCOMPARE(QByteArray::fromStdString(std::string(inductorCategory(QTest::currentDataTag()))),
             category);
}

void AnalysisTablesTest::everyFigureIsExplainedOnce() {
    std::set<std::string_view> keys;
    for (const FigureText& figure : figureTexts()) {
        QVERIFY(keys.insert(figure.key).second);
        QVERIFY(explainFigure(figure.key) == &figure);
        QVERIFY(!figure.title.empty());
        QVERIFY2(figure.definition.ends_with('.'), std::string(figure.key).c_str());
        QVERIFY(figure.definition.find("  ") == std::string_view::npos);
    }
    for (const char* key : {"window_ns", "busy_ns", "kernel_busy_ns", "kernel_time_sum_ns",
                            "mm_conv_ns", "operator_ns", "name_ns", "layout_ns", "compute_ns",
                            "exposed_comm_ns", "exposed_copy_ns", "idle_ns", "percent_of_sum",
                            "count", "total_ns", "std_ns", "shapes", "utilization", "gpu_busy"}) {
        QVERIFY2(explainFigure(key) != nullptr, key);
    }
    QVERIFY(explainFigure("no such figure") == nullptr);
}

QTEST_APPLESS_MAIN(AnalysisTablesTest)
#include "AnalysisTablesTest.moc"
