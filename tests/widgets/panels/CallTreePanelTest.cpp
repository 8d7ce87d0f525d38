// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QToolButton>
#include "tests/Patience.h"

#include "tests/widgets/ShownPanel.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/calls/CallTreeView.h"
#include "widgets/calls/FlameGraph.h"
#include "widgets/models/details/DetailsModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::calls;
using namespace kinetoscope::calltree;
using namespace kinetoscope::models;
using namespace kinetoscope::panels;
using namespace kinetoscope::session;
using namespace kinetoscope::style;

namespace {

// A module's forward function launches a product, the backward thread two of its kernels.
constexpr const char* kTrace = R"({"traceEvents":[
{"ph":"X","cat":"python_function","name":"train.py(7): main","pid":9,"tid":9,"ts":0,"dur":500},
{"ph":"X","cat":"python_function","name":"nn.Module: Linear_0","pid":9,"tid":9,"ts":10,"dur":200},
{"ph":"X","cat":"python_function","name":"torch/nn/modules/linear.py(116): forward","pid":9,"tid":9,"ts":20,"dur":180},
{"ph":"X","cat":"cpu_op","name":"aten::linear","pid":9,"tid":9,"ts":30,"dur":150},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":40,"dur":130},
{"ph":"s","cat":"fwdbwd","name":"fwdbwd","id":3,"pid":9,"tid":9,"ts":35},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":60,"dur":10,
 "args":{"correlation":1}},
{"ph":"X","cat":"cpu_op","name":"AddmmBackward0","pid":9,"tid":10,"ts":300,"dur":150},
{"ph":"f","cat":"fwdbwd","name":"fwdbwd","id":3,"pid":9,"tid":10,"ts":300,"bp":"e"},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":10,"ts":310,"dur":100},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":10,"ts":320,"dur":10,
 "args":{"correlation":2}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":10,"ts":340,"dur":10,
 "args":{"correlation":3}},
{"ph":"X","cat":"kernel","name":"gemm_forward","pid":0,"tid":7,"ts":100,"dur":40,
 "args":{"correlation":1,"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"gemm_backward","pid":0,"tid":7,"ts":350,"dur":30,
 "args":{"correlation":2,"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"gemm_backward","pid":0,"tid":7,"ts":400,"dur":30,
 "args":{"correlation":3,"device":0,"stream":7}}
]})";

struct Shown : ShownPanel {
    explicit Shown(const QString& path) : ShownPanel("calltree") {
        window.docks().showPanel(QStringLiteral("calltree"));
        window.openFiles({path});
    }
    FlameGraph* flames() { return part<FlameGraph>("flameGraph"); }
    CallTreeView* rows(const char* name) { return part<CallTreeView>(name); }
    CallTreeModel& model(const char* name) {
        return *static_cast<CallTreeModel*>(rows(name)->model());
    }
    QString state() { return part<ElidedLabel>("state")->text(); }
    bool ready(const char* state) {
        return waitFor(
            [&] { return !window.docks().busy() && this->state() == QString::fromUtf8(state); },
            20'000);
    }
    void choose(const char* combo, int index) {
        auto* box = part<QComboBox>(combo);
        box->setCurrentIndex(index);
        emit box->activated(index);
    }
    /// Names with total, one a row, indented; rows that are open.
    QStringList lines(const char* name, const QModelIndex& parent = {}, int level = 0) {
        const CallTreeModel& rows = model(name);
        QStringList texts;
        for (int row = 0; row < rows.rowCount(parent); ++row) {
            const QModelIndex index = rows.index(row, 0, parent);
            texts += QString(level, ' ') + index.data().toString() + ' ' +
                     index.siblingAtColumn(CallTreeModel::Total).data().toString();
            texts += lines(name, index, level + 1);
        }
        return texts;
    }
    QStringList details() {
        auto* table = window.docks().panel("details")->findChild<DataTable*>();
        QStringList texts;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            texts += table->model()->index(row, 0).data().toString() + ": " +
                     table->model()->index(row, 1).data().toString();
        }
        return texts;
    }
    trace::SliceId slice(std::string_view name) {
        const trace::Trace& trace = *window.view().trace();
        for (trace::SliceId id = 0; id < trace.sliceCount(); ++id) {
            if (trace.name(id) == name) {
                return id;
            }
        }
        return trace::kNoSlice;
    }
};

constexpr int kTopDown = 1;
constexpr int kBottomUp = 2;
constexpr int kCallers = 3;
constexpr int kOperators = 1;
constexpr int kModules = 3;
constexpr int kCpu = 1;

}  // namespace

class CallTreePanelTest final : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_path;

private slots:
    void initTestCase() {
        applyTheme(ThemeChoice::Light);
        m_path = writeTrace(m_folder, kTrace);
        QVERIFY(!m_path.isEmpty());
    }
    void init() { failOnQtWarnings(); }

    void theFlameGraphShowsGpuTimeFirst() {
        Shown shown(m_path);
        QVERIFY(shown.ready("11 frames · 100.000 µs"));
        QTest::keyClick(shown.flames(), Qt::Key_Down);
        QVERIFY2(shown.state().startsWith("AddmmBackward0 · total 60.000 µs (60.00 %) · self 0 ns"),
                 qPrintable(shown.state()));
        QTest::keyClick(shown.flames(), Qt::Key_Return);
        auto* back = shown.part<QToolButton>("back");
        QVERIFY(back->isEnabled());
        back->click();
        QVERIFY(!back->isEnabled());
    }

    void framesAndTimeAreChosen() {
        Shown shown(m_path);
        QVERIFY(shown.ready("11 frames · 100.000 µs"));
        shown.choose("shown", kTopDown);
        shown.choose("frames", kOperators);
        QVERIFY(shown.ready("6 frames · 100.000 µs"));
        QCOMPARE(shown.lines("topDown"),
                 QStringList({"AddmmBackward0 60.000", " aten::mm 60.000", "  gemm_backward 60.000",
                              "aten::linear 40.000", " aten::mm 40.000", "  gemm_forward 40.000"}));
        shown.choose("frames", kModules);
        QVERIFY(shown.ready("3 frames · 100.000 µs"));
        shown.choose("time", kCpu);
        QVERIFY(shown.ready("1 frame · 200.000 µs"));
        QCOMPARE(shown.lines("topDown"), QStringList("nn.Module: Linear_0 200.000"));
    }

    void bottomUpAndCallersAreTrees() {
        Shown shown(m_path);
        shown.choose("frames", kOperators);
        shown.choose("shown", kBottomUp);
        QVERIFY(shown.ready("6 frames · 100.000 µs"));
        QCOMPARE(shown.lines("bottomUp"),
                 QStringList({"gemm_backward 60.000", " aten::mm 60.000", "  AddmmBackward0 60.000",
                              "gemm_forward 40.000", " aten::mm 40.000", "  aten::linear 40.000"}));
        shown.window.view().askForCalls(
            shown.window.view().trace()->nameId(shown.slice("aten::mm")));
        QTRY_COMPARE(shown.part<ElidedLabel>("callersTitle")->text(),
                     QString("Callers of aten::mm"));
        QCOMPARE(shown.part<QComboBox>("shown")->currentIndex(), kCallers);
        QCOMPARE(shown.lines("callers"), QStringList({"aten::mm 100.000", " AddmmBackward0 60.000",
                                                      " aten::linear 40.000"}));
        QCOMPARE(shown.lines("callees"), QStringList({"aten::mm 100.000", " gemm_backward 60.000",
                                                      " gemm_forward 40.000"}));
        // Another name is chosen by a click.
        const CallTreeModel& names = shown.model("names");
        int row = 0;
        while (names.index(row, 0).data().toString() != "aten::linear") {
            QVERIFY(++row < names.rowCount());
        }
        CallTreeView* view = shown.rows("names");
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
                          view->visualRect(names.index(row, 1)).center());
        QTRY_COMPARE(shown.part<ElidedLabel>("callersTitle")->text(),
                     QString("Callers of aten::linear"));
        QCOMPARE(shown.lines("callers"), QStringList("aten::linear 40.000"));
    }

    void aNameThatIsNoFrameIsLookedForElsewhere() {
        Shown shown(m_path);
        shown.choose("frames", kModules);
        shown.choose("time", kCpu);
        QVERIFY(shown.ready("1 frame · 200.000 µs"));
        const auto name = shown.window.view().trace()->nameId(shown.slice("gemm_forward"));
        shown.window.view().askForCalls(name);
        QTRY_COMPARE(shown.part<ElidedLabel>("callersTitle")->text(),
                     QString("Callers of gemm_forward"));
        QTRY_COMPARE(shown.part<QComboBox>("frames")->currentIndex(), 0);
        QTRY_COMPARE(shown.part<QComboBox>("time")->currentIndex(), 0);
    }

    void aDoubleClickGoesToTheLongest() {
        Shown shown(m_path);
        shown.choose("frames", kOperators);
        shown.choose("shown", kTopDown);
        QVERIFY(shown.ready("6 frames · 100.000 µs"));
        CallTreeView* view = shown.rows("topDown");
        const QPoint first = view->visualRect(shown.model("topDown").index(0, 1)).center();
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, first);
        QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, first);
        QCOMPARE(shown.selected(), std::string_view("AddmmBackward0"));
    }

    void theWindowIsFollowed() {
        Shown shown(m_path);
        shown.choose("frames", kOperators);
        QVERIFY(shown.ready("6 frames · 100.000 µs"));
        shown.window.view().setWindow(
            {analysis::WindowKind::Range, 0, {TimeNs{0}, TimeNs{200'000}}});
        QVERIFY(shown.ready("3 frames · 40.000 µs"));
    }

    void theSelectedRowsAreFollowed() {
        Shown shown(m_path);
        shown.choose("frames", kOperators);
        QVERIFY(shown.ready("6 frames · 100.000 µs"));
        const trace::TrackId backward =
            shown.window.view().trace()->trackOf(shown.slice("AddmmBackward0"));
        shown.window.view().selectRange(TimeSpan{0, 500'000}, {backward});
        QVERIFY(shown.ready("3 frames · 60.000 µs"));
        shown.window.view().selectRange(std::nullopt);
        QVERIFY(shown.ready("6 frames · 100.000 µs"));
    }

    void theFilterKeepsMatchingRows() {
        Shown shown(m_path);
        shown.choose("frames", kOperators);
        shown.choose("shown", kTopDown);
        QVERIFY(shown.ready("6 frames · 100.000 µs"));
        shown.part<QLineEdit>("filter")->setText("forward");
        QCOMPARE(shown.lines("topDown"),
                 QStringList({"aten::linear 40.000", " aten::mm 40.000", "  gemm_forward 40.000"}));
        QVERIFY(shown.rows("topDown")->isExpanded(shown.model("topDown").index(0, 0)));
    }

    void detailsOfAKernelNameEverythingAroundItsLaunch() {
        Shown shown(m_path);
        QVERIFY(shown.ready("11 frames · 100.000 µs"));
        shown.window.view().select(shown.slice("gemm_forward"));
        const QStringList forward = shown.details();
        for (const char* line :
             {"Launched by: cudaLaunchKernel  (10.000 µs)", "Operator: aten::mm  (130.000 µs)",
              "Module: nn.Module: Linear_0  (200.000 µs)",
              "Python line: train.py(7): main  (500.000 µs)",
              "Operator: aten::linear  (150.000 µs)",
              "Python: torch/nn/modules/linear.py(116): forward  (180.000 µs)"}) {
            QVERIFY2(forward.contains(line), qPrintable(line + ("\n" + forward.join('\n'))));
        }
        QVERIFY(!forward.join('\n').contains("Forward operator"));
        shown.window.view().select(shown.slice("gemm_backward"));
        const QStringList backward = shown.details();
        for (const char* line :
             {"Operator: aten::mm  (100.000 µs)", "Forward operator: aten::linear  (150.000 µs)",
              "Module: nn.Module: Linear_0  (200.000 µs)",
              "Python line: train.py(7): main  (500.000 µs)",
              "Operator: AddmmBackward0  (150.000 µs)"}) {
            QVERIFY2(backward.contains(line), qPrintable(line + ("\n" + backward.join('\n'))));
        }
    }

    void detailsLeadToTheCallTree() {
        Shown shown(m_path);
        QVERIFY(shown.ready("11 frames · 100.000 µs"));
        shown.window.docks().showPanel("kernels");
        shown.window.view().select(shown.slice("gemm_forward"));
        auto* table = shown.window.docks().panel("details")->findChild<DataTable*>();
        const auto row = shown.details().indexOf("Operator: aten::linear  (150.000 µs)");
        QVERIFY(row > 0);
        table->setCurrentIndex(table->model()->index(static_cast<int>(row), 1));
        QVERIFY(!table->actions().isEmpty());
        table->actions().first()->trigger();
        QTRY_COMPARE(shown.part<ElidedLabel>("callersTitle")->text(),
                     QString("Callers of aten::linear"));
        QTRY_VERIFY(shown.rows("callers")->isVisible());
    }

    void detailsOfAnOperatorListItsGpuWork() {
        Shown shown(m_path);
        QVERIFY(shown.ready("11 frames · 100.000 µs"));
        shown.window.view().select(shown.slice("AddmmBackward0"));
        const QStringList lines = shown.details();
        QVERIFY2(lines.contains("Operations: 2"), qPrintable(lines.join('\n')));
        QVERIFY(lines.contains("Time, summed up: 60.000 µs  (60,000 ns)"));
        const auto longest = lines.indexOf("Longest: 30.000 µs  gemm_backward");
        QVERIFY(longest > 0);
        auto* table = shown.window.docks().panel("details")->findChild<DataTable*>();
        table->scrollTo(table->model()->index(static_cast<int>(longest), 1));
        QTest::mouseClick(
            table->viewport(), Qt::LeftButton, {},
            table->visualRect(table->model()->index(static_cast<int>(longest), 1)).center());
        QCOMPARE(shown.selected(), std::string_view("gemm_backward"));
    }
};

QTEST_MAIN(CallTreePanelTest)
#include "CallTreePanelTest.moc"
