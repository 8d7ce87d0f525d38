// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <algorithm>

#include "core/compare/KernelMatch.h"
#include "core/compare/MatchRules.h"
#include "core/compare/Pairing.h"
#include "tests/core/AnalysisFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::compare;
using namespace kinetoscope::stats;
using namespace kinetoscope::trace;
using namespace kinetoscope::analysis_test;

namespace {

constexpr std::string_view kGelu =
    "void at::native::vectorized_elementwise_kernel<4, at::native::GeluFunctor<float> >(int)";
constexpr std::string_view kAdd =
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float> >(int)";

/// Operators that launch kernels, one after the other, 1 ms apart.
class Program {
public:
    void step(std::int64_t number) {
        m_maker.annotation("ProfilerStep#" + std::to_string(number), m_now, kStep);
        m_stepEnd = m_now + kStep;
    }
    void endStep() { m_now = m_stepEnd + 1000; }

    void launch(std::string_view op, std::string_view shapes,
                std::initializer_list<std::pair<std::string_view, TimeNs>> kernels,
                std::uint32_t grid = 1) {
        const SliceId slice = m_maker.cpu(Category::CpuOp, op, m_now, 900);
        if (!shapes.empty()) {
            m_shapes[slice] = shapes;
        }
        TimeNs at = m_now;
        for (const auto& [name, duration] : kernels) {
            m_maker.api(at + 10, 10, ++m_correlation);
            m_maker.kernel(name, at + 100, duration, {.correlation = m_correlation, .grid = grid});
            at += 200;
        }
        m_now += 1000;
    }
    ComparedRun run() { return makeComparedRun(m_maker.finish()).value(); }
    [[nodiscard]] const InputShapes& shapes() const { return m_shapes; }

private:
    static constexpr TimeNs kStep = 100'000;
    TraceMaker m_maker;
    InputShapes m_shapes;
    TimeNs m_now = 0;
    TimeNs m_stepEnd = 0;
    std::int64_t m_correlation = 0;
};

KernelMatches match(Program& base, Program& candidate, MatchKind most = MatchKind::Operator) {
    const BothShapes shapes{base.shapes(), candidate.shapes()};
    return matchKernels(base.run(), candidate.run(), most, shapes);
}

/// "name kind baseLaunches:candidateLaunches", sorted.
QStringList rowsOf(const KernelMatches& matches) {
    QStringList rows;
    for (const MatchedKernels& row : matches.rows) {
        const auto launches = [](const std::vector<MatchedUnit>& units) {
            std::uint32_t sum = 0;
            for (const MatchedUnit& unit : units) {
                sum += unit.launches;
            }
            return sum;
        };
        rows << QString("%1 %2 %3:%4")
                    .arg(QString::fromStdString(row.name),
                         QString::fromStdString(std::string(matchName(row.kind))))
                    .arg(launches(row.units.base))
                    .arg(launches(row.units.candidate));
    }
    rows.sort();
    return rows;
}

std::ptrdiff_t unmatched(const std::vector<std::uint32_t>& rows) {
    return std::ranges::count(rows, kNoRow);
}

}  // namespace

class CompareMatchTest : public QObject {
    Q_OBJECT

private slots:
    void everyRuleTurnsItsExamples_data() {
        QTest::addColumn<int>("rule");
        for (std::size_t i = 0; i < MatchRules::builtin().rules().size(); ++i) {
            QTest::newRow(MatchRules::builtin().rules()[i].name.c_str()) << static_cast<int>(i);
        }
    }
    void everyRuleTurnsItsExamples() {
        QFETCH(int, rule);
        const auto at = static_cast<std::size_t>(rule);
        const NameRule& row = MatchRules::builtin().rules()[at];
        QVERIFY(row.examples.size() >= 1 && row.nots.size() >= 1);
        for (const auto& [before, after] : row.examples) {
            QCOMPARE(MatchRules::builtin().apply(at, before), after);
        }
        for (const std::string& name : row.nots) {
            QCOMPARE(MatchRules::builtin().apply(at, name), name);
        }
    }

    void normalisedNames_data() {
        QTest::addColumn<QString>("one");
        QTest::addColumn<QString>("other");
        QTest::addColumn<bool>("same");
        QTest::newRow("element types")
            << "void at::native::elementwise<4, at::native::Add<float> >(int)"
            << "void at::native::elementwise<8, at::native::Add<c10::BFloat16> >(int)" << true;
        QTest::newRow("another functor")
            << "void at::native::elementwise<4, at::native::Add<float> >(int)"
            << "void at::native::elementwise<4, at::native::Mul<float> >(int)" << false;
        QTest::newRow("tiles") << "nvjet_sm90_hsh_64x64_64x13_2x1_v_bz_NTT"
                               << "nvjet_sm90_hsh_128x256_64x4_1x2_v_bz_NTT" << true;
        QTest::newRow("layouts") << "nvjet_sm90_hsh_64x64_64x13_2x1_v_bz_NTT"
                                 << "nvjet_sm90_hsh_64x64_64x13_2x1_v_bz_TNN" << false;
        QTest::newRow("counters") << "triton_poi_fused_add_3"
                                  << "triton_poi_fused_add_11" << true;
        QTest::newRow("adjacent ids") << "fused_kernel_3fa09b7c21de_7f00a1b2c3d4"
                                      << "fused_kernel_80c2e19d4f7a_55d0c0ffee12" << true;
        QTest::newRow("more ids") << "fused_kernel_3fa09b7c21de_7f00a1b2c3d4"
                                  << "fused_kernel_3fa09b7c21de" << false;
        QTest::newRow("other work") << "triton_poi_fused_add_3"
                                    << "triton_poi_fused_mul_3" << false;
    }
    void normalisedNames() {
        QFETCH(QString, one);
        QFETCH(QString, other);
        QFETCH(bool, same);
        const auto name = [](const QString& text) {
            return MatchRules::builtin().normalised(text.toStdString());
        };
        QCOMPARE(name(one) == name(other), same);
    }

    void wrongRulesAreNamed() {
        const auto rules = MatchRules::fromJson(
            "{\"rules\": [{\"name\": \"odd\", \"pattern\": \"[\", \"replace\": \"\","
            " \"examples\": []}], \"fusions\": {}}");
        QVERIFY(!rules);
        QVERIFY(rules.error().message.find("odd") != std::string::npos);
        QVERIFY(!MatchRules::fromJson("[]"));
    }

    void exactBeforeNormalised() {
        Program base;
        Program candidate;
        for (Program* program : {&base, &candidate}) {
            program->launch("aten::gelu", "[[4]]", {{"triton_poi_fused_gelu_1", 10}});
        }
        base.launch("aten::add", "[[4]]", {{"triton_poi_fused_add_2", 10}});
        candidate.launch("aten::add", "[[4]]", {{"triton_poi_fused_add_5", 10}});
        QCOMPARE(rowsOf(match(base, candidate)),
                 (QStringList{"triton_poi_fused_add normalised 1:1",
                              "triton_poi_fused_gelu_1 exact 1:1"}));
    }

    void matchEndsWhereItIsTold() {
        Program base;
        Program candidate;
        base.launch("aten::add", "[[4]]", {{"triton_poi_fused_add_2", 10}});
        base.launch("aten::mm", "[[8,8]]", {{"gemm_a", 10}});
        candidate.launch("aten::add", "[[4]]", {{"triton_poi_fused_add_5", 10}});
        candidate.launch("aten::mm", "[[8,8]]", {{"gemm_b", 10}});
        const ComparedRun one = base.run();
        const ComparedRun two = candidate.run();
        QCOMPARE(rowsOf(matchKernels(one, two, MatchKind::Exact)), QStringList());
        const auto byName = matchKernels(one, two, MatchKind::Normalised);
        QCOMPARE(rowsOf(byName), QStringList{"triton_poi_fused_add normalised 1:1"});
        QCOMPARE(unmatched(byName.rowOf.base), 1);
        QCOMPARE(unmatched(byName.rowOf.candidate), 1);
        const auto all = matchKernels(one, two, MatchKind::Operator);
        QCOMPARE(rowsOf(all),
                 (QStringList{"aten::mm operator 1:1", "triton_poi_fused_add normalised 1:1"}));
    }

    // Without template arguments all elementwise kernels are one; operators keep them apart.
    void bareNamesNeedTheSameOperator() {
        Program base;
        Program candidate;
        base.launch("aten::gelu", "", {{"void run<Gelu, Old>(int)", 10}});
        candidate.launch("aten::gelu", "", {{"void run<Gelu, New>(int)", 10}});
        candidate.launch("aten::mul", "", {{"void run<Mul, New>(int)", 10}});
        const auto matches = match(base, candidate, MatchKind::Normalised);
        QCOMPARE(rowsOf(matches), QStringList{"run normalised 1:1"});
        QCOMPARE(unmatched(matches.rowOf.candidate), 1);
    }

    // cuBLAS chose another kernel for one of two shapes: that shape is a row of its own.
    void shapesThatChangedTheirKernelLeaveTheExactRow() {
        Program base;
        Program candidate;
        base.launch("aten::mm", "[[8,8]]", {{"gemm_a", 10}});
        base.launch("aten::mm", "[[64,64]]", {{"gemm_a", 40}});
        candidate.launch("aten::mm", "[[8,8]]", {{"gemm_a", 10}});
        candidate.launch("aten::mm", "[[64,64]]", {{"gemm_b", 20}, {"reduce_b", 5}});
        const auto matches = match(base, candidate);
        QCOMPARE(rowsOf(matches), (QStringList{"aten::mm operator 1:2", "gemm_a exact 1:1"}));
        // The call is what is timed: 40 against 20 + 5.
        const MatchedKernels& row = matches.rows[1];
        QCOMPARE(row.units.candidate.size(), std::size_t{1});
        QCOMPARE(row.units.candidate[0].ns, 25.0);
    }

    // The same without shapes: nothing says that one of the launches is another one.
    void unknownShapesKeepTheExactRow() {
        Program base;
        Program candidate;
        base.launch("aten::mm", "", {{"gemm_a", 10}});
        base.launch("aten::mm", "", {{"gemm_a", 40}});
        candidate.launch("aten::mm", "", {{"gemm_a", 10}});
        QCOMPARE(rowsOf(match(base, candidate)), QStringList{"gemm_a exact 2:1"});
    }

    void fusedKernelsFindWhatTheyReplaced() {
        Program base;
        Program candidate;
        for (std::int64_t step = 0; step < 3; ++step) {
            base.step(step);
            candidate.step(step);
            base.launch("aten::mm", "[[8,64]]", {{"gemm", 100}});
            base.launch("aten::add", "[[8,64],[8,64]]", {{kAdd, 20}});
            base.launch("aten::gelu", "[[8,64]]", {{kGelu, 30}});
            base.launch("aten::mm", "[[8,16]]", {{"gemm", 50}});
            base.launch("aten::add_", "[[8,16],[8,16]]", {{kAdd, 7}});
            base.launch("aten::tanh", "[[8,16]]", {{"tanh_kernel", 3}});
            candidate.launch("aten::mm", "[[8,64]]", {{"gemm", 100}});
            candidate.launch("triton_poi_fused_add_gelu_0", "[[8,64],[8,64],[]]",
                             {{"triton_poi_fused_add_gelu_0", 25}});
            candidate.launch("aten::mm", "[[8,16]]", {{"gemm", 50}});
            candidate.launch("triton_poi_fused_add_1", "[[8,16],[]]",
                             {{"triton_poi_fused_add_1", 6}});
            base.endStep();
            candidate.endStep();
        }
        const auto matches = match(base, candidate);
        QCOMPARE(rowsOf(matches),
                 (QStringList{"gemm exact 6:6", "triton_poi_fused_add operator 3:3",
                              "triton_poi_fused_add_gelu operator 6:3"}));
        QCOMPARE(unmatched(matches.rowOf.base), 3);  // tanh
        for (const MatchedKernels& row : matches.rows) {
            const auto pairs = pairUnits(row);
            if (row.name == "triton_poi_fused_add_gelu") {
                QCOMPARE(pairs.size(), std::size_t{3});
                QCOMPARE(row.units.base[pairs[1].base].ns, 50.0);
                QCOMPARE(row.units.candidate[pairs[1].candidate].ns, 25.0);
            }
        }
    }

    void aFusedBaselineIsTakenApart() {
        Program base;
        Program candidate;
        base.launch("triton_poi_fused_add_gelu_0", "[[8,64],[]]",
                    {{"triton_poi_fused_add_gelu_0", 25}});
        candidate.launch("aten::add", "[[8,64],[8,64]]", {{kAdd, 20}});
        candidate.launch("aten::gelu", "[[8,64]]", {{kGelu, 30}});
        QCOMPARE(rowsOf(match(base, candidate)),
                 QStringList{"triton_poi_fused_add_gelu operator 1:2"});
    }

    // A backward operator's name holds the forward one's.
    void forwardIsNotBackward() {
        Program base;
        Program candidate;
        base.launch("aten::gelu", "[[8,64]]", {{kGelu, 20}});
        candidate.launch("triton_poi_fused_gelu_backward_0", "[[8,64],[]]",
                         {{"triton_poi_fused_gelu_backward_0", 25}});
        QCOMPARE(rowsOf(match(base, candidate)), QStringList());
    }

    // Two kernels name the operator: the one that works on as many elements gets it.
    void sizesDecideBetweenFusedKernels() {
        Program base;
        Program candidate;
        base.launch("aten::add", "[[8,64]]", {{kAdd, 20}});
        candidate.launch("triton_poi_fused_add_mul_0", "[[4,4],[]]",
                         {{"triton_poi_fused_add_mul_0", 5}});
        candidate.launch("triton_poi_fused_add_sub_1", "[[512],[]]",
                         {{"triton_poi_fused_add_sub_1", 25}});
        QCOMPARE(rowsOf(match(base, candidate)),
                 QStringList{"triton_poi_fused_add_sub operator 1:1"});
    }

    void pairsAreOfOneStepAndOrdinal() {
        Program base;
        Program candidate;
        for (Program* program : {&base, &candidate}) {
            const TimeNs add = program == &base ? 0 : 1;
            for (std::int64_t step = 0; step < 2; ++step) {
                program->step(step);
                program->launch("aten::a", "", {{"k", 100 + 10 * step + add}});
                // One launch more in the first step of the candidate, of another shape.
                if (step == 0 && program == &candidate) {
                    program->launch("aten::b", "", {{"k", 777}}, 9);
                }
                program->launch("aten::a", "", {{"k", 200 + 10 * step + add}});
                program->endStep();
            }
        }
        const auto matches = match(base, candidate, MatchKind::Exact);
        const MatchedKernels& row = matches.rows.at(0);
        QStringList found;
        for (const UnitPair& pair : pairUnits(row)) {
            found << QString("%1-%2")
                         .arg(row.units.base[pair.base].ns)
                         .arg(row.units.candidate[pair.candidate].ns);
        }
        found.sort();
        QCOMPARE(found, (QStringList{"100-101", "110-111", "200-201", "210-211"}));
        QVERIFY(!pairedTimes(row, pairUnits(row)).identical);
    }

    void equalSequencesAreIdentical() {
        Program base;
        Program candidate;
        Program shorter;
        for (Program* program : {&base, &candidate, &shorter}) {
            program->launch("aten::a", "", {{"k", 100}});
            if (program != &shorter) {
                program->launch("aten::a", "", {{"k", 0}});
            }
        }
        const ComparedRun one = base.run();
        const auto same = matchKernels(one, candidate.run(), MatchKind::Exact);
        const PairedTimes times = pairedTimes(same.rows[0], pairUnits(same.rows[0]));
        QVERIFY(times.identical);
        QCOMPARE(times.base.size(), std::size_t{1});  // 0 has no ratio
        const auto less = matchKernels(one, shorter.run(), MatchKind::Exact);
        QVERIFY(!pairedTimes(less.rows[0], pairUnits(less.rows[0])).identical);
    }

    void elementCountsOfShapes() {
        QCOMPARE(elementCounts("[[16,128,768],[768],[],[1],[[2,3],[768]]]"),
                 (std::vector<std::uint64_t>{6, 768, 1572864}));
        QVERIFY(elementCounts("").empty());
    }

    void operatorNames() {
        QCOMPARE(plainOperator("aten::add_"), std::string_view("add"));
        QCOMPARE(plainOperator("aten::_softmax"), std::string_view("_softmax"));
        QCOMPARE(fusedPart("triton_red_fused_add_native_layer_norm_12"),
                 std::string_view("add_native_layer_norm"));
        QCOMPARE(fusedPart("triton_mm"), std::string_view());
        const auto names = MatchRules::builtin().fusedNames("aten::copy_");
        QVERIFY(std::ranges::find(names, "_to_copy") != names.end());
    }
};

QTEST_APPLESS_MAIN(CompareMatchTest)
#include "CompareMatchTest.moc"
