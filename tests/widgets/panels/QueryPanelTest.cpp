// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>
#include "tests/Patience.h"

#include "tests/widgets/ShownPanel.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/panels/query/SqlEditor.h"
#include "widgets/plots/PointPlot.h"
#include "widgets/style/MessageBar.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::panels;

namespace {

constexpr const char* kTrace = R"([
{"ph":"X","cat":"cpu_op","name":"outer","pid":9,"tid":9,"ts":0,"dur":100},
{"ph":"X","cat":"cpu_op","name":"early","pid":9,"tid":9,"ts":10,"dur":20},
{"ph":"X","cat":"cpu_op","name":"late","pid":9,"tid":9,"ts":60,"dur":5}
])";

struct ShownQuery : ShownPanel {
    explicit ShownQuery(const QString& path) : ShownPanel("query", {1400, 900}) {
        window.docks().showPanel(QStringLiteral("query"));
        window.openFiles({path});
    }
    SqlEditor* editor() { return part<SqlEditor>("sql"); }
    DataTable* rows() { return part<DataTable>("answer"); }
    QString state() { return part<QLabel>("state")->text(); }
    QString cell(int row, int column) {
        return rows()->model()->index(row, column).data().toString();
    }
    bool isLoaded() { return part<QPushButton>("run")->isEnabled(); }
    void ask(const char* sql) {
        editor()->setPlainText(QString::fromLatin1(sql));
        QTest::keyClick(editor(), Qt::Key_Return, Qt::ControlModifier);
    }
};

}  // namespace

class QueryPanelTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QFile file(m_folder.filePath(QStringLiteral("trace.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(kTrace);
        m_path = file.fileName();
    }

    void anAnswerLeadsToTheTimeline() {
        ShownQuery shown(m_path);
        QTRY_VERIFY(shown.isLoaded());
        shown.ask("SELECT dur, id, name FROM slices ORDER BY start");
        QTRY_COMPARE(shown.rows()->model()->rowCount(), 3);
        QCOMPARE(shown.cell(0, 0), QStringLiteral("100000"));
        QCOMPARE(shown.cell(2, 2), QStringLiteral("late"));
        const QRect row = shown.rows()->visualRect(shown.rows()->model()->index(1, 2));
        QTest::mouseClick(shown.rows()->viewport(), Qt::LeftButton, {}, row.center());
        QTest::mouseDClick(shown.rows()->viewport(), Qt::LeftButton, {}, row.center());
        QTRY_COMPARE(shown.selected(), std::string_view("early"));
        shown.rows()->setCurrentIndex(shown.rows()->model()->index(2, 0));
        shown.rows()->setFocus();
        QTest::keyClick(shown.rows(), Qt::Key_Return);
        QTRY_COMPARE(shown.selected(), std::string_view("late"));
    }

    void onlyTheSelectedTimeCounts() {
        ShownQuery shown(m_path);
        QTRY_VERIFY(shown.isLoaded());
        shown.window.view().selectRange(TimeSpan{50'000, 70'000});
        shown.part<QCheckBox>("selectedOnly")->setChecked(true);
        shown.ask("SELECT name FROM slices ORDER BY start");
        QTRY_COMPARE(shown.rows()->model()->rowCount(), 2);
        QCOMPARE(shown.cell(1, 0), QStringLiteral("late"));
    }

    void whatIsWrongIsSaid() {
        ShownQuery shown(m_path);
        QTRY_VERIFY(shown.isLoaded());
        shown.ask("SELECT duration FROM slices");
        auto* const bar = shown.window.docks().panel("query")->findChild<style::MessageBar*>();
        QTRY_VERIFY(bar->isVisible());
        QVERIFY(shown.isLoaded());
        shown.ask("SELECT 1 AS one");
        QTRY_VERIFY2(shown.state().startsWith("1 row, "), qPrintable(shown.state()));
        QTRY_COMPARE(shown.rows()->model()->rowCount(), 1);
        QVERIFY(!bar->isVisible());
    }

    void anEndlessQueryIsCancelled() {
        ShownQuery shown(m_path);
        QTRY_VERIFY(shown.isLoaded());
        shown.ask(
            "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c");
        auto* const cancel = shown.part<QPushButton>("cancel");
        QTRY_VERIFY(cancel->isEnabled());
        QTest::mouseClick(cancel, Qt::LeftButton);
        QTRY_VERIFY(shown.isLoaded() && !cancel->isEnabled());
        shown.ask("SELECT 5 AS five");
        QTRY_COMPARE(shown.cell(0, 0), QStringLiteral("5"));
    }

    void twoColumnsArePlotted() {
        ShownQuery shown(m_path);
        QTRY_VERIFY(shown.isLoaded());
        shown.ask("SELECT name, start, dur FROM slices ORDER BY start");
        QTRY_COMPARE(shown.rows()->model()->rowCount(), 3);
        auto* const plot = shown.part<plots::PointPlot>("plot");
        QVERIFY(!plot->isVisible());
        shown.part<QComboBox>("across")->setCurrentText(QStringLiteral("start"));
        shown.part<QComboBox>("up")->setCurrentText(QStringLiteral("dur"));
        QTRY_VERIFY(plot->isVisible());
        QCOMPARE(plot->points().size(), std::size_t{3});
        QCOMPARE(plot->points()[1].x, 10'000.0);
        QCOMPARE(plot->points()[1].y, 20'000.0);
        QTRY_VERIFY(plot->rect().contains(plot->placeOf(1).toPoint()));
        QTest::mouseClick(plot, Qt::LeftButton, {}, plot->placeOf(1).toPoint());
        QTRY_VERIFY(shown.rows()->selectionModel()->isRowSelected(1, {}));
    }

    void namesAreOffered() {
        ShownQuery shown(m_path);
        shown.editor()->clear();
        shown.editor()->setFocus();
        QTest::keyClicks(shown.editor(), QStringLiteral("select * from gpu_o"));
        QAbstractItemView* const list = shown.editor()->completer().popup();
        QTRY_VERIFY(list->isVisible());
        QCOMPARE(shown.editor()->completer().currentCompletion(), QStringLiteral("gpu_ops"));
        emit shown.editor()->completer().activated(QStringLiteral("gpu_ops"));
        QCOMPARE(shown.editor()->toPlainText(), QStringLiteral("select * from gpu_ops"));
        list->hide();
    }

    void queriesAreRemembered() {
        ShownQuery shown(m_path);
        QTRY_VERIFY(shown.isLoaded());
        shown.ask("SELECT 1 AS one");
        shown.ask("SELECT 2 AS two");
        QCOMPARE(shown.settings.queryHistory.value(),
                 (QStringList{"SELECT 2 AS two", "SELECT 1 AS one"}));
        shown.settings.savedQueries.set({QStringLiteral("mine\nSELECT 3 AS three")});
        QMenu* const menu = shown.part<QToolButton>("queries")->menu();
        emit menu->aboutToShow();
        for (QAction* action : menu->actions()) {
            if (action->text() == QStringLiteral("mine")) {
                action->trigger();
            }
        }
        QCOMPARE(shown.editor()->toPlainText(), QStringLiteral("SELECT 3 AS three"));
    }

private:
    QTemporaryDir m_folder;
    QString m_path;
};

QTEST_MAIN(QueryPanelTest)
#include "QueryPanelTest.moc"
