// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTemporaryDir>
#include "tests/Patience.h"

#include "tests/widgets/ShownPanel.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/OperatorTableModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::models;
using namespace kinetoscope::panels;
using namespace kinetoscope::session;
using namespace kinetoscope::style;

namespace {

using Model = OperatorTableModel;

// Two steps of 1 ms. aten::mm runs once in each, with another shape, in the first inside of
// aten::linear; each launches one kernel.
constexpr const char* kTrace = R"({"traceEvents":[
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":9,"tid":9,"ts":0,"dur":1000},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#2","pid":9,"tid":9,"ts":1000,"dur":1000},
{"ph":"X","cat":"cpu_op","name":"aten::linear","pid":9,"tid":9,"ts":100,"dur":300,
 "args":{"External id":1,"Input Dims":[[64,32],[16,32],[]]}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":150,"dur":200,
 "args":{"External id":2,"Input Dims":[[64,32],[32,16]]}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":200,"dur":50,
 "args":{"External id":2,"correlation":7}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":1100,"dur":100,
 "args":{"External id":3,"Input Dims":[[8,32],[32,16]]}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":1120,"dur":20,
 "args":{"External id":3,"correlation":8}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":500,"dur":100,
 "args":{"External id":2,"correlation":7,"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":1300,"dur":400,
 "args":{"External id":3,"correlation":8,"device":0,"stream":7}}
]})";

struct Shown : ShownPanel {
    explicit Shown(const QString& path, const char* panel = "operators")
        : ShownPanel("operators", {1600, 1000}) {
        part<QComboBox>("sides")->setCurrentText(QStringLiteral("CPU and GPU"));
        window.docks().showPanel(QString::fromLatin1(panel));
        window.openFiles({path});
    }
    DataTable* table() { return part<DataTable>("operators"); }
    QString state() { return part<QLabel>("state")->text(); }
    bool ready(const char* state) {
        return waitFor(
            [&] { return !window.docks().busy() && this->state() == QLatin1String(state); });
    }
    QString cell(int row, int column) {
        return table()->model()->index(row, column).data().toString();
    }
    QStringList cells(int row, std::initializer_list<int> columns) {
        QStringList texts;
        for (const int column : columns) {
            texts += cell(row, column);
        }
        return texts;
    }
    QStringList names() {
        QStringList names;
        for (int row = 0; row < table()->model()->rowCount(); ++row) {
            names += cell(row, Model::Name);
        }
        return names;
    }
    int rowOf(const char* name) { return static_cast<int>(names().indexOf(QLatin1String(name))); }
    QPoint placeOf(int row, int column) {
        return table()->visualRect(table()->model()->index(row, column)).center();
    }
    void click(int row) {
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, placeOf(row, Model::Calls));
    }
    void doubleClick(int row) {
        click(row);
        QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, placeOf(row, Model::Calls));
        QTest::mouseRelease(table()->viewport(), Qt::LeftButton, {}, placeOf(row, Model::Calls));
    }
    void clickHeader(int column) {
        QHeaderView* header = table()->horizontalHeader();
        QTest::mouseClick(
            header->viewport(), Qt::LeftButton, {},
            QPoint(header->sectionViewportPosition(column) + 10, header->height() / 2));
    }
    TimeNs startOfSelected() {
        const auto slice = window.view().selected();
        return slice == trace::kNoSlice ? -1 : window.view().trace()->start(slice);
    }
};

}  // namespace

class OperatorsPanelTest final : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_path;

private slots:
    void initTestCase() {
        applyTheme(ThemeChoice::Light);
        qputenv("KINETOSCOPE_RESULTS", m_folder.filePath("results").toUtf8());
        m_path = writeTrace(m_folder, kTrace);
        QVERIFY(!m_path.isEmpty());
    }
    void init() { failOnQtWarnings(); }

    void figuresAreThoseOfKeyAverages() {
        Shown shown(m_path);
        QVERIFY(shown.ready("5 rows"));
        // Largest self GPU time first, then as they first happened.
        QCOMPARE(shown.names(), QStringList({"aten::mm", "gemm", "ProfilerStep*", "aten::linear",
                                             "cudaLaunchKernel"}));
        const auto figures = [&](const char* name) {
            return shown.cells(shown.rowOf(name),
                               {Model::Side, Model::Calls, Model::SelfCpu, Model::SelfCpuShare,
                                Model::Cpu, Model::CpuShare, Model::CpuMean, Model::SelfGpu,
                                Model::SelfGpuShare, Model::Gpu, Model::GpuMean});
        };
        QCOMPARE(figures("aten::mm"),
                 QStringList({"CPU", "2", "0.230", "11.50 %", "0.300", "15.00 %", "150.000",
                              "0.500", "100.00 %", "0.500", "250.000"}));
        QCOMPARE(figures("aten::linear"),
                 QStringList({"CPU", "1", "0.100", "5.00 %", "0.300", "15.00 %", "300.000", "0.000",
                              "0.00 %", "0.100", "100.000"}));
        QCOMPARE(figures("ProfilerStep*"),
                 QStringList({"CPU", "2", "1.600", "80.00 %", "2.000", "100.00 %", "1,000.000",
                              "0.000", "0.00 %", "0.500", "250.000"}));
        QCOMPARE(figures("gemm"), QStringList({"GPU", "2", "0.000", "0.00 %", "0.000", "0.00 %",
                                               "0.000", "0.500", "100.00 %", "0.500", "250.000"}));
        QVERIFY(shown.table()->isColumnHidden(Model::Shapes));
        // Sums have the unit of the largest, means microseconds.
        const auto header = [&](int column) {
            return shown.table()->model()->headerData(column, Qt::Horizontal).toString();
        };
        QCOMPARE(header(Model::Cpu), QString("CPU ms"));
        QCOMPARE(header(Model::CpuMean), QString::fromUtf8("CPU mean µs"));
    }

    void rowsAreDividedByShape() {
        Shown shown(m_path);
        QVERIFY(shown.ready("5 rows"));
        shown.click(shown.rowOf("aten::mm"));
        shown.part<QCheckBox>("byShape")->click();
        QVERIFY(shown.ready("6 rows"));
        QVERIFY(!shown.table()->isColumnHidden(Model::Shapes));
        const auto columns = {Model::Name, Model::Shapes, Model::Calls, Model::Cpu, Model::SelfGpu};
        const auto row = [&](int at) {
            QStringList texts;
            for (const auto column : columns) {
                texts += shown.cell(at, column);
            }
            return texts;
        };
        QCOMPARE(row(0), QStringList({"gemm", "[]", "2", "0.000", "0.500"}));
        QCOMPARE(row(1), QStringList({"aten::mm", "[[8, 32], [32, 16]]", "1", "0.100", "0.400"}));
        QCOMPARE(row(2), QStringList({"aten::mm", "[[64, 32], [32, 16]]", "1", "0.200", "0.100"}));
        // What was selected is selected still, in the first of its rows.
        QCOMPARE(shown.table()->currentIndex().row(), 1);
        shown.part<QLineEdit>("filter")->setText("[8, 32]");
        QCOMPARE(shown.state(), QString("1 of 6 rows"));
        QCOMPARE(row(0)[1], QString("[[8, 32], [32, 16]]"));
        shown.doubleClick(0);
        QCOMPARE(shown.startOfSelected(), 1'100'000);
    }

    void headersSortAndSidesAreChosen() {
        Shown shown(m_path);
        QVERIFY(shown.ready("5 rows"));
        shown.clickHeader(Model::Cpu);
        QCOMPARE(shown.names().first(), QString("ProfilerStep*"));
        shown.clickHeader(Model::Cpu);
        QCOMPARE(shown.names().first(), QString("gemm"));
        shown.clickHeader(Model::Name);
        QCOMPARE(shown.names(), QStringList({"aten::linear", "aten::mm", "cudaLaunchKernel", "gemm",
                                             "ProfilerStep*"}));
        QVERIFY(!shown.table()->isColumnHidden(Model::Side));
        shown.part<QComboBox>("sides")->setCurrentText("GPU");
        QCOMPARE(shown.names(), QStringList({"gemm"}));
        QVERIFY(shown.table()->isColumnHidden(Model::Side));
        shown.part<QComboBox>("sides")->setCurrentText("CPU");
        QCOMPARE(shown.state(), QString("4 of 5 rows"));
        shown.part<QLineEdit>("filter")->setText("gemm");
        QCOMPARE(shown.table()->emptyText(), QString("No row matches the filter."));
    }

    void theWindowChoosesTheCalls() {
        Shown shown(m_path);
        QVERIFY(shown.ready("5 rows"));
        shown.window.view().setWindow({analysis::WindowKind::Step, 2, {}});
        QVERIFY(shown.ready("4 rows"));
        const int row = shown.rowOf("aten::mm");
        QCOMPARE(shown.cells(row, {Model::Calls, Model::SelfCpu, Model::SelfCpuShare,
                                   Model::SelfGpu, Model::SelfGpuShare}),
                 QStringList({"1", "0.080", "8.00 %", "0.400", "100.00 %"}));
        QCOMPARE(shown.rowOf("aten::linear"), -1);
        shown.doubleClick(row);
        QCOMPARE(shown.startOfSelected(), 1'100'000);
        shown.window.view().setWindow({analysis::WindowKind::Step, 7, {}});
        QVERIFY(waitFor([&] { return shown.table()->model()->rowCount() == 0; }));
        QVERIFY(shown.table()->emptyText().contains("there is no step 7"));
    }

    void rowsLeadToTheirCalls() {
        Shown shown(m_path);
        QVERIFY(shown.ready("5 rows"));
        ViewState& view = shown.window.view();
        shown.click(shown.rowOf("aten::mm"));
        QVERIFY(view.highlightedName().has_value());
        QCOMPARE(QString::fromStdString(std::string(view.trace()->text(*view.highlightedName()))),
                 QString("aten::mm"));
        shown.doubleClick(shown.rowOf("aten::mm"));
        QCOMPARE(shown.startOfSelected(), 150'000);
        shown.click(shown.rowOf("gemm"));
        const QList<QAction*> actions = shown.table()->actions();
        QCOMPARE(actions.size(), 3);  // the longest, the first, its bench
        shown.doubleClick(shown.rowOf("gemm"));
        QCOMPARE(shown.startOfSelected(), 1'300'000);
        view.setVisible({1'900'000, 2'000'000});
        actions[1]->trigger();
        QCOMPARE(shown.startOfSelected(), 500'000);
        QVERIFY(view.visible().contains(500'000));
        // No slice has the name of this row.
        shown.click(shown.rowOf("ProfilerStep*"));
        QVERIFY(!view.highlightedName().has_value());
    }

    void exportsHaveNanoseconds() {
        Shown shown(m_path);
        QVERIFY(shown.ready("5 rows"));
        shown.table()->copyCsv();
        const QStringList lines = QGuiApplication::clipboard()->text().split("\n");
        QCOMPARE(lines[0].trimmed(),
                 QString("name,input_shapes,side,calls,self_cpu_ns,self_cpu_percent,cpu_ns,"
                         "cpu_percent,cpu_mean_ns,self_gpu_ns,self_gpu_percent,gpu_ns,"
                         "gpu_mean_ns,tflop_per_s,gb_per_s,efficiency,recoverable_ns"));
        QCOMPARE(lines[1].trimmed(),
                 QString("aten::mm,[],CPU,2,230000,11.5000,300000,15.0000,150000.0,500000,"
                         "100.0000,500000,250000.0,,,,"));
    }

    void nothingIsSummedUpForNobody() {
        Shown shown(m_path, "kernels");
        QVERIFY(waitFor([&] { return shown.window.session().reports().report() != nullptr; }));
        QTest::qWait(100);
        QCOMPARE(shown.table()->model()->rowCount(), 0);
        shown.window.docks().showPanel("operators");
        QVERIFY(shown.ready("5 rows"));
        // Behind a tab again; another window does not matter before it is in front.
        shown.window.docks().showPanel("kernels");
        shown.window.view().setWindow({analysis::WindowKind::Step, 2, {}});
        QTest::qWait(100);
        QCOMPARE(shown.state(), QString("5 rows"));
        shown.window.docks().showPanel("operators");
        QVERIFY(shown.ready("4 rows"));
    }

    void closingEndsTheSums() {
        Shown shown(m_path);
        QVERIFY(shown.ready("5 rows"));
        shown.part<QCheckBox>("byShape")->click();
        QCOMPARE(shown.state(), QString("calculating…"));
        shown.window.view().setTrace(nullptr);
        QVERIFY(!shown.window.docks().busy());
        QCOMPARE(shown.table()->model()->rowCount(), 0);
        QTest::qWait(100);
        QCOMPARE(shown.table()->model()->rowCount(), 0);
        QCOMPARE(shown.table()->emptyText(), QString("Open a trace to see its operators."));
    }

    void aFileThatIsGoneIsSaid() {
        const QString path = m_folder.filePath("gone.json");
        QVERIFY(QFile::copy(m_path, path));
        Shown shown(path);
        QVERIFY(shown.ready("5 rows"));
        QVERIFY(QFile::remove(path));
        shown.part<QCheckBox>("byShape")->click();
        QVERIFY(waitFor([&] { return shown.table()->model()->rowCount() == 0; }));
        QVERIFY2(shown.table()->emptyText().contains("gone.json"),
                 qPrintable(shown.table()->emptyText()));
    }

    // Names give way; figures are wide enough wherever they stand.
    void figuresAreNeverCut() {
        QFile file(m_folder.filePath("many.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[");
        for (int i = 0; i < 300; ++i) {
            const QString name = QStringLiteral("aten::operator_%1").arg(i);
            file.write(QStringLiteral(R"({"ph":"X","cat":"cpu_op","name":"%1","pid":1,"tid":1,)"
                                      R"("ts":%2,"dur":1},)")
                           .arg(name)
                           .arg(10 * i)
                           .toUtf8());
        }
        file.write(R"({"ph":"X","cat":"cpu_op","name":"aten::long","pid":1,"tid":1,"ts":9000,)"
                   R"("dur":123456789012}])");
        file.close();
        Shown shown(file.fileName());
        QVERIFY(shown.ready("301 rows"));
        shown.window.resize(900, 700);
        QTest::qWait(50);
        const int row = shown.rowOf("aten::long");
        QVERIFY(row > 200);
        const QFontMetrics metrics = shown.table()->fontMetrics();
        QVERIFY(shown.table()->columnWidth(Model::Cpu) >
                metrics.horizontalAdvance(shown.cell(row, Model::Cpu)));
        const int narrow = shown.table()->columnWidth(Model::Name);
        QCOMPARE(shown.cell(row, Model::Cpu), QString("123,456.789"));
        shown.window.resize(1600, 1000);
        QTest::qWait(50);
        QVERIFY2(shown.table()->columnWidth(Model::Name) >= narrow, "the name has its room again");
        QVERIFY(shown.table()->isColumnHidden(Model::SelfGpu));
    }
};

QTEST_MAIN(OperatorsPanelTest)
#include "OperatorsPanelTest.moc"
