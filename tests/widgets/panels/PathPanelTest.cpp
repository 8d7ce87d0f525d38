// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QToolButton>
#include "tests/Patience.h"

#include "tests/widgets/ShownPanel.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/path/PartBar.h"
#include "widgets/style/WindowStyle.h"
#include "widgets/timeline/PathLine.h"
#include "widgets/timeline/TimelineWidget.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::panels;
using namespace kinetoscope::style;

namespace {

// A step of 100 µs: a product of 50 µs, a softmax of 20 µs behind it, and beside both 10 µs on
// another stream; the host waits for all. Then a step of 40 µs without GPU work.
constexpr const char* kTrace = R"([
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":9,"tid":9,"ts":0,"dur":100},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":5,"dur":10},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":8,"dur":4,
 "args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"nvjet_hsh_128x64","pid":0,"tid":7,"ts":17,"dur":50,
 "args":{"device":0,"stream":7,"correlation":1}},
{"ph":"X","cat":"cpu_op","name":"aten::softmax","pid":9,"tid":9,"ts":20,"dur":10},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":23,"dur":4,
 "args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"softmax_warp_forward","pid":0,"tid":7,"ts":68,"dur":20,
 "args":{"device":0,"stream":7,"correlation":2}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":31,"dur":2,
 "args":{"correlation":3}},
{"ph":"X","cat":"kernel","name":"vectorized_elementwise_kernel","pid":0,"tid":20,"ts":36,"dur":10,
 "args":{"device":0,"stream":20,"correlation":3}},
{"ph":"X","cat":"cuda_runtime","name":"cudaDeviceSynchronize","pid":9,"tid":9,"ts":40,"dur":55,
 "args":{"correlation":4}},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#2","pid":9,"tid":9,"ts":110,"dur":40}
])";

// A step of 100 µs whose GPU waits three times for a launch, and works for 15 µs.
constexpr const char* kHostBound = R"([
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":9,"tid":9,"ts":0,"dur":100},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":10,"dur":4,
 "args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"first","pid":0,"tid":7,"ts":20,"dur":5,
 "args":{"device":0,"stream":7,"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":40,"dur":4,
 "args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"second","pid":0,"tid":7,"ts":50,"dur":5,
 "args":{"device":0,"stream":7,"correlation":2}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":70,"dur":4,
 "args":{"correlation":3}},
{"ph":"X","cat":"kernel","name":"third","pid":0,"tid":7,"ts":80,"dur":5,
 "args":{"device":0,"stream":7,"correlation":3}},
{"ph":"X","cat":"cuda_runtime","name":"cudaDeviceSynchronize","pid":9,"tid":9,"ts":84,"dur":6,
 "args":{"correlation":4}}
])";

constexpr const char* kNoLaunches = R"([
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":9,"tid":9,"ts":0,"dur":40}
])";

struct ShownFindings : ShownPanel {
    explicit ShownFindings(const QString& path) : ShownPanel("findings", {1600, 1000}) {
        window.docks().showPanel(QStringLiteral("findings"));
        window.openFiles({path});
    }
    DataTable* rows() { return part<DataTable>("findings"); }
    QString saving() { return part<QLabel>("saving")->text(); }
    QVariant cell(int row, int column, int role = Qt::DisplayRole) {
        return rows()->model()->index(row, column).data(role);
    }
    // The row of a finding with this in its title; -1: none.
    int find(const char* title) {
        for (int row = 0; row < rows()->model()->rowCount(); ++row) {
            if (cell(row, 1).toString().contains(QLatin1String(title))) {
                return row;
            }
        }
        return -1;
    }
    bool ready() {
        return waitFor([&] { return !window.docks().busy() && rows()->model()->rowCount() > 0; });
    }
    void click(int row, int column) {
        QTest::mouseClick(rows()->viewport(), Qt::LeftButton, {},
                          rows()->visualRect(rows()->model()->index(row, column)).center());
    }
};

struct Shown : ShownPanel {
    explicit Shown(const QString& path) : ShownPanel("path", {1600, 1000}) {
        window.docks().showPanel(QStringLiteral("path"));
        window.openFiles({path});
    }
    DataTable* rows() { return part<DataTable>("pathRows"); }
    PartBar* bar() { return part<PartBar>("pathBar"); }
    QTableWidget* whatIfs() { return part<QTableWidget>("whatIfs"); }
    timeline::TimelineWidget* timeline() {
        return window.timeline()->findChild<timeline::TimelineWidget*>();
    }
    timeline::PathLine* line() { return timeline()->findChild<timeline::PathLine*>(); }
    bool ready() {
        return waitFor([&] {
            return !window.docks().busy() &&
                   part<QLabel>("state")->text().contains(QStringLiteral("inferred"));
        });
    }
    QString cell(int row, int column) {
        return rows()->model()->index(row, column).data().toString();
    }
    // Row and time of that name; empty when there is none.
    QString timeOf(const char* name) {
        for (int row = 0; row < rows()->model()->rowCount(); ++row) {
            if (cell(row, 0) == QLatin1String(name)) {
                return cell(row, 2);
            }
        }
        return {};
    }
    void choose(const char* by) { part<QComboBox>("by")->setCurrentText(QLatin1String(by)); }
    trace::SliceId slice(std::string_view name) {
        const trace::Trace& trace = *window.view().trace();
        for (trace::SliceId one = 0; one < trace.sliceCount(); ++one) {
            if (trace.name(one) == name) {
                return one;
            }
        }
        return trace::kNoSlice;
    }
    QString answer(const char* text) {
        for (int row = 0; row < whatIfs()->rowCount(); ++row) {
            if (whatIfs()->item(row, 0)->text() == QLatin1String(text)) {
                return whatIfs()->item(row, 1)->text();
            }
        }
        return {};
    }
};

}  // namespace

class PathPanelTest final : public QObject {
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

    void theBarAndTheRowsSumToTheStep() {
        Shown shown(m_path);
        QVERIFY(shown.ready());
        QCOMPARE(shown.part<QComboBox>("step")->currentText(), QString::fromUtf8("1 · 100.000 µs"));
        QCOMPARE(shown.cell(0, 0), QStringLiteral("gemm"));
        QCOMPARE(shown.timeOf("gemm"), QStringLiteral("0.050"));
        QCOMPARE(shown.timeOf("softmax"), QStringLiteral("0.020"));
        QCOMPARE(shown.timeOf("(from the call to the GPU)"), QStringLiteral("0.009"));
        QCOMPARE(shown.timeOf("cudaDeviceSynchronize"), QStringLiteral("0.007"));
        QCOMPARE(shown.timeOf("(outside of operators)"), QStringLiteral("0.010"));
        QCOMPARE(shown.timeOf("aten::mm"), QStringLiteral("0.003"));
        QCOMPARE(shown.timeOf("(between operations of a stream)"), QStringLiteral("0.001"));
        const QRectF kernels = shown.bar()->boxOf(path::PartKind::Kernel);
        const QRectF gaps = shown.bar()->boxOf(path::PartKind::Gap);
        QVERIFY(qAbs(kernels.width() / (gaps.right() - kernels.left()) - 0.7) < 0.001);
        QTest::mouseClick(shown.bar(), Qt::LeftButton, {}, kernels.center().toPoint());
        QCOMPARE(shown.rows()->model()->rowCount(), 2);
        QTest::mouseClick(shown.bar(), Qt::LeftButton, {}, kernels.center().toPoint());
        QCOMPARE(shown.rows()->model()->rowCount(), 7);
    }

    void rowsByWhatTheyComeFrom() {
        Shown shown(m_path);
        QVERIFY(shown.ready());
        shown.choose("Kernel");
        QCOMPARE(shown.rows()->model()->rowCount(), 2);
        QCOMPARE(shown.timeOf("nvjet_hsh_128x64"), QStringLiteral("0.050"));
        shown.choose("Operator");
        QCOMPARE(shown.timeOf("aten::mm"), QStringLiteral("0.062"));       // 3 + 9 + 50
        QCOMPARE(shown.timeOf("aten::softmax"), QStringLiteral("0.021"));  // 1 + 20
        shown.choose("Gap");
        QCOMPARE(shown.rows()->model()->rowCount(), 3);
        QCOMPARE(shown.cell(0, 0), QStringLiteral("(from the call to the GPU)"));
    }

    void aClickGoesThere() {
        Shown shown(m_path);
        QVERIFY(shown.ready());
        const QPoint first = shown.rows()->visualRect(shown.rows()->model()->index(0, 0)).center();
        QTest::mouseClick(shown.rows()->viewport(), Qt::LeftButton, {}, first);
        QCOMPARE(shown.selected(), std::string_view("nvjet_hsh_128x64"));
    }

    // Hundreds of pieces in a few pixels would be a block of colour that hides what lies below.
    void aLineOfManyPiecesHidesNothing() {
        Shown shown(samplePath());
        QVERIFY(shown.ready());
        QTRY_VERIFY(shown.line()->isVisible());
        const auto turnsIn = [&] {
            double turns = 0.0;
            double width = 0.0;
            for (const QPolygonF& line : shown.line()->lines()) {
                width += line.back().x() - line.front().x();
                for (qsizetype i = 1; i < line.size(); ++i) {
                    turns += line[i].y() != line[i - 1].y() ? 1.0 : 0.0;
                }
            }
            return width > 0.0 ? turns / width : 0.0;
        };
        QVERIFY(shown.line()->lines().size() >= 1);
        QVERIFY2(turnsIn() <= 0.2, qPrintable(QString::number(turnsIn())));
        // What is looked at closely is exact: every piece of it has its own part of the line.
        const trace::Trace& trace = *shown.window.view().trace();
        const TimeNs middle = trace.extent().start + 4'000'000;
        shown.window.view().setVisible(TimeSpan{middle, middle + 100'000});
        qsizetype points = 0;
        for (const QPolygonF& line : shown.line()->lines()) {
            points += line.size();
        }
        QVERIFY2(points > 4, qPrintable(QString::number(points)));
    }

    void theLineGoesThroughTheRows() {
        Shown shown(m_path);
        QVERIFY(shown.ready());
        QTRY_VERIFY(shown.line()->isVisible());
        const auto lines = shown.line()->lines();
        QCOMPARE(lines.size(), std::size_t{1});
        // Along the product, and not along what ran beside it.
        const auto passes = [&](std::string_view name) {
            const QPointF middle = shown.timeline()->sliceBox(shown.slice(name))->center();
            const QPolygonF& line = lines.front();
            for (int i = 1; i < line.size(); ++i) {
                if (qAbs(line[i - 1].y() - middle.y()) < 1 && qAbs(line[i].y() - middle.y()) < 1 &&
                    line[i - 1].x() <= middle.x() && line[i].x() >= middle.x()) {
                    return true;
                }
            }
            return false;
        };
        QVERIFY(passes("nvjet_hsh_128x64"));
        QVERIFY(passes("softmax_warp_forward"));
        QVERIFY(!passes("vectorized_elementwise_kernel"));
        shown.part<QCheckBox>("drawn")->click();
        QVERIFY(!shown.line()->isVisible());
    }

    void detailsTellTheSlack() {
        Shown shown(m_path);
        QVERIFY(shown.ready());
        const auto details = [&] {
            const auto* table = shown.window.docks().panel(QStringLiteral("details"))->table();
            for (int row = 0; row < table->rowCount(); ++row) {
                if (table->index(row, 0).data().toString() == QStringLiteral("Slack")) {
                    return table->index(row, 1).data().toString();
                }
            }
            return QString();
        };
        shown.window.view().select(shown.slice("vectorized_elementwise_kernel"));
        QVERIFY2(details().startsWith(QString::fromUtf8("42.000 µs")), qPrintable(details()));
        shown.window.view().select(shown.slice("softmax_warp_forward"));
        QVERIFY2(details().startsWith(QStringLiteral("none")), qPrintable(details()));
    }

    void whatIfsAreTriedAloneAndTogether() {
        Shown shown(m_path);
        QVERIFY(shown.ready());
        QTRY_COMPARE(shown.answer("host=0"), QString::fromUtf8("80.000 µs"));
        auto* more = shown.part<QLineEdit>("moreWhatIf");
        QTest::keyClicks(more, QStringLiteral("kernel:/softmax/=0"));
        QTest::keyClick(more, Qt::Key_Return);
        QTRY_COMPARE(shown.answer("kernel:/softmax/=0"), QString::fromUtf8("80.000 µs"));
        shown.whatIfs()->item(0, 0)->setCheckState(Qt::Checked);
        QTRY_VERIFY2(shown.part<QLabel>("together")
                         ->text()
                         .contains(QString::fromUtf8(
                             "60.000 µs (60.00 %); new critical path: 83.33 % gemm")),
                     qPrintable(shown.part<QLabel>("together")->text()));
        QVERIFY2(shown.whatIfs()->item(0, 3)->text().startsWith(QStringLiteral("62.50 % gemm")),
                 qPrintable(shown.whatIfs()->item(0, 3)->text()));
        // What is not a what-if says so, and the others stay.
        shown.whatIfs()->item(0, 0)->setText(QStringLiteral("nonsense=1"));
        QTRY_VERIFY(
            shown.whatIfs()->item(0, 0)->toolTip().contains(QStringLiteral("is not a what-if")));
        QTRY_COMPARE(shown.answer("kernel:/softmax/=0"), QString::fromUtf8("80.000 µs"));
    }

    void otherStepsAreChosen() {
        Shown shown(m_path);
        QVERIFY(shown.ready());
        shown.part<QComboBox>("step")->setCurrentIndex(1);
        QTRY_COMPARE(shown.timeOf("(outside of operators)"), QStringLiteral("0.040"));
    }

    void findingsAreTriedTogetherAndLeadOn() {
        QTemporaryDir folder;
        ShownFindings shown(writeTrace(folder, kHostBound));
        QVERIFY(shown.ready());
        const int row = shown.find("waits for the host");
        QVERIFY(row >= 0);
        QTRY_VERIFY2(shown.saving().contains(QStringLiteral("the ticked findings save at most")),
                     qPrintable(shown.saving()));
        // Without any that is ticked nothing is replayed; a click and Space tick.
        for (int other = 0; other < shown.rows()->model()->rowCount(); ++other) {
            if (shown.cell(other, 0, Qt::CheckStateRole).toInt() == Qt::Checked) {
                shown.click(other, 0);
            }
        }
        QTRY_VERIFY2(shown.saving().startsWith(QStringLiteral("Tick")), qPrintable(shown.saving()));
        shown.click(row, 1);
        QTest::keyClick(shown.rows(), Qt::Key_Space);
        QCOMPARE(shown.cell(row, 0, Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Checked));
        const models::ColumnTableModel* table =
            shown.window.docks().panel(QStringLiteral("findings"))->table();
        const double saved = table->exportText(row, 2).toDouble() / 1e6;  // ms
        QVERIFY2(saved > 0.01 && saved < 0.1, qPrintable(QString::number(saved)));
        const auto micros = [](double ms) {
            return QString::number(1000 * ms, 'f', 3) + QString::fromUtf8(" µs");
        };
        QTRY_VERIFY2(shown.saving().contains(micros(saved)), qPrintable(shown.saving()));
        // What it rests on.
        auto* evidence = shown.part<DataTable>("evidence")->model();
        QStringList figures;
        for (int figure = 0; figure < evidence->rowCount(); ++figure) {
            figures.append(evidence->index(figure, 0).data().toString() + QLatin1Char('=') +
                           evidence->index(figure, 1).data().toString());
        }
        QVERIFY2(figures.contains(QStringLiteral("launches a step=3")),
                 qPrintable(figures.join(QLatin1Char('\n'))));
        shown.part<QToolButton>("show")->click();
        QCOMPARE(shown.selected(), std::string_view("cudaLaunchKernel"));
        QTRY_VERIFY(shown.window.view().emphasis() != nullptr);
        QVERIFY(shown.window.view().emphasis()->has(shown.window.view().selected()));
        // The same what-if of the critical path gives the same step.
        shown.part<QToolButton>("explain")->click();
        const auto* path = shown.window.docks().panel(QStringLiteral("path"));
        QTRY_VERIFY(path->isVisible());
        const auto* together = path->findChild<QLabel*>(QStringLiteral("together"));
        QTRY_VERIFY2(together->text().contains(micros(0.1 - saved)), qPrintable(together->text()));
        const auto* whatIfs = path->findChild<QTableWidget*>(QStringLiteral("whatIfs"));
        const QTableWidgetItem* last = whatIfs->item(whatIfs->rowCount() - 1, 0);
        QVERIFY(last->text().contains(QStringLiteral("waits for the host")));
        QVERIFY(!last->flags().testFlag(Qt::ItemIsEditable));
        QCOMPARE(whatIfs->item(0, 0)->checkState(), Qt::Unchecked);
    }

    void rulesThatCannotJudgeSayWhy() {
        QTemporaryDir folder;
        ShownFindings shown(writeTrace(folder, kNoLaunches));
        QVERIFY(shown.ready());
        const int row = shown.find("not checked");
        QVERIFY(row >= 0);
        QVERIFY(!shown.cell(row, 0, Qt::CheckStateRole).isValid());
        shown.click(row, 0);
        QVERIFY(!shown.cell(row, 0, Qt::CheckStateRole).isValid());
        shown.click(row, 1);
        QVERIFY(
            shown.part<QLabel>("findingWords")->text().startsWith(QStringLiteral("Not checked")));
        QVERIFY(!shown.part<QToolButton>("explain")->isEnabled());
        QVERIFY(!shown.part<QToolButton>("show")->isEnabled());
    }

    void theStepThatIsSelectedIsTheOneShown() {
        Shown shown(m_path);
        QVERIFY(shown.ready());
        shown.window.view().selectStep(2, {110000, 150000});
        QTRY_COMPARE(shown.part<QComboBox>("step")->currentIndex(), 1);
        QTRY_COMPARE(shown.timeOf("(outside of operators)"), QStringLiteral("0.040"));
    }

    void aTraceWithoutDependenciesSaysSo() {
        QTemporaryDir folder;
        const QString path =
            writeTrace(folder, R"([{"ph":"i","name":"mark","pid":1,"tid":1,"ts":1,"s":"t"}])");
        Shown shown(path);
        QTRY_VERIFY2(shown.rows()->emptyText().contains(QStringLiteral("no steps and no GPU work")),
                     qPrintable(shown.rows()->emptyText()));
    }
};

QTEST_MAIN(PathPanelTest)
#include "PathPanelTest.moc"
