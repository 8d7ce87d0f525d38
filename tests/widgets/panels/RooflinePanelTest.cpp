// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <algorithm>
#include "tests/Patience.h"

#include "tests/widgets/ShownPanel.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/roofline/RooflineModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/plots/BusyStripPlot.h"
#include "widgets/plots/RooflineChart.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::panels;
using namespace kinetoscope::plots;
using namespace kinetoscope::session;
using namespace kinetoscope::style;

namespace {

constexpr const char* kHead = R"({"deviceProperties":[{"id":0,"name":"NVIDIA H200"}],
"traceEvents":[
)";

// aten::mm of 2048³ in bfloat16.
QByteArray product(int id, int start) {
    return QStringLiteral(
               R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":%2,"dur":9,
 "args":{"External id":%1,"Input Dims":[[2048,2048],[2048,2048]],
 "Input type":["c10::BFloat16","c10::BFloat16"],"Concrete Inputs":["",""]}},
)")
        .arg(id)
        .arg(start)
        .toUtf8();
}

// A product of 2048³ in bfloat16 (17.18 GFLOP) in 50 µs, twice; a sum of 2^24 floats in 20 µs; a
// kernel of 30 µs of which nothing is known.
QByteArray measuredTrace() {
    return kHead + product(1, 0) + product(2, 10) +
           R"({"ph":"X","cat":"cpu_op","name":"aten::sum","pid":9,"tid":9,"ts":20,"dur":9,
 "args":{"External id":3,"Input Dims":[[4096,4096],[]],"Input type":["float",""],
 "Concrete Inputs":["",""]}},
{"ph":"X","cat":"cpu_op","name":"mystery","pid":9,"tid":9,"ts":30,"dur":9,
 "args":{"External id":4}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":100,"dur":49,
 "args":{"External id":1,"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":200,"dur":51,
 "args":{"External id":2,"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"reduce","pid":0,"tid":7,"ts":300,"dur":20,
 "args":{"External id":3,"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"other","pid":0,"tid":7,"ts":400,"dur":30,
 "args":{"External id":4,"device":0,"stream":7}}
]})";
}

// The same product once, and 30 µs of a generated kernel, whose operations no trace tells.
QByteArray generatedTrace() {
    return kHead + product(1, 0) +
           R"({"ph":"X","cat":"cpu_op","name":"triton_poi_fused_add_0","pid":9,"tid":9,"ts":10,"dur":9,
 "args":{"External id":2,"Input Dims":[[4096,4096],[4096,4096],[]],
 "Input type":["float","float","Scalar"],"Concrete Inputs":["","","16777216"]}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":100,"dur":30,
 "args":{"External id":1,"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"triton_poi_fused_add_0","pid":0,"tid":7,"ts":200,"dur":30,
 "args":{"External id":2,"device":0,"stream":7}}
]})";
}

struct Shown : ShownPanel {
    explicit Shown(const QString& path) : ShownPanel("roofline", {1600, 1000}) {
        window.docks().showPanel(QStringLiteral("roofline"));
        window.openFiles({path});
    }
    DataTable* rows() { return part<DataTable>("rooflineRows"); }
    RooflineChart* chart() { return part<RooflineChart>("rooflineChart"); }
    QString state() { return part<QLabel>("state")->text(); }
    bool ready() {
        return waitFor([&] {
            return !window.docks().busy() && state().contains(QStringLiteral("is modelled"));
        });
    }
    QString cell(int row, const char* key) {
        auto* model = static_cast<models::RooflineModel*>(rows()->model());
        return model->index(row, model->columnOf(key)).data().toString();
    }
    QPoint placeOfRow(int row) {
        auto* model = static_cast<models::RooflineModel*>(rows()->model());
        return rows()->visualRect(model->index(row, model->columnOf("count"))).center();
    }
    // Whether the picture is laid out: the product has more operations for each byte.
    bool isDrawn() {
        const auto product = chart()->placeOf(0);
        const auto sum = chart()->placeOf(1);
        return product && sum && product->x() > sum->x() + 20.0;
    }
    std::size_t emphasised() {
        const auto& marks = window.view().emphasis();
        return marks ? marks->byStart().size() : 0;
    }
};

// As the bench keeps it: 549.756 TFLOP/s in bf16 and 6,000 GB/s.
constexpr const char* kMeasuredRoof = R"({"schema":"kinetoscope.roof/1","device":"NVIDIA H200",
"uuid":"GPU-1","created":"2026-01-02T03:04:05Z","host":"here","l2_bytes":52428800,"figures":[
{"operation":"product","type":"bf16","size":8192,"time_ns":2000000,"clock_mhz":1800},
{"operation":"copy","size":1200000000,"time_ns":200000,"clock_mhz":1800}]})";

/// Another panel's table, which has the same figures beside its own.
struct Beside : ShownPanel {
    Beside(const QString& path, const char* panel) : ShownPanel(panel, {1600, 1000}), name(panel) {
        window.docks().showPanel(QString::fromLatin1(panel));
        window.openFiles({path});
    }
    DataTable* table() { return part<DataTable>(name); }
    int columnOf(const char* key) {
        const auto& columns = static_cast<models::ColumnTableModel*>(table()->model())->columns();
        const auto found =
            std::ranges::find(columns, QLatin1String(key), &models::TableColumn::key);
        return static_cast<int>(found - columns.begin());
    }
    /// Of the row of that name; null where there is none.
    QVariant data(const char* row, const char* key, int role = Qt::DisplayRole) {
        const auto* model = table()->model();
        for (int place = 0; place < model->rowCount(); ++place) {
            if (model->index(place, 0).data().toString() == QLatin1String(row)) {
                return model->index(place, columnOf(key)).data(role);
            }
        }
        return {};
    }
    QString cell(const char* row, const char* key) { return data(row, key).toString(); }
    QString tip(const char* row, const char* key) {
        return data(row, key, Qt::ToolTipRole).toString();
    }
    const char* name;
};

}  // namespace

class RooflinePanelTest final : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_path;

private slots:
    void initTestCase() {
        applyTheme(ThemeChoice::Light);
        m_path = writeTrace(m_folder, measuredTrace());
        QVERIFY(!m_path.isEmpty());
    }
    void init() { failOnQtWarnings(); }

    void rowsSayHowFast() {
        Shown shown(m_path);
        QVERIFY(shown.ready());
        QCOMPARE(shown.state(), QStringLiteral("80.00 % of kernel time is modelled "
                                               "(120.000 µs of 150.000 µs)"));
        QCOMPARE(shown.rows()->model()->rowCount(), 2);
        QCOMPARE(shown.cell(0, "name"), QStringLiteral("aten::mm"));
        QCOMPARE(shown.cell(0, "count"), QStringLiteral("2"));
        QCOMPARE(shown.cell(0, "tflop_per_s"), QStringLiteral("343.60"));  // 2 · 2 · 2048³ / 100 µs
        QCOMPARE(shown.cell(0, "bound"), QStringLiteral("compute"));
        QCOMPARE(shown.cell(0, "efficiency"), QStringLiteral("34.7"));  // of 989.5
        QCOMPARE(shown.cell(1, "gb_per_s"), QStringLiteral("3355"));    // 2^26 bytes in 20 µs
        QCOMPARE(shown.cell(1, "efficiency"), QStringLiteral("69.9"));  // of 4800 GB/s
        const QString tip = shown.part<QLabel>("state")->toolTip();
        QVERIFY2(tip.contains("mystery 20.00 % (no row in the model)"), qPrintable(tip));
        shown.part<QComboBox>("by")->setCurrentIndex(2);
        QTRY_COMPARE(shown.cell(0, "name"), QStringLiteral("gemm"));
        shown.part<QLineEdit>("filter")->setText(QStringLiteral("reduce"));
        QCOMPARE(shown.rows()->model()->rowCount(), 1);
    }

    void unknownOperationsAreNoNumber() {
        QTemporaryDir folder;
        const QString path = writeTrace(folder, generatedTrace());
        Shown shown(path);
        QVERIFY(shown.ready());
        QCOMPARE(shown.state(), QStringLiteral("100.00 % of kernel time is modelled (60.000 µs of "
                                               "60.000 µs), 50.00 % by its bytes alone"));
        const int generated = shown.cell(0, "name") == QLatin1String("aten::mm") ? 1 : 0;
        QCOMPARE(shown.cell(generated, "tflop_per_s"), QStringLiteral("–"));
        QCOMPARE(shown.cell(generated, "intensity"), QStringLiteral("–"));
        QCOMPARE(shown.cell(generated, "gb_per_s"), QStringLiteral("4474"));
        QCOMPARE(shown.cell(1 - generated, "tflop_per_s"), QStringLiteral("572.66"));
    }

    void theBandwidthIsNamedOnItsLine() {
        QTemporaryDir folder;
        const QString path = writeTrace(folder, generatedTrace());
        Shown shown(path);
        QVERIFY(shown.ready());
        QTRY_VERIFY(shown.chart()->placeOf(0) || shown.chart()->placeOf(1));
        bool isNamed = false;
        for (int at = 0; at < shown.chart()->itemCount(); ++at) {
            const auto* label = qobject_cast<QCPItemText*>(shown.chart()->item(at));
            if (label == nullptr || !label->text().contains(QStringLiteral("GB/s"))) {
                continue;
            }
            isNamed = true;
            const QPointF place = label->position->coords();
            QVERIFY(shown.chart()->xAxis->range().contains(place.x()));
            QVERIFY(shown.chart()->yAxis->range().contains(place.y()));
            const int left = qRound(label->position->pixelPosition().x()) -
                             QFontMetrics(label->font()).horizontalAdvance(label->text());
            QVERIFY2(left > shown.chart()->axisRect()->left(), qPrintable(QString::number(left)));
            // The line ends where it meets the peak.
            QVERIFY2(place.y() < 989.5, qPrintable(QString::number(place.y())));
        }
        QVERIFY(isNamed);
    }

    void aPointIsARowAndTheLongestOfItsKernels() {
        Shown shown(m_path);
        QVERIFY(shown.ready());
        QTRY_VERIFY(shown.isDrawn());
        const QPointF product = *shown.chart()->placeOf(0);
        const QPointF sum = *shown.chart()->placeOf(1);
        QVERIFY(product.y() < sum.y());  // more operations a second
        QVERIFY(shown.chart()->toolTipAt(sum).startsWith(QStringLiteral("aten::sum")));
        QTest::mouseClick(shown.chart(), Qt::LeftButton, {}, product.toPoint());
        QCOMPARE(shown.selected(), std::string_view("gemm"));
        const auto selected = shown.window.view().selected();
        QCOMPARE(shown.window.view().trace()->duration(selected), TimeNs{51'000});
        QCOMPARE(shown.rows()->selectionModel()->selectedRows().size(), 1);
        QTRY_COMPARE(shown.emphasised(), std::size_t{2});
    }

    void aFrameTakesAllInIt() {
        Shown shown(m_path);
        QVERIFY(shown.ready());
        QTRY_VERIFY(shown.isDrawn());
        const QRect inside = shown.chart()->rect().adjusted(5, 5, -5, -5);
        QTest::mousePress(shown.chart(), Qt::LeftButton, {}, inside.topLeft());
        QTest::mouseMove(shown.chart(), inside.center());
        QTest::mouseMove(shown.chart(), inside.bottomRight());
        QTest::mouseRelease(shown.chart(), Qt::LeftButton, {}, inside.bottomRight());
        QCOMPARE(shown.rows()->selectionModel()->selectedRows().size(), 2);
        QTRY_COMPARE(shown.emphasised(), std::size_t{3});
        // Beside every point nothing is meant.
        QTest::mouseClick(shown.chart(), Qt::LeftButton, {}, inside.topLeft());
        QVERIFY(shown.rows()->selectionModel()->selectedRows().isEmpty());
        QTRY_COMPARE(shown.emphasised(), std::size_t{0});
    }

    void aRowOfTheTableStandsOutEverywhere() {
        Shown shown(m_path);
        QVERIFY(shown.ready());
        QTest::mouseClick(shown.rows()->viewport(), Qt::LeftButton, {}, shown.placeOfRow(1));
        QTRY_COMPARE(shown.emphasised(), std::size_t{1});
        QTest::mouseDClick(shown.rows()->viewport(), Qt::LeftButton, {}, shown.placeOfRow(1));
        QCOMPARE(shown.selected(), std::string_view("reduce"));
    }

    void kernelsSayWhatTheyReached() {
        Beside shown(m_path, "kernels");
        QTRY_COMPARE(shown.cell("gemm", "tflop_per_s"), QStringLiteral("343.60"));
        QCOMPARE(shown.cell("gemm", "efficiency"), QStringLiteral("34.7"));
        QCOMPARE(shown.cell("gemm", "recoverable_ns"), QStringLiteral("65.276"));
        QVERIFY2(shown.tip("gemm", "tflop_per_s").contains("34,359,738,368 FLOPs"),
                 qPrintable(shown.tip("gemm", "tflop_per_s")));
        QCOMPARE(shown.cell("reduce", "gb_per_s"), QStringLiteral("3355"));
        QCOMPARE(shown.cell("other", "gb_per_s"), QString());
        QVERIFY2(shown.tip("other", "gb_per_s").contains("no row in the model"),
                 qPrintable(shown.tip("other", "gb_per_s")));
        // Rows without a figure stay behind the others in either direction.
        const auto firstAndLast = [&] {
            const auto* model = shown.table()->model();
            return model->index(0, 0).data().toString() + QLatin1Char(' ') +
                   model->index(model->rowCount() - 1, 0).data().toString();
        };
        shown.table()->sortByColumn(shown.columnOf("gb_per_s"), Qt::DescendingOrder);
        QCOMPARE(firstAndLast(), QStringLiteral("reduce other"));
        shown.table()->sortByColumn(shown.columnOf("gb_per_s"), Qt::AscendingOrder);
        QCOMPARE(firstAndLast(), QStringLiteral("gemm other"));
        // Of a part of the time they are those of the part, and what is chosen stays chosen.
        shown.table()->selectRow(0);
        shown.window.view().setWindow(
            {.kind = analysis::WindowKind::Range, .step = 0, .range = {190'000, 500'000}});
        QTRY_COMPARE(shown.cell("gemm", "tflop_per_s"), QStringLiteral("336.86"));  // in 51 µs
        QTRY_VERIFY(!shown.window.docks().busy());
        QCOMPARE(shown.table()->selectionModel()->selectedRows().size(), 1);
    }

    void operatorsSayWhatTheyReached() {
        Beside shown(m_path, "operators");
        QTRY_COMPARE(shown.cell("aten::mm", "tflop_per_s"), QStringLiteral("343.60"));
        QCOMPARE(shown.cell("aten::sum", "efficiency"), QStringLiteral("69.9"));
        QCOMPARE(shown.cell("mystery", "efficiency"), QString());
        QVERIFY2(shown.tip("mystery", "efficiency").contains("no row in the model"),
                 qPrintable(shown.tip("mystery", "efficiency")));
        shown.part<QAbstractButton>("byShape")->click();
        QTRY_COMPARE(shown.cell("aten::mm", "input_shapes"),
                     QStringLiteral("[[2048, 2048], [2048, 2048]]"));
        QTRY_COMPARE(shown.cell("aten::mm", "tflop_per_s"), QStringLiteral("343.60"));
    }

    void theStripIsTheTimeAtTheRoofByTheTime() {
        Shown shown(m_path);
        auto* view = qobject_cast<TimelineView*>(shown.window.timeline());
        QTRY_COMPARE(view->strips().size(), std::size_t{3});
        BusyStripPlot& strip = *view->strips()[2];
        QCOMPARE(strip.strip().title, QStringLiteral("GPU 0 of roof"));
        for (const char* part : {"Idle time and calls without a model count as 0", "H200"}) {
            QVERIFY2(strip.strip().explanation.contains(QLatin1String(part)),
                     qPrintable(strip.strip().explanation));
        }
        const TimeNs first = shown.window.view().trace()->extent().start;
        const auto reached = [&](TimeNs from, TimeNs to) {
            shown.window.view().setVisible({first + from, first + to});
            return strip.figure();
        };
        // 17.36 µs at 989.5 TFLOP/s, in 49 µs and in 51 µs; 13.98 µs at 4,800 GB/s in 20 µs.
        QCOMPARE(reached(100'000, 149'000), QStringLiteral("35.4 % in view"));
        QCOMPARE(reached(200'000, 251'000), QStringLiteral("34.0 % in view"));
        QCOMPARE(reached(300'000, 320'000), QStringLiteral("69.9 % in view"));
        QCOMPARE(reached(300'000, 340'000), QStringLiteral("35.0 % in view"));
        QCOMPARE(reached(400'000, 430'000), QStringLiteral("0.0 % in view"));  // not modelled
        shown.window.view().setVisible({first + 90'000, first + 190'000});
        const auto x = static_cast<int>(strip.coordinates().x(first + 120'000));
        QTRY_VERIFY2(strip.toolTipAt({x, 10}).contains("GPU 0 of roof: 35.4 %"),
                     qPrintable(strip.toolTipAt({x, 10})));
    }

    void callsAtTheSameTimeReachTogetherAtMostTheRoof() {
        QTemporaryDir folder;
        // The second product runs beside the first, from 120 to 171 µs.
        const QByteArray text =
            measuredTrace().replace("\"tid\":7,\"ts\":200,", "\"tid\":8,\"ts\":120,");
        const QString path = writeTrace(folder, text);
        Shown shown(path);
        auto* view = qobject_cast<TimelineView*>(shown.window.timeline());
        QTRY_COMPARE(view->strips().size(), std::size_t{3});
        const TimeNs first = shown.window.view().trace()->extent().start;
        const auto reached = [&](TimeNs from, TimeNs to) {
            shown.window.view().setVisible({first + from, first + to});
            return view->strips()[2]->figure();
        };
        QCOMPARE(reached(100'000, 120'000), QStringLiteral("35.4 % in view"));
        QCOMPARE(reached(120'000, 149'000), QStringLiteral("69.5 % in view"));
        QCOMPARE(reached(149'000, 171'000), QStringLiteral("34.0 % in view"));
    }

    void theMeasuredRoofIsTakenWhereItIsKept() {
        QTemporaryDir results;
        qputenv("KINETOSCOPE_RESULTS", results.path().toLocal8Bit());
        const auto end = qScopeGuard([] { qunsetenv("KINETOSCOPE_RESULTS"); });
        Shown shown(m_path);
        QVERIFY(shown.ready());
        QCOMPARE(shown.cell(0, "efficiency"), QStringLiteral("34.7"));
        auto* roof = shown.part<QComboBox>("roof");
        roof->setCurrentIndex(1);
        QTRY_VERIFY2(shown.state().startsWith("no measured roof of this GPU is saved"),
                     qPrintable(shown.state()));
        QCOMPARE(shown.cell(0, "efficiency"), QStringLiteral("34.7"));
        roof->setCurrentIndex(0);
        QVERIFY(QDir(results.path()).mkdir(QStringLiteral("roofs")));
        QFile file(results.filePath(QStringLiteral("roofs/GPU-1.json")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kMeasuredRoof) > 0);
        file.close();
        roof->setCurrentIndex(1);
        QTRY_COMPARE(shown.cell(0, "efficiency"), QStringLiteral("62.5"));  // of 549.756
        QCOMPARE(shown.cell(1, "efficiency"), QStringLiteral("55.9"));      // of 6,000 GB/s
        const QString tip = shown.part<QLabel>("state")->toolTip();
        QVERIFY2(tip.contains("measured on here"), qPrintable(tip));
        auto* view = qobject_cast<TimelineView*>(shown.window.timeline());
        QTRY_COMPARE(view->strips()[2]->strip().title, QStringLiteral("GPU 0 of measured roof"));
        // The other tables take the same one.
        shown.window.docks().showPanel(QStringLiteral("kernels"));
        auto* kernels =
            shown.window.docks().panel(QStringLiteral("kernels"))->findChild<DataTable*>("kernels");
        QTRY_VERIFY([&] {
            const auto* model = kernels->model();
            for (int column = 0; column < model->columnCount(); ++column) {
                if (model->index(0, column).data().toString() == QLatin1String("62.5")) {
                    return true;
                }
            }
            return false;
        }());
    }

    void aTraceWithoutShapesSaysSo() {
        QTemporaryDir folder;
        const QString path = writeTrace(folder, R"([{"ph":"X","cat":"kernel","name":"k","pid":0,
"tid":7,"ts":1,"dur":5,"args":{"device":0,"stream":7}}])");
        QVERIFY(!path.isEmpty());
        Shown shown(path);
        QVERIFY(shown.ready());
        QCOMPARE(shown.state(),
                 QStringLiteral("0.00 % of kernel time is modelled (0 ns of 5.000 µs)"));
        QVERIFY2(shown.rows()->emptyText().contains("record_shapes=True"),
                 qPrintable(shown.rows()->emptyText()));
        QVERIFY(shown.chart()->hint().contains("record_shapes=True"));
    }
};

QTEST_MAIN(RooflinePanelTest)
#include "RooflinePanelTest.moc"
