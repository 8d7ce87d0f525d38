// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QToolButton>
#include "tests/Patience.h"

#include "tests/widgets/ShownPanel.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/IdleModels.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::models;
using namespace kinetoscope::panels;
using namespace kinetoscope::session;
using namespace kinetoscope::style;

namespace {

using Gaps = IdleGapModel;
using Groups = IdleGroupModel;

// Two gaps. [100 µs, 320 µs): the launch comes 200 µs late, three quarters of them in aten::mm.
// [400 µs, 480 µs): it was there before; 30 µs of launching, 50 µs of waiting for something else.
constexpr const char* kTrace = R"({"traceEvents":[
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":9,"tid":9,"ts":0,"dur":500},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":150,"dur":170},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":300,"dur":10,
 "args":{"correlation":7}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":330,"dur":10,
 "args":{"correlation":8}},
{"ph":"X","cat":"kernel","name":"first","pid":0,"tid":7,"ts":0,"dur":100,
 "args":{"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"second","pid":0,"tid":7,"ts":320,"dur":80,
 "args":{"correlation":7,"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"third","pid":0,"tid":7,"ts":480,"dur":20,
 "args":{"correlation":8,"device":0,"stream":7}}
]})";

struct Shown : ShownPanel {
    explicit Shown(const QString& path) : ShownPanel("idle", {1600, 1000}) {
        window.docks().showPanel(QStringLiteral("idle"));
        window.openFiles({path});
    }
    DataTable* gaps() { return part<DataTable>("gaps"); }
    DataTable* groups() { return part<DataTable>("idleGroups"); }
    QString state() { return part<QLabel>("state")->text(); }
    bool ready(const char* state) {
        return waitFor([&] {
            const auto& layout = window.view().layout();
            return !window.docks().busy() && layout && layout->gaps &&
                   this->state() == QString::fromUtf8(state);
        });
    }
    static QStringList row(DataTable* table, int row, std::initializer_list<int> columns) {
        QStringList texts;
        for (const int column : columns) {
            texts += table->model()->index(row, column).data().toString();
        }
        return texts;
    }
    void click(DataTable* table, int row) {
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(row, 1)).center());
    }
};

}  // namespace

class IdlePanelTest final : public QObject {
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

    void gapsSayWhenAndWhy() {
        Shown shown(m_path);
        QVERIFY(shown.ready("2 gaps of 1 µs and longer"));
        const auto columns = {Gaps::Start, Gaps::Length, Gaps::Reason,
                              Gaps::Host,  Gaps::Kind,   Gaps::Next};
        const auto row = [&](int at) {
            QStringList texts;
            for (const auto column : columns) {
                texts += Shown::row(shown.gaps(), at, {column});
            }
            return texts;
        };
        QCOMPARE(row(0),
                 QStringList({"0.100", "220.000", "Host", "aten::mm", "operator", "second"}));
        QCOMPARE(row(1), QStringList({"0.400", "80.000", "Dependency", "", "", "third"}));
        QVERIFY(shown.gaps()->isColumnHidden(Gaps::Gpu));
    }

    void timeIsDividedByReasonAndByHost() {
        Shown shown(m_path);
        QVERIFY(shown.ready("2 gaps of 1 µs and longer"));
        const auto row = [&](int at) {
            return Shown::row(shown.groups(), at,
                              {Groups::Name, Groups::Time, Groups::Share, Groups::Count});
        };
        QCOMPARE(shown.groups()->model()->rowCount(), 3);
        QCOMPARE(shown.groups()->model()->headerData(Groups::Time, Qt::Horizontal).toString(),
                 QString::fromUtf8("Time µs"));
        QCOMPARE(row(0), QStringList({"Host", "200.000", "66.67 %", "1"}));
        QCOMPARE(row(1), QStringList({"Launch", "50.000", "16.67 %", "0"}));
        QCOMPARE(row(2), QStringList({"Dependency", "50.000", "16.67 %", "1"}));
        shown.part<QComboBox>("by")->setCurrentIndex(1);
        QCOMPARE(shown.groups()->model()->rowCount(), 1);
        QCOMPARE(row(0), QStringList({"aten::mm", "200.000", "66.67 %", "1"}));
    }

    void aGroupShowsItsGapsAlone() {
        Shown shown(m_path);
        QVERIFY(shown.ready("2 gaps of 1 µs and longer"));
        auto* clear = shown.part<QToolButton>("clear");
        QVERIFY(clear->isHidden());
        shown.click(shown.groups(), 2);
        QCOMPARE(shown.state(), QString("1 of 2 gaps of 1 µs and longer"));
        QCOMPARE(Shown::row(shown.gaps(), 0, {Gaps::Next}), QStringList("third"));
        QCOMPARE(clear->text(), QString("Dependency"));
        clear->click();
        QCOMPARE(shown.state(), QString("2 gaps of 1 µs and longer"));
        shown.part<QLineEdit>("filter")->setText("seco");
        QCOMPARE(shown.state(), QString("1 of 2 gaps of 1 µs and longer"));
    }

    void aClickGoesThere() {
        Shown shown(m_path);
        QVERIFY(shown.ready("2 gaps of 1 µs and longer"));
        shown.window.view().setVisible({0, 50'000});
        shown.click(shown.gaps(), 0);
        const auto gap = Selection(SelectedGap{0, {100'000, 320'000}});
        QVERIFY(shown.window.view().selection() == gap);
        const TimeSpan visible = shown.window.view().visible();
        QVERIFY(visible.start <= 100'000 && visible.end >= 320'000);
        QTest::mouseDClick(shown.gaps()->viewport(), Qt::LeftButton, {},
                           shown.gaps()->visualRect(shown.gaps()->model()->index(0, 1)).center());
        QCOMPARE(shown.selected(), std::string_view("aten::mm"));
        // The row is still the current one; a click on it comes back.
        shown.click(shown.gaps(), 0);
        QVERIFY(shown.window.view().selection() == gap);
    }

    void theRowOfASelectedGapIsCurrent() {
        Shown shown(m_path);
        QVERIFY(shown.ready("2 gaps of 1 µs and longer"));
        shown.window.view().setSelection(SelectedGap{0, {400'000, 480'000}});
        QCOMPARE(shown.gaps()->currentIndex().row(), 1);
        const TimeSpan visible = shown.window.view().visible();
        shown.window.view().setSelection(SelectedGap{0, {100'000, 320'000}});
        QCOMPARE(shown.gaps()->currentIndex().row(), 0);
        QCOMPARE(shown.window.view().visible(), visible);
        // The filter hides its row: none is current.
        shown.part<QLineEdit>("filter")->setText("third");
        shown.window.view().setSelection({});
        shown.window.view().setSelection(SelectedGap{0, {100'000, 320'000}});
        QVERIFY(!shown.gaps()->currentIndex().isValid());
        // A window that cuts the gap has a row for what is left of it, which selects all of it.
        shown.part<QLineEdit>("filter")->clear();
        shown.window.view().setWindow(
            {analysis::WindowKind::Range, 0, {TimeNs{200'000}, TimeNs{350'000}}});
        QVERIFY(shown.ready("1 gap of 1 µs and longer"));
        QCOMPARE(shown.gaps()->currentIndex().row(), 0);
        shown.window.view().setSelection({});
        shown.click(shown.gaps(), 0);
        QVERIFY(shown.window.view().selection() == Selection(SelectedGap{0, {100'000, 320'000}}));
    }

    void theWindowIsFollowed() {
        Shown shown(m_path);
        QVERIFY(shown.ready("2 gaps of 1 µs and longer"));
        shown.window.view().setWindow(
            {analysis::WindowKind::Range, 0, {TimeNs{350'000}, TimeNs{500'000}}});
        QVERIFY(shown.ready("1 gap of 1 µs and longer"));
        QCOMPARE(Shown::row(shown.gaps(), 0, {Gaps::Reason}), QStringList("Dependency"));
    }
};

QTEST_MAIN(IdlePanelTest)
#include "IdlePanelTest.moc"
