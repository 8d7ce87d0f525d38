// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDirIterator>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "tests/support/SampleBaseline.h"
#include "tests/support/SampleResults.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/CsvModel.h"
#include "widgets/models/results/ResultModel.h"
#include "widgets/panels/history/HistoryPanel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/plots/BarPlot.h"
#include "widgets/plots/history/HistoryChart.h"
#include "widgets/style/MessageBar.h"
#include "widgets/style/Theme.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::models;
using namespace kinetoscope::panels;
using namespace kinetoscope::plots;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::trace;

namespace {

const QString kCache = QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/golden/plans/cache");
constexpr const char* kWorker = KINETOSCOPE_SOURCE_DIR "/tests/widgets/fake_kscope.sh";
const QString kTables = QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/golden/metric_tables/");

}  // namespace

class BenchPanelTest final : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    struct Shown {
        Settings settings{Settings::InMemory{}};
        MainWindow window{settings};

        explicit Shown(const QString& file = kCache) {
            window.show();
            window.openFiles({file});
        }
        template <class T>
        T* part(const char* name, const char* panel = "bench") {
            return window.docks()
                .panel(QString::fromLatin1(panel))
                ->findChild<T*>(QString::fromLatin1(name));
        }
        QTableView* kernels() { return part<QTableView>("benchKernels"); }
        QPushButton* button(const char* name) { return part<QPushButton>(name); }
        int column(const char* key) {
            return qobject_cast<const ResultModel*>(kernels()->model())->columnOf(key);
        }
        QString cell(int row, const char* key) {
            return kernels()->model()->index(row, column(key)).data().toString();
        }
        int rowOf(const QString& name) {
            for (int row = 0; row < kernels()->model()->rowCount(); ++row) {
                if (cell(row, "name") == name) {
                    return row;
                }
            }
            return -1;
        }
        bool opened() {
            return waitFor([&] { return kernels()->model()->rowCount() == 5; });
        }
        bool idle() {
            return waitFor([&] { return button("run")->isVisible(); });
        }
    };

    QString log() {
        QFile file(m_folder.filePath("log"));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

private slots:
    void initTestCase() {
        applyTheme(ThemeChoice::Light);
        qputenv("KINETOSCOPE_KSCOPE", kWorker);
        qputenv("FAKE_LOG", m_folder.filePath("log").toUtf8());
    }
    void init() {
        failOnQtWarnings();
        QFile::remove(m_folder.filePath("log"));
        for (const char* name : {"FAKE_WAIT", "FAKE_CODE", "FAKE_ERROR"}) {
            qunsetenv(name);
        }
    }

    void cacheShowsItsKernelsWithTheirSources() {
        Shown shown;
        QVERIFY(shown.opened());
        QVERIFY(!shown.window.docks().panel("bench")->visibleRegion().isEmpty());
        auto* source = shown.part<QPlainTextEdit>("benchSource");
        const int row = shown.rowOf("triton_tem_fused_mm_0");
        QVERIFY(row >= 0);
        QCOMPARE(shown.cell(row, "category"), QString("template"));
        QTest::mouseClick(
            shown.kernels()->viewport(), Qt::LeftButton, {},
            shown.kernels()->visualRect(shown.kernels()->model()->index(row, 0)).center());
        QVERIFY(source->toPlainText().contains("def triton_tem_fused_mm_0("));
        QVERIFY(shown.button("run")->isEnabled());
        QVERIFY(!shown.button("stop")->isVisible());
    }

    void rowsFillWhileKernelsRun() {
        Shown shown;
        QVERIFY(shown.opened());
        qputenv("FAKE_WAIT", m_folder.filePath("go").toUtf8());
        const int row = shown.rowOf("triton_poi_fused_add_clone_sin_t_0");
        shown.kernels()->selectRow(row);
        QTest::mouseClick(shown.button("run"), Qt::LeftButton);
        QVERIFY(waitFor([&] { return shown.cell(row, "state") == "running"; }));
        QVERIFY(!shown.button("run")->isVisible());
        QVERIFY(shown.button("stop")->isVisible());
        QCOMPARE(shown.cell(row, "median_ns"), QString());
        QFile(m_folder.filePath("go")).open(QIODevice::WriteOnly);
        QVERIFY(waitFor([&] { return shown.cell(row, "state") == "measured"; }));
        QCOMPARE(shown.cell(row, "median_ns"), QString("50.00"));
        QCOMPARE(shown.cell(row, "gb_per_s"), QString("2000.0"));
        QCOMPARE(shown.cell(row, "of_copy"), QString("50.0 %"));
        QCOMPARE(shown.cell(row, "worst"), QString("1.60 ×"));
        QVERIFY(shown.idle());
        QFile::remove(m_folder.filePath("go"));
        const int lost = shown.rowOf("triton_for_fused_0");
        QCOMPARE(shown.cell(lost, "state"), QString("the GPU burnt down"));
        QCOMPARE(log().trimmed(), "bench kernels --stream --method cupti-cold -- " + kCache);
        // The plot follows the selected kernel: two bars, the faster one marked and shorter.
        auto* times = shown.part<BarPlot>("benchTimes");
        QVERIFY(times->isVisible());
        QCOMPARE(times->bars().size(), 2U);
        QCOMPARE(times->bars()[0].label, QString("XBLOCK 64, 4 warps, 1 stage"));
        QVERIFY(times->bars()[0].marked && !times->bars()[1].marked);
        const QRectF fast = times->barRect(0);
        const QRectF slow = times->barRect(1);
        QVERIFY2(std::abs(slow.width() / fast.width() - 1.6) < 0.02, "bars are to scale");
        const QImage picture = times->grab().toImage();
        QCOMPARE(picture.pixelColor(fast.center().toPoint()), Theme::current().good());
        QCOMPARE(picture.pixelColor(slow.center().toPoint()), Theme::current().accent());
    }

    void chosenKernelsAndMethodAreAskedFor() {
        Shown shown;
        QVERIFY(shown.opened());
        shown.part<QComboBox>("benchMethod")->setCurrentText("graph-cold");
        shown.kernels()->clearSelection();
        QVERIFY(!shown.button("runSelected")->isEnabled());
        const int row = shown.rowOf("triton_poi_fused_add_clone_sin_t_0");
        shown.kernels()->selectRow(row);
        QTest::mouseClick(shown.button("runSelected"), Qt::LeftButton);
        QCOMPARE(shown.cell(row, "state"), QString("waiting"));
        QVERIFY(shown.idle());
        QCOMPARE(log().trimmed(),
                 "bench kernels --stream --method graph-cold --key "
                 "c2bhmxwytl3ofj4p6ipllxz7hb7hkp7vm5vrx35k2572t64ysadi -- " +
                     kCache);
    }

    void cancelEndsTheRun() {
        Shown shown;
        QVERIFY(shown.opened());
        qputenv("FAKE_WAIT", m_folder.filePath("never").toUtf8());
        const int row = shown.rowOf("triton_poi_fused_add_clone_sin_t_0");
        QTest::mouseClick(shown.button("run"), Qt::LeftButton);
        QVERIFY(waitFor([&] { return shown.cell(row, "state") == "running"; }));
        QTest::mouseClick(shown.button("stop"), Qt::LeftButton);
        QVERIFY(shown.idle());
        QCOMPARE(shown.cell(row, "state"), QString());
        QVERIFY(!shown.window.docks().panel("bench")->findChild<MessageBar*>()->isVisible());
    }

    void failuresAreShown() {
        Shown shown;
        QVERIFY(shown.opened());
        qputenv("FAKE_CODE", "1");
        qputenv("FAKE_ERROR", "no NVIDIA driver");
        auto* bar = shown.window.docks().panel("bench")->findChild<MessageBar*>();
        QTest::mouseClick(shown.button("run"), Qt::LeftButton);
        QVERIFY(waitFor([&] { return bar->isVisible(); }));
        QVERIFY2(bar->text().contains("no NVIDIA driver"), qPrintable(bar->text()));
        qputenv("KINETOSCOPE_KSCOPE", "/no/such/kscope");
        QTest::mouseClick(shown.button("run"), Qt::LeftButton);
        QVERIFY(waitFor([&] { return bar->text().contains("/no/such/kscope"); }));
        QVERIFY(shown.idle());
        qputenv("KINETOSCOPE_KSCOPE", kWorker);
    }

    void doubleClicksLeadToTheTraceAndBack() {
        Shown shown;
        QVERIFY(shown.opened());
        const auto trace = makeTrace({{"other", 0, 100},
                                      {"triton_poi_fused_add_clone_sin_t_0", 200, 300},
                                      {"triton_poi_fused_add_clone_sin_t_0", 600, 900}});
        shown.window.session().add("run.json", trace);
        QVERIFY(waitFor([&] { return shown.window.session().reports().report() != nullptr; }));
        const int row = shown.rowOf("triton_poi_fused_add_clone_sin_t_0");
        auto* kernels = shown.kernels();
        const QPoint at = kernels->visualRect(kernels->model()->index(row, 0)).center();
        QTest::mouseClick(kernels->viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(kernels->viewport(), Qt::LeftButton, {}, at);
        const SliceId selected = shown.window.view().selected();
        QVERIFY(selected != kNoSlice);
        QCOMPARE(trace->duration(selected), TimeNs{900});
        // And from the kernel table of the trace to its entry here.
        kernels->clearSelection();
        shown.window.docks().showPanel("kernels");
        auto* table = shown.part<QTableView>("kernels", "kernels");
        for (int i = 0; i < table->model()->rowCount(); ++i) {
            const QModelIndex index = table->model()->index(i, 0);
            if (index.data().toString().startsWith("triton")) {
                const QPoint there = table->visualRect(index).center();
                QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, there);
                QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, there);
                break;
            }
        }
        QVERIFY(!shown.window.docks().panel("bench")->visibleRegion().isEmpty());
        QCOMPARE(kernels->selectionModel()->selectedRows().size(), 1);
        QCOMPARE(kernels->selectionModel()->selectedRows()[0].row(), row);
    }

    // What was measured, without a cache to measure it again.
    void savedResultsOpen() {
        const QString path = m_folder.filePath("kernels.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(test::sampleKernels().c_str()) > 0);
        file.close();
        Shown shown(path);
        QCOMPARE(shown.kernels()->model()->rowCount(), 2);
        QVERIFY(!shown.window.docks().panel("bench")->visibleRegion().isEmpty());
        const int row = shown.rowOf("triton_poi_fused_0");
        QCOMPARE(shown.cell(row, "median_ns"), QString("0.91"));
        QCOMPARE(shown.cell(row, "configs"), QString("2"));
        QCOMPARE(shown.cell(shown.rowOf("triton_red_fused_1"), "state"),
                 QString("its grid is not known"));
        QCOMPARE(shown.part<BarPlot>("benchTimes")->bars().size(), 2U);
        QVERIFY(!shown.button("run")->isEnabled());
        QVERIFY(!shown.button("runSelected")->isEnabled());
    }

    void folderWithoutKernelsSaysSo() {
        QTemporaryDir empty;
        Shown shown(empty.path());
        auto* table = static_cast<DataTable*>(shown.kernels());
        QVERIFY(waitFor([&] { return table->emptyText().contains("contains no kernels"); }));
        QVERIFY(!shown.button("run")->isEnabled());
    }

    void metricTableSortsAndPlots() {
        Shown shown(kTables + "metric_table_fusion_failure_due_to_indexing_mismatch.csv");
        auto* table = shown.part<QTableView>("metricTable", "table");
        QVERIFY(!shown.window.docks().panel("table")->visibleRegion().isEmpty());
        QCOMPARE(table->model()->rowCount(), 40);
        auto* column = shown.part<QComboBox>("metricColumn", "table");
        auto* plot = shown.part<BarPlot>("metricPlot", "table");
        QVERIFY(column->count() > 0);
        QCOMPARE(plot->bars().size(), 40U);
        QCOMPARE(plot->title(), column->currentText());
        // Sorting the column sorts the bars.
        column->setCurrentText("post_grad_graph_id");
        QCOMPARE(plot->bars()[0].value, std::optional(0.0));
        const int plotted = column->currentData().toInt();
        table->sortByColumn(plotted, Qt::DescendingOrder);
        double before = std::numeric_limits<double>::infinity();
        for (const Bar& bar : plot->bars()) {
            QVERIFY(bar.value.value_or(before) <= before);
            before = bar.value.value_or(before);
        }
        QCOMPARE(plot->bars()[0].value, std::optional(1.0));
        QCOMPARE(table->model()->index(0, plotted).data().toString(), QString("1"));
        // Another table with other columns.
        shown.window.openFiles({kTables + "metric_table_graph_stats.csv"});
        QCOMPARE(table->model()->rowCount(), 2);
        QCOMPARE(plot->bars().size(), 2U);
        // A number without an interval has no whisker on its bar.
        const QImage drawn = plot->grab().toImage();
        const QPoint top =
            plot->barRect(1).toRect().topLeft() + QPoint(plot->barRect(1).toRect().width() / 2, 0);
        const int darkest = style::Theme::current().accent().lightness();
        for (int y = top.y() - 3; y <= top.y() + 3; ++y) {
            QVERIFY2(drawn.pixelColor(top.x(), y).lightness() >= darkest - 4,
                     qPrintable(QString::number(y - top.y())));
        }
        QCOMPARE(drawn.pixelColor(top + QPoint(0, 6)), style::Theme::current().accent());
    }

    void brokenTableIsAnError() {
        const QString path = m_folder.filePath("broken.csv");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("a,b\n1\n");
        file.close();
        Shown shown(path);
        auto* bar = shown.window.docks().panel("table")->findChild<MessageBar*>();
        QVERIFY(bar->isVisible());
        QVERIFY2(bar->text().contains("broken.csv"), qPrintable(bar->text()));
    }

    void whyNothingRunsIsInSight() {
        Shown shown(kCache + QStringLiteral("/triton_cache"));  // without sources
        shown.window.resize(1280, 700);
        auto* table = shown.kernels();
        QTRY_VERIFY(table->model()->rowCount() > 0);
        QCoreApplication::processEvents();
        const QModelIndex state = table->model()->index(0, shown.column("state"));
        QVERIFY(!state.data().toString().isEmpty());
        const QRect reason = table->visualRect(state);
        QVERIFY(table->viewport()->rect().contains(reason.center()));
        QVERIFY(reason.left() >= table->columnWidth(shown.column("name")));
        const auto* bar = shown.window.docks().panel("bench")->findChild<MessageBar*>();
        QVERIFY(bar->isVisible());
        QVERIFY2(bar->text().contains(state.data().toString()), qPrintable(bar->text()));
    }

    void cachesOpenedTogetherAreShownTogether() {
        const QString other =
            QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/golden/plans/autotuned");
        Shown shown;
        QVERIFY(shown.opened());
        shown.window.openFiles({kCache, other});
        QTRY_VERIFY(shown.kernels()->model()->rowCount() > 5);
        QVERIFY(shown.rowOf("triton_tem_fused_mm_0") >= 0);
        QVERIFY(shown.rowOf("triton_poi_fused_gelu_gelu_backward_5") >= 0);
        QTest::mouseClick(shown.button("run"), Qt::LeftButton);
        QVERIFY(shown.idle());
        QCOMPARE(log().trimmed(),
                 "bench kernels --stream --method cupti-cold -- " + kCache + " " + other);
    }

    void aFolderOfTracesOpensThem() {
        const QTemporaryDir folder;
        for (const char* name : {"before.json.gz", "after.json.gz"}) {
            QVERIFY(QFile::copy(samplePath(), folder.filePath(name)));
        }
        QFile other(folder.filePath("settings.json"));
        QVERIFY(other.open(QIODevice::WriteOnly) && other.write("{\"a\": 1}") > 0);
        other.close();
        Shown shown(folder.filePath("before.json.gz"));
        QTRY_VERIFY(shown.window.session().runs().size() == 1);
        QSignalSpy started(&shown.window.loader(), &TraceLoader::started);
        shown.window.openFiles({folder.path()});
        QTRY_VERIFY(shown.window.session().runs().size() == 2);
        QTRY_VERIFY(!shown.window.loader().isLoading());
        QCOMPARE(started.count(), 1);  // the open one is not read again
        QCOMPARE(started[0][0].toString(), folder.filePath("after.json.gz"));
        QVERIFY(shown.window.docks().dock("bench")->isHidden());
    }

    void csvColumnsSortAsTheirKind() {
        CsvModel model;
        model.setTable(
            {{"name", "n", "mixed"}, {{"b", "10", "x"}, {"a", "", "2"}, {"c", "9", "1"}}});
        QCOMPARE(model.numericColumns(), std::vector<int>{1});
        model.sort(1, Qt::AscendingOrder);
        QCOMPARE(model.index(0, 1).data().toString(), QString("9"));
        QCOMPARE(model.index(2, 1).data().toString(), QString());
        model.sort(0, Qt::AscendingOrder);
        QCOMPARE(model.index(0, 0).data().toString(), QString("a"));
        model.setTable({});
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.columnCount(), 1);
    }

    void anEntryOfABaselineOpensWhatWasKept() {
        const QString store = m_folder.filePath("store");
        std::vector<double> times(14, 20.0);
        std::fill(times.begin() + 8, times.end(), 22.0);
        test::writeBaseline(store.toStdString(), times, test::sampleKernels());
        Shown shown;
        auto* panel = qobject_cast<HistoryPanel*>(shown.window.docks().panel("history"));
        shown.window.docks().showPanel(QStringLiteral("history"));
        panel->openStore(store);
        auto* chart = shown.part<HistoryChart>("historyChart", "history");
        QTRY_COMPARE(chart->dots().size(), std::size_t(14));
        QCOMPARE(chart->title(), QString::fromUtf8("softmax (µs)"));
        // The change point is where the times change, and nowhere else.
        for (std::size_t i = 0; i < times.size(); ++i) {
            QCOMPARE(chart->dots()[i].value, times[i]);
            QCOMPARE(!chart->dots()[i].change.isEmpty(), i == 8);
        }
        QVERIFY(chart->dots()[8].change.startsWith("SLOWER by 10.0 %"));
        // Slower is higher up, later further right; the interval is on both sides.
        QTRY_VERIFY(chart->placeOf(8).y() < chart->placeOf(7).y());
        QVERIFY(chart->placeOf(8).x() > chart->placeOf(7).x());
        const auto [low, high] = chart->intervalOf(3);
        QVERIFY(low > chart->placeOf(3).y() && high < chart->placeOf(3).y());
        // Between the two is a line in the colour of what is worse.
        const QColor error = Theme::current().error();
        const auto isError = [&error](const QColor& color) {
            return std::abs(color.red() - error.red()) + std::abs(color.green() - error.green()) +
                       std::abs(color.blue() - error.blue()) <
                   90;
        };
        const auto isRedBetween = [&] {
            const QImage picture = chart->grab().toImage();
            const QPointF between = (chart->placeOf(7) + chart->placeOf(8)) / 2.0;
            for (int x = -3; x <= 3; ++x) {
                for (int y = 0; y < picture.height(); ++y) {
                    const int column = static_cast<int>(between.x()) + x;
                    if (column >= 0 && column < picture.width() &&
                        isError(picture.pixelColor(column, y))) {
                        return true;
                    }
                }
            }
            return false;
        };
        QTRY_VERIFY(isRedBetween());  // what changed is drawn with the next picture
        QVERIFY(chart->toolTipAt(chart->placeOf(8)).contains("commit c8"));
        QTest::mouseClick(chart, Qt::LeftButton, {}, chart->placeOf(8).toPoint());
        QTRY_VERIFY(shown.rowOf("triton_red_fused_1") >= 0);
    }
};

QTEST_MAIN(BenchPanelTest)
#include "BenchPanelTest.moc"
