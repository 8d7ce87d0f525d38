// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QToolButton>
#include "tests/Patience.h"

#include "tests/widgets/ShownPanel.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/panels/find/FigureLine.h"
#include "widgets/panels/find/HitModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::panels;
using namespace kinetoscope::session;
using namespace kinetoscope::style;

namespace {

// gemm on two streams and two threads: 10, 20, 30 and 40 µs, and a copy beside them.
constexpr const char* kTrace = R"({"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"aten::gemm","pid":9,"tid":11,"ts":0,"dur":40},
{"ph":"X","cat":"cpu_op","name":"aten::add","pid":9,"tid":11,"ts":50,"dur":5},
{"ph":"X","cat":"user_annotation","name":"gemm step","pid":9,"tid":12,"ts":100,"dur":30},
{"ph":"X","cat":"kernel","name":"GEMM_fast","pid":0,"tid":7,"ts":200,"dur":20,
 "args":{"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"GEMM_fast","pid":0,"tid":13,"ts":300,"dur":10,
 "args":{"device":0,"stream":13}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy","pid":0,"tid":13,"ts":400,"dur":100,
 "args":{"device":0,"stream":13}}
]})";

struct Shown : ShownPanel {
    explicit Shown(const QString& path) : ShownPanel("find") {
        new QAbstractItemModelTester(
            hits()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest, hits());
        window.openFiles({path});
        isOpen = waitFor([&] { return window.view().trace() != nullptr; });
    }
    DataTable* hits() { return part<DataTable>("hits"); }
    QString figures() {
        return part<FigureLine>("figures")->text().replace(QChar(0x00a0), QLatin1Char(' '));
    }
    FindState& find() { return window.session().find(); }
    bool finds(std::size_t count) {
        return waitFor(
            [&] { return !window.docks().busy() && find().result() && find().count() == count; });
    }
    /// As a person would: Ctrl+Shift+F and the text.
    void search(const QString& text) {
        QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QTest::keyClicks(part<QLineEdit>("text"), text);
    }
    void choose(const char* choice, const QString& beginning) {
        auto* box = part<QComboBox>(choice);
        for (int item = 0; item < box->count(); ++item) {
            if (box->itemText(item).trimmed().startsWith(beginning)) {
                box->setCurrentIndex(item);
                emit box->activated(item);
                return;
            }
        }
        QFAIL(qPrintable(beginning + " is not a choice"));
    }
    QStringList column(int column) {
        QStringList texts;
        for (int row = 0; row < hits()->model()->rowCount(); ++row) {
            texts += hits()->model()->index(row, column).data().toString();
        }
        return texts;
    }
    void click(int row) {
        QTest::mouseClick(hits()->viewport(), Qt::LeftButton, {},
                          hits()->visualRect(hits()->model()->index(row, 1)).center());
    }
    void clickHeader(int column) {
        auto* header = hits()->horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(column) + 10, 8));
    }
    bool isOpen = false;
};

}  // namespace

class FindPanelTest final : public QObject {
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

    void hitsAreListedWithTheirFigures() {
        Shown shown(m_path);
        QVERIFY(shown.isOpen);
        shown.search("gemm");
        QVERIFY(shown.finds(4));
        QCOMPARE(shown.column(HitModel::Name),
                 QStringList({"aten::gemm", "gemm step", "GEMM_fast", "GEMM_fast"}));
        QCOMPARE(shown.column(HitModel::Category),
                 QStringList({"cpu_op", "user_annotation", "kernel", "kernel"}));
        QCOMPARE(shown.column(HitModel::Row),
                 QStringList({"process 9, thread 11", "process 9, thread 12", "GPU 0, stream 7",
                              "GPU 0, stream 13"}));
        QCOMPARE(shown.column(HitModel::Start), QStringList({"0.000", "0.100", "0.200", "0.300"}));
        QCOMPARE(shown.column(HitModel::Duration),
                 QStringList({"40.000", "30.000", "20.000", "10.000"}));
        QCOMPARE(shown.figures(), QString::fromUtf8("4 found   sum 100.000 µs   mean 25.000 µs   "
                                                    "min 10.000 µs   median 25.000 µs   "
                                                    "max 40.000 µs"));
        QCOMPARE(shown.window.findChild<QLineEdit*>("findText")->text(), QString("gemm"));
        QCOMPARE(shown.window.findChild<QLabel*>("findCount")->text(), QString("4 found"));
    }

    void filtersLeaveWhatTheySay() {
        Shown shown(m_path);
        shown.search("gemm");
        QVERIFY(shown.finds(4));
        shown.choose("category", "kernel (2)");
        QVERIFY(shown.finds(2));
        QVERIFY(shown.figures().startsWith(QString::fromUtf8("2 found   sum 30.000 µs")));
        shown.choose("row", "stream 13 (1)");
        QVERIFY(shown.finds(1));
        QCOMPARE(shown.column(HitModel::Row), QStringList("GPU 0, stream 13"));
        shown.choose("category", "All");
        shown.choose("row", "process 9 (2)");
        QVERIFY(shown.finds(2));
        QCOMPARE(shown.column(HitModel::Name), QStringList({"aten::gemm", "gemm step"}));
        shown.choose("row", "All");
        QVERIFY(shown.finds(4));
    }

    void timeIsFollowedEvenWhereNothingWasFound() {
        Shown shown(m_path);
        shown.search("gemm");
        QVERIFY(shown.finds(4));
        ViewState& view = shown.window.view();
        shown.choose("time", "Selected time");
        view.setWindow({analysis::WindowKind::Range, 0, {TimeNs{410'000}, TimeNs{420'000}}});
        QVERIFY(shown.finds(0));
        QVERIFY(shown.hits()->emptyText().contains("hide all 4 slices"));
        view.setWindow({analysis::WindowKind::Range, 0, {TimeNs{90'000}, TimeNs{250'000}}});
        QVERIFY(shown.finds(2));
        QCOMPARE(shown.column(HitModel::Name), QStringList({"gemm step", "GEMM_fast"}));
        view.setVisible({350'000, 390'000});
        shown.choose("time", "Time in view");
        QVERIFY(shown.finds(0));
        shown.choose("time", "Whole trace");
        QVERIFY(shown.finds(4));
        shown.choose("time", "Time in view");
        QVERIFY(shown.finds(0));
        view.setVisible({305'000, 390'000});  // in the middle of a hit
        QVERIFY(shown.finds(1));
    }

    void aClickGoesThereAndKeysWalk() {
        Shown shown(m_path);
        shown.search("gemm");
        QVERIFY(shown.finds(4));
        ViewState& view = shown.window.view();
        const std::vector<trace::SliceId> hits = *shown.find().result()->hits;
        view.setVisible({0, 5'000});
        shown.click(2);
        QCOMPARE(view.selected(), hits[2]);
        QVERIFY(view.visible().contains(view.trace()->start(hits[2])));
        QCOMPARE(shown.window.findChild<QLabel*>("findCount")->text(), QString("3 of 4"));
        QTest::keyClick(&shown.window, Qt::Key_F3);
        QCOMPARE(view.selected(), hits[3]);
        QCOMPARE(shown.hits()->currentIndex().row(), 3);
        QTest::keyClick(&shown.window, Qt::Key_F3);  // from the last to the first
        QCOMPARE(view.selected(), hits[0]);
        QTest::keyClick(&shown.window, Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(view.selected(), hits[3]);
        view.select(hits[1]);  // a hit that is clicked anywhere else
        QCOMPARE(shown.hits()->currentIndex().row(), 1);
    }

    void sortingKeepsTheChosenHit() {
        Shown shown(m_path);
        shown.search("gemm");
        QVERIFY(shown.finds(4));
        shown.click(1);
        shown.clickHeader(HitModel::Duration);
        QCOMPARE(shown.column(HitModel::Duration),
                 QStringList({"40.000", "30.000", "20.000", "10.000"}));
        shown.clickHeader(HitModel::Duration);
        QCOMPARE(shown.column(HitModel::Duration),
                 QStringList({"10.000", "20.000", "30.000", "40.000"}));
        QCOMPARE(shown.hits()->currentIndex().row(), 2);
        shown.hits()->copyCsv();
        QVERIFY(QGuiApplication::clipboard()->text().contains("GEMM_fast,kernel"));
        QVERIFY(QGuiApplication::clipboard()->text().contains("200000,20000"));
    }

    void expressionsThatAreNoneSaySo() {
        Shown shown(m_path);
        shown.search("/gemm|Mem/");
        QVERIFY(shown.finds(5));
        shown.part<QLineEdit>("text")->setText("/(gemm/");
        QTRY_VERIFY(shown.figures().contains("missing )"));
        QCOMPARE(shown.hits()->model()->rowCount(), 0);
        QVERIFY(!shown.window.view().marks());
        QCOMPARE(shown.window.findChild<QLabel*>("findCount")->text(),
                 QString("invalid expression"));
        shown.part<QLineEdit>("text")->setText("/(gemm)/");
        QVERIFY(shown.finds(4));
    }

    void marksComeAndGoWithTheSearch() {
        Shown shown(m_path);
        auto* field = shown.window.findChild<QLineEdit*>("findText");
        QTest::keyClick(&shown.window, Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(field, "gemm");
        QVERIFY(shown.finds(4));
        QVERIFY(shown.window.view().marks() != nullptr);
        QCOMPARE(shown.window.view().marks()->byStart(), *shown.find().result()->hits);
        QVERIFY(shown.hits()->viewport()->visibleRegion().isEmpty());  // another panel is before it
        QTest::keyClick(field, Qt::Key_Return);  // goes to the first and opens the list
        QTRY_VERIFY(!shown.hits()->viewport()->visibleRegion().isEmpty());
        QVERIFY(field->hasFocus());
        QCOMPARE(shown.window.view().chosenMark(), shown.find().result()->hits->front());
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!shown.window.view().marks());
        QCOMPARE(shown.hits()->model()->rowCount(), 0);
    }

    void manyHitsAreSortedByAWorker() {
        QFile file(m_folder.filePath("many.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[");
        constexpr int kHits = 30'000;
        for (int i = 0; i < kHits; ++i) {
            file.write(QByteArray(i == 0 ? "" : ",") +
                       R"({"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":1,"ts":)" +
                       QByteArray::number(i * 20) + R"(,"dur":)" +
                       QByteArray::number((i * 7919) % 17 + 1) + "}");
        }
        file.write("]");
        file.close();
        Shown shown(file.fileName());
        shown.search("op");
        QVERIFY(shown.finds(kHits));
        shown.clickHeader(HitModel::Duration);
        QVERIFY(waitFor([&] { return !shown.window.docks().busy(); }));
        const QAbstractItemModel* model = shown.hits()->model();
        QCOMPARE(model->rowCount(), kHits);
        QCOMPARE(model->index(0, HitModel::Duration).data().toString(), QString("17.000"));
        QCOMPARE(model->index(kHits - 1, HitModel::Duration).data().toString(), QString("1.000"));
        double last = 1e9;
        for (int row = 0; row < kHits; row += 97) {
            const double now = model->index(row, HitModel::Duration).data().toString().toDouble();
            QVERIFY(now <= last);
            last = now;
        }
    }

    void anotherFileIsSearchedToo() {
        Shown shown(m_path);
        shown.search("gemm");
        QVERIFY(shown.finds(4));
        shown.choose("row", "stream 13");
        QVERIFY(shown.finds(1));
        QFile file(m_folder.filePath("other.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"([{"ph":"X","cat":"kernel","name":"gemm","pid":1,"tid":1,"ts":1,"dur":9}])");
        file.close();
        shown.window.openFiles({file.fileName()});
        QVERIFY(waitFor([&] {
            return shown.find().result() && shown.column(HitModel::Name) == QStringList("gemm");
        }));
        QCOMPARE(shown.part<QComboBox>("row")->currentIndex(), 0);
        shown.window.closeFile();
        shown.window.closeFile();
        QCOMPARE(shown.hits()->model()->rowCount(), 0);
    }
};

QTEST_MAIN(FindPanelTest)
#include "FindPanelTest.moc"
