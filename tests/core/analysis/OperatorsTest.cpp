// SPDX-License-Identifier: Apache-2.0
#include <QtTest>

#include "core/analysis/OperatorShapes.h"
#include "core/analysis/Operators.h"
#include "core/report/OperatorText.h"
#include "core/stream/TorchRange.h"
#include "tests/core/AnalysisFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::report;
using namespace kinetoscope::stream;
using namespace kinetoscope::trace;
using namespace kinetoscope::analysis_test;

namespace {

OperatorTable tableOf(TraceMaker& maker, const OperatorOptions& options = {}) {
    auto table = makeOperatorTable(*maker.finish(), options);
    return table ? std::move(*table) : OperatorTable();
}

const OperatorRow* rowOf(const OperatorTable& table, std::string_view name, bool onGpu = false) {
    const auto found = std::ranges::find_if(
        table.rows, [&](const OperatorRow& row) { return row.name == name && row.onGpu == onGpu; });
    return found == table.rows.end() ? nullptr : &*found;
}

// Operator texts by their place in the trace.
class Texts final : public EventText {
public:
    explicit Texts(bool gone = false) : m_gone(gone) {}
    [[nodiscard]] Result<std::string> event(std::uint64_t) const override {
        return fail("nobody asks for it");
    }
    [[nodiscard]] Result<void> argument(std::span<const std::uint64_t> offsets,
                                        std::string_view key,
                                        const TakeValue& take) const override {
        if (m_gone) {
            return fail("the file is gone");
        }
        for (std::size_t i = 0; i < offsets.size() && key == "Input Dims"; ++i) {
            take(i, "[[4096, 1024], [], [[2], [3]], [-1]]");
        }
        return {};
    }

private:
    bool m_gone;
};

}  // namespace

class OperatorsTest final : public QObject {
    Q_OBJECT

private slots:
    void selfTimesLeaveOutWhatIsInside();
    void spansThatOnlyOverlapAreNotNested();
    void gpuWorkBelongsToTheOperatorOfItsId();
    void launchTellsTheIdOfWorkWithoutOne();
    void callsGoToTheThreadOfTheirOperator();
    void idsOfLaunchesNameNoOperators();
    void rowsStandAsTheyFirstHappened();
    void wrappersOfTheSameNameAreOne();
    void annotationsAreNoPartOfTheGpuSum();
    void shapesArePrintedAsPythonDoes();
    void byNameAloneTheTextIsNotRead();
    void rowsKnowTheirFirstAndTheirLongest();
    void aWindowTakesWhatStartsInIt();
    void textCutsNamesAndShapes();
    void textWithoutGpuHasFewerColumns();
    void torchRangesAreTakenApart_data();
    void torchRangesAreTakenApart();
};

void OperatorsTest::selfTimesLeaveOutWhatIsInside() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "outer", 0, 10'000);
    maker.cpu(Category::CpuOp, "inner", 1'000, 4'000);
    maker.cpu(Category::CpuOp, "leaf", 2'000, 1'000);
    maker.cpu(Category::CpuOp, "inner", 6'000, 2'000);
    maker.cpu(Category::CpuOp, "outer", 20'000, 500, {.tid = 101});
    const OperatorTable table = tableOf(maker);
    QCOMPARE(table.rows.size(), 3U);
    QCOMPARE(rowOf(table, "outer")->count, 2U);
    QCOMPARE(rowOf(table, "outer")->cpuUs, 10.5);
    QCOMPARE(rowOf(table, "outer")->selfCpuUs, 4.5);
    QCOMPARE(rowOf(table, "inner")->selfCpuUs, 5.0);
    QCOMPARE(table.selfCpuUs, 10.5);
}

void OperatorsTest::spansThatOnlyOverlapAreNotNested() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "first", 0, 5'000);
    maker.cpu(Category::CpuOp, "second", 4'000, 5'000);
    maker.cpu(Category::CpuOp, "third", 9'000, 1'000);
    const OperatorTable table = tableOf(maker);
    QCOMPARE(rowOf(table, "first")->selfCpuUs, 5.0);
    QCOMPARE(rowOf(table, "second")->selfCpuUs, 5.0);
}

void OperatorsTest::gpuWorkBelongsToTheOperatorOfItsId() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "outer", 0, 10'000, {.externalId = 1});
    maker.cpu(Category::CpuOp, "inner", 1'000, 4'000, {.externalId = 2});
    maker.kernel("k", 20'000, 3'000, {.externalId = 2});
    maker.kernel("k", 24'000, 1'000, {.externalId = 1});
    const OperatorTable table = tableOf(maker);
    QCOMPARE(rowOf(table, "outer")->selfGpuUs, 1.0);
    QCOMPARE(rowOf(table, "outer")->gpuUs, 4.0);
    QCOMPARE(rowOf(table, "inner")->selfGpuUs, 3.0);
    QCOMPARE(rowOf(table, "k", true)->selfGpuUs, 4.0);
    QCOMPARE(table.selfGpuUs, 4.0);
    QCOMPARE(table.rows.front().name, std::string("k"));
}

void OperatorsTest::launchTellsTheIdOfWorkWithoutOne() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "op", 0, 10'000, {.externalId = 5});
    maker.cpu(Category::Runtime, "cudaLaunchKernel", 100, 50, {.correlation = 9, .externalId = 5});
    maker.kernel("k", 20'000, 3'000, {.correlation = 9});
    maker.kernel("k", 30'000, 3'000, {.correlation = 10});
    QCOMPARE(rowOf(tableOf(maker), "op")->selfGpuUs, 3.0);
}

void OperatorsTest::callsGoToTheThreadOfTheirOperator() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "op", 0, 10'000, {.tid = 100, .externalId = 5});
    maker.cpu(Category::Runtime, "cudaLaunchKernel", 100, 50, {.tid = 7, .externalId = 5});
    QCOMPARE(rowOf(tableOf(maker), "op")->selfCpuUs, 9.95);
}

// On ROCm until 2024 the ids are those of launches, and operators have others.
void OperatorsTest::idsOfLaunchesNameNoOperators() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "op", 0, 10'000, {.externalId = 1001});
    maker.cpu(Category::CpuOp, "other", 20'000, 10'000, {.externalId = 5});
    maker.cpu(Category::Runtime, "hipLaunchKernel", 100, 50, {.externalId = 5});
    maker.kernel("k", 20'000, 3'000, {.externalId = 5});
    const OperatorTable table = tableOf(maker);
    QCOMPARE(rowOf(table, "op")->selfGpuUs, 3.0);
    QCOMPARE(rowOf(table, "op")->selfCpuUs, 9.95);
    QCOMPARE(rowOf(table, "other")->selfGpuUs, 0.0);
}

// Rows of equal GPU time stand as they first happened, the GPU's among the others.
void OperatorsTest::rowsStandAsTheyFirstHappened() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "late", 5'000, 100);
    maker.kernel("k", 3'000, 0);
    maker.cpu(Category::CpuOp, "short", 1'000, 100, {.tid = 101});
    maker.cpu(Category::CpuOp, "long", 1'000, 200);
    std::vector<std::string> names;
    for (const OperatorRow& row : tableOf(maker).rows) {
        names.push_back(row.name);
    }
    QCOMPARE(names, (std::vector<std::string>{"long", "short", "k", "late"}));
}

void OperatorsTest::wrappersOfTheSameNameAreOne() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "f", 0, 10'000, {.externalId = 1});
    maker.cpu(Category::CpuOp, "f", 1'000, 8'000, {.externalId = 2});
    maker.cpu(Category::CpuOp, "f", 2'000, 6'000, {.externalId = 3});
    maker.cpu(Category::CpuOp, "g", 3'000, 1'000);
    maker.kernel("k", 20'000, 3'000, {.externalId = 3});
    const OperatorTable table = tableOf(maker);
    QCOMPARE(rowOf(table, "f")->count, 1U);
    QCOMPARE(rowOf(table, "f")->selfCpuUs, 9.0);
    QCOMPARE(rowOf(table, "f")->selfGpuUs, 3.0);
}

void OperatorsTest::annotationsAreNoPartOfTheGpuSum() {
    TraceMaker maker;
    maker.cpu(Category::UserAnnotation, "ProfilerStep#3", 0, 10'000, {.externalId = 1});
    maker.cpu(Category::UserAnnotation, "ProfilerStep#4", 10'000, 10'000, {.externalId = 2});
    maker.cpu(Category::GpuUserAnnotation, "ProfilerStep#3", 0, 9'000,
              {.tid = 7, .pid = 0, .externalId = 1});
    maker.kernel("k", 1'000, 3'000);
    const OperatorTable table = tableOf(maker);
    QCOMPARE(table.selfGpuUs, 3.0);
    QCOMPARE(rowOf(table, "ProfilerStep*")->count, 2U);
    QCOMPARE(rowOf(table, "ProfilerStep*")->selfGpuUs, 0.0);
    QCOMPARE(rowOf(table, "ProfilerStep*", true)->selfGpuUs, 9.0);
}

void OperatorsTest::shapesArePrintedAsPythonDoes() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "op", 0, 10'000);
    maker.builder().setEventText(std::make_shared<Texts>());
    QCOMPARE(rowOf(tableOf(maker), "op")->shapes, std::string("[[4096, 1024], [], [], [-1]]"));
    QCOMPARE(inputShapes("{}"), std::string("[]"));
    QCOMPARE(inputShapes("[[1], "), std::string("[]"));
    QCOMPARE(inputShapes(R"(["", null, [1.5]])"), std::string("[[], [], []]"));
}

void OperatorsTest::byNameAloneTheTextIsNotRead() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "op", 0, 10'000);
    maker.cpu(Category::CpuOp, "op", 20'000, 5'000);
    maker.builder().setEventText(std::make_shared<Texts>(true));
    const auto trace = maker.finish();
    QVERIFY(!makeOperatorTable(*trace).has_value());
    const auto table = makeOperatorTable(*trace, {.byShape = false});
    QVERIFY(table.has_value());
    QCOMPARE(table->rows.size(), 1U);
    QCOMPARE(table->rows[0].count, 2U);
    QCOMPARE(table->rows[0].shapes, std::string("[]"));
}

void OperatorsTest::rowsKnowTheirFirstAndTheirLongest() {
    TraceMaker maker;
    const SliceId later = maker.cpu(Category::CpuOp, "op", 20'000, 8'000);
    const SliceId first = maker.cpu(Category::CpuOp, "op", 0, 5'000);
    maker.cpu(Category::CpuOp, "op", 40'000, 8'000);
    const OperatorTable table = tableOf(maker);
    QCOMPARE(rowOf(table, "op")->first, first);
    QCOMPARE(rowOf(table, "op")->longest, later);
}

void OperatorsTest::aWindowTakesWhatStartsInIt() {
    TraceMaker maker;
    maker.cpu(Category::UserAnnotation, "ProfilerStep#1", 0, 10'000);
    maker.cpu(Category::CpuOp, "op", 1'000, 4'000, {.externalId = 1});
    maker.cpu(Category::UserAnnotation, "ProfilerStep#2", 10'000, 10'000);
    maker.cpu(Category::CpuOp, "op", 11'000, 6'000, {.externalId = 2});
    maker.cpu(Category::CpuOp, "inner", 16'000, 500);
    maker.kernel("k", 12'000, 3'000, {.externalId = 1});
    maker.kernel("k", 18'000, 50'000, {.externalId = 2});
    const auto trace = maker.finish();
    const auto of = [&](const WindowChoice& window) {
        return makeOperatorTable(*trace, {.window = window}).value_or(OperatorTable());
    };
    const OperatorTable second = of({WindowKind::Step, 2, {}});
    QCOMPARE(rowOf(second, "op")->count, 1U);
    QCOMPARE(rowOf(second, "op")->selfCpuUs, 5.5);
    QCOMPARE(rowOf(second, "op")->selfGpuUs, 50.0);
    QCOMPARE(rowOf(second, "k", true)->count, 2U);
    QCOMPARE(second.selfCpuUs, 10.0);
    // What an operator has inside counts, in the window or not.
    const OperatorTable part = of({WindowKind::Range, 0, {500, 12'000}});
    QCOMPARE(rowOf(part, "op")->count, 2U);
    QCOMPARE(rowOf(part, "op")->gpuUs, 53.0);
    QCOMPARE(rowOf(part, "op")->selfCpuUs, 9.5);
    QVERIFY(rowOf(part, "inner") == nullptr);
    QVERIFY(rowOf(part, "k", true) == nullptr);
    QCOMPARE(of({}).rows.size(), of({WindowKind::Trace, 0, {}}).rows.size());
    QVERIFY(!makeOperatorTable(*trace, {.window = {WindowKind::Step, 9, {}}}));
}

void OperatorsTest::textCutsNamesAndShapes() {
    OperatorTable table;
    OperatorRow row;
    row.name = std::string(52, 'n');
    row.shapes = std::string(90, 's');
    row.count = 4;
    row.cpuUs = row.selfCpuUs = 1'500'000.0;
    row.selfGpuUs = row.gpuUs = 2.5;
    table.rows = {row, row};
    table.rows[1].name = std::string(51, 'n');
    table.selfCpuUs = 3'000'000.0;
    const QStringList lines = QString::fromStdString(operatorText(table, 2)).split('\n');
    QCOMPARE(lines.size(), 9);
    QVERIFY(lines[3].startsWith(QString(52, 'n') + "...        50.00%        1.500s"));
    QVERIFY(lines[4].startsWith("    " + QString(51, 'n') + "        50.00%"));
    QVERIFY(lines[3].contains("375.000ms       2.500us           NaN       2.500us"));
    QVERIFY(lines[3].endsWith("4  " + QString(80, 's') + "  "));
    QCOMPARE(lines[7], QString("Self CUDA time total: 0.000us"));
}

void OperatorsTest::textWithoutGpuHasFewerColumns() {
    TraceMaker maker;
    maker.cpu(Category::CpuOp, "op", 0, 10'000);
    const QString text = QString::fromStdString(operatorText(tableOf(maker)));
    QVERIFY(!text.contains("CUDA"));
    QVERIFY(!text.contains("Input Shapes"));
    QVERIFY(operatorText(OperatorTable{}).empty());
}

void OperatorsTest::torchRangesAreTakenApart_data() {
    QTest::addColumn<QString>("range");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("shapes");
    QTest::newRow("whole")
        << "aten::mm, seq = 3, op_id = 12, sizes = [[4, 5], [], [7]], input_op_ids = [(1,0)]"
        << "aten::mm"
        << "[[4, 5], [], [7]]";
    QTest::newRow("no shapes") << "my range, op_id = 5"
                               << "my range"
                               << "";
    QTest::newRow("comma in the name") << "f(a, b), op_id = 5, sizes = [[1]]"
                                       << "f(a, b)"
                                       << "[[1]]";
    QTest::newRow("cut") << "aten::cat, op_id = 5, sizes = [[1], [2, 3], [4, "
                         << "aten::cat"
                         << "[[1], [2, 3]]";
    QTest::newRow("hostile") << R"(x, sizes = [[1"], "a": [2]])"
                             << "x"
                             << "";
    QTest::newRow("other range") << "step 3, of 5"
                                 << ""
                                 << "";
    QTest::newRow("nearly") << "copy, op_id = "
                            << ""
                            << "";
}

void OperatorsTest::torchRangesAreTakenApart() {
    QFETCH(QString, range);
    const std::string text = range.toStdString();
    const auto parsed = parseTorchRange(text);
    QTEST(parsed ? QString::fromUtf8(parsed->name.data(), static_cast<int>(parsed->name.size()))
                 : QString(),
          "name");
    QTEST(parsed ? QString::fromStdString(parsed->inputShapes) : QString(), "shapes");
}

QTEST_APPLESS_MAIN(OperatorsTest)
#include "OperatorsTest.moc"
