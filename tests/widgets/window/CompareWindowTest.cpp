// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include "tests/Patience.h"

#include "app/kinetoscope/CommandLine.h"
#include "app/kinetoscope/MainWindow.h"
#include "core/bench/results/BenchResult.h"
#include "core/bench/results/ResultDocument.h"
#include "tests/support/SampleResults.h"
#include "tests/widgets/ComparedWindow.h"
#include "widgets/models/CompareModel.h"
#include "widgets/models/RunsModel.h"
#include "widgets/plots/ChangeCharts.h"
#include "widgets/plots/SpeedupCharts.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/WindowStyle.h"
#include "widgets/timeline/TimelineWidget.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::bench::results;
using namespace kinetoscope::models;
using namespace kinetoscope::plots;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::timeline;
using namespace kinetoscope::trace;

class CompareWindowTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        // No results of this machine's user.
        qputenv("KINETOSCOPE_RESULTS", m_results.path().toUtf8());
        applyTheme(ThemeChoice::Light);
        for (int slower = 0; slower < 2; ++slower) {
            ResultDocument document;
            document.method = "event-cold";
            document.gpu.name = "H200";
            BenchItem kernel;
            kernel.name = "triton_poi_fused_add_0";
            kernel.series.emplace_back();
            for (int i = 0; i < 40; ++i) {
                kernel.series[0].samples.push_back({1000.0 + 50 * slower + i % 3, 0.0, false});
            }
            document.items.push_back(kernel);
            keep(QString("2026010%1T000000Z").arg(slower + 1), resultJson(document));
        }
    }
    void init() { failOnQtWarnings(); }

    void compareNeedsABaselineAndACandidate() {
        ComparedWindow window;
        QVERIFY(window.opened);
        auto* button = window.part<QPushButton>("runs", "compare");
        QVERIFY(!button->isEnabled());
        window.clickRun("base.json");
        window.click("markBaseline");
        QVERIFY(!button->isEnabled());
        window.clickRun("slower.json");
        window.click("markCandidate");
        QVERIFY(button->isEnabled());
        window.click("markBaseline");  // the only baseline is another one now
        QVERIFY(!button->isEnabled());
    }

    void theTableSaysWhatChanged() {
        ComparedWindow window;
        QVERIFY(window.compare("base.json", "slower.json"));
        QVERIFY(window.window.docks().panel("compare")->isVisible());
        QCOMPARE(window.changes()->model()->rowCount(), 4);
        QCOMPARE(window.changes()->model()->index(0, CompareModel::Name).data().toString(),
                 QString("alpha"));
        QCOMPARE(window.cell("alpha", CompareModel::VerdictColumn), QString("SLOWER"));
        QCOMPARE(window.cell("alpha", CompareModel::Percent), QString("+10.00 %"));
        QCOMPARE(window.cell("alpha", CompareModel::Share), QString("100.0 %"));
        QCOMPARE(window.cell("alpha", CompareModel::Q50), QString("0.909"));
        QCOMPARE(window.cell("beta", CompareModel::VerdictColumn), QString("SAME"));
        const auto* summary = window.part<QLabel>("compare", "compareSummary");
        QVERIFY(summary->text().contains("1 SLOWER, 0 FASTER, 3 SAME, 0 UNSURE"));
        QVERIFY2(summary->text().contains(QStringLiteral(" \u00b7 step ")),
                 qPrintable(summary->text()));
    }

    void nothingIsCutBesideAComparison() {
        ComparedWindow window;
        window.window.resize(1600, 1000);
        QVERIFY(window.compare("base.json", "slower.json"));
        auto* figures = window.window.docks().panel("summary")->findChild<QScrollArea*>();
        QVERIFY(figures != nullptr);
        auto* dock = window.window.findChild<QDockWidget*>(QStringLiteral("summary"));
        window.window.resizeDocks({dock}, {100}, Qt::Horizontal);
        QTest::qWait(20);
        QTRY_VERIFY(figures->widget()->width() <= figures->viewport()->width());
        QCOMPARE(window.window.width(), 1600);
        auto* chart = window.window.docks().panel("compare")->findChild<WaterfallChart*>();
        chart->setFixedWidth(260);  // names take half of it
        QTRY_VERIFY(chart->xAxis->ticker()->tickCount() <= 3);
        chart->setFixedWidth(1200);
        QTRY_COMPARE(chart->xAxis->ticker()->tickCount(), 5);
    }

    void aHeaderClickSortsByContribution() {
        ComparedWindow window;
        QVERIFY(window.compare("base.json", "fused.json"));
        auto* header = window.changes()->horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(CompareModel::Name) + 20, 8));
        QCOMPARE(window.changes()->model()->index(0, CompareModel::Name).data().toString(),
                 QString("alpha"));
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(CompareModel::Delta) + 20, 8));
        QVERIFY(window.rowOf("triton_poi_fused_add_gelu") == 0);
    }

    void aFusedKernelShowsWhatItReplaced() {
        ComparedWindow window;
        QVERIFY(window.compare("base.json", "fused.json"));
        QCOMPARE(window.cell("triton_poi_fused_add_gelu", CompareModel::Match),
                 QString("operator"));
        window.clickRow("triton_poi_fused_add_gelu");
        const auto* text = window.part<QLabel>("compare", "replacement");
        QVERIFY(text->isVisible());
        QVERIFY(text->text().contains("6× aten::gelu (gelu_kernel)"));
        QVERIFY(text->text().contains("6× aten::add (add_kernel)"));
        window.clickRow("alpha");
        QVERIFY(!text->isVisible());
    }

    void theFilterFindsReplacedKernels() {
        ComparedWindow window;
        QVERIFY(window.compare("base.json", "fused.json"));
        QTest::keyClicks(window.part<QLineEdit>("compare", "compareFilter"), "aten::gelu");
        QCOMPARE(window.changes()->model()->rowCount(), 1);
    }

    void timelinesAreLockedByTheFirstStep() {
        ComparedWindow window;
        QVERIFY(window.compare("base.json", "slower.json"));
        CompareTimelines& both = window.window.compared();
        QVERIFY(both.isVisible());
        QCOMPARE(both.lock().mode(), TimelineLock::Mode::FirstStep);
        QCOMPARE(both.lock().offset(), TimeNs{5'000'000});
        both.base().zoomTo({1'000'000, 1'050'000});
        QCOMPARE(both.candidate().visible().start, both.base().visible().start + 5'000'000);
        QCOMPARE(both.candidate().visible().duration(), both.base().visible().duration());
        both.candidate().pan(10'000);
        QCOMPARE(both.candidate().visible().start, both.base().visible().start + 5'000'000);
    }

    void draggingByHandMovesTheCandidateAlone() {
        ComparedWindow window;
        QVERIFY(window.compare("base.json", "slower.json"));
        CompareTimelines& both = window.window.compared();
        auto* mode = both.findChild<QComboBox*>("lockMode");
        QTest::keyClick(mode, Qt::Key_End);
        emit mode->activated(mode->currentIndex());
        QCOMPARE(both.lock().mode(), TimelineLock::Mode::Free);
        QCOMPARE(mode->currentText(), QStringLiteral("by hand: drag the candidate"));
        const TimeSpan before = both.base().visible();
        TimelineWidget& timeline = both.candidateView().timeline();
        const QPoint from = timeline.timeArea().center();
        QTest::mousePress(&timeline, Qt::LeftButton, {}, from);
        QTest::mouseMove(&timeline, from + QPoint(60, 0));
        QTest::mouseMove(&timeline, from + QPoint(120, 0));
        QTest::mouseRelease(&timeline, Qt::LeftButton, {}, from + QPoint(120, 0));
        QCOMPARE(both.base().visible(), before);
        QVERIFY(both.lock().offset() < 5'000'000);
        QCOMPARE(both.candidate().visible().start, before.start + both.lock().offset());
    }

    void annotationsLockAxes() {
        ComparedWindow window;
        QVERIFY(window.compare("base.json", "slower.json"));
        TimelineLock& lock = window.window.compared().lock();
        QCOMPARE(lock.annotations(),
                 (QStringList{"ProfilerStep#0", "ProfilerStep#1", "ProfilerStep#2"}));
        lock.setAnnotation("ProfilerStep#2");
        QCOMPARE(lock.mode(), TimelineLock::Mode::Annotation);
        QCOMPARE(lock.offset(), TimeNs{5'000'000});
        lock.setMode(TimelineLock::Mode::Start);
        QCOMPARE(lock.offset(), TimeNs{5'000'000});
    }

    void aClickSelectsThePartner() {
        ComparedWindow window;
        QVERIFY(window.compare("base.json", "slower.json"));
        CompareTimelines& both = window.window.compared();
        const SliceId third = sliceOf(*both.base().trace(), "alpha", 2);
        window.clickSlice(both.baseView(), third);
        QCOMPARE(both.base().selected(), third);
        const SliceId partner = both.candidate().selected();
        QCOMPARE(both.candidate().trace()->name(partner), std::string_view("alpha"));
        QCOMPARE(partner, sliceOf(*both.candidate().trace(), "alpha", 2));
        QCOMPARE(window.changes()->currentIndex().row(), window.rowOf("alpha"));
        // And the other way.
        const SliceId beta = sliceOf(*both.candidate().trace(), "beta", 1);
        window.clickSlice(both.candidateView(), beta);
        QCOMPARE(both.base().selected(), sliceOf(*both.base().trace(), "beta", 1));
        QCOMPARE(window.state().selectedKernel(),
                 static_cast<const CompareModel*>(window.changes()->model())
                     ->kernelOf(window.rowOf("beta")));
    }

    void aReplacedKernelLeadsToTheFusedOne() {
        ComparedWindow window;
        QVERIFY(window.compare("base.json", "fused.json"));
        CompareTimelines& both = window.window.compared();
        window.clickSlice(both.baseView(), sliceOf(*both.base().trace(), "gelu_kernel", 3));
        const SliceId partner = both.candidate().selected();
        QVERIFY(partner != kNoSlice);
        QCOMPARE(both.candidate().trace()->name(partner),
                 std::string_view("triton_poi_fused_add_gelu_0"));
        QTest::mouseClick(both.findChild<QToolButton*>("alignSelection"), Qt::LeftButton);
        QCOMPARE(both.lock().offset(), both.candidate().trace()->start(partner) -
                                           both.base().trace()->start(both.base().selected()));
    }

    void doubleClicksGoThere() {
        ComparedWindow window;
        QVERIFY(window.compare("base.json", "slower.json"));
        CompareTimelines& both = window.window.compared();
        window.clickRow("beta", true);
        QCOMPARE(both.base().selected(), sliceOf(*both.base().trace(), "beta", 0));
        QCOMPARE(both.candidate().selected(), sliceOf(*both.candidate().trace(), "beta", 0));
        auto* tables = window.part<QTabWidget>("compare", "compareTables");
        tables->setCurrentIndex(1);
        auto* steps = window.part<QTableView>("compare", "stepChanges");
        QCOMPARE(steps->model()->rowCount(), 3);
        const QPoint at = steps->visualRect(steps->model()->index(1, 0)).center();
        QTest::mouseClick(steps->viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(steps->viewport(), Qt::LeftButton, {}, at);
        QVERIFY(both.base().visible().contains(1'100'000));
        QVERIFY(!both.base().visible().contains(1'000'000));
    }

    void chartsShowTheComparison() {
        ComparedWindow window;
        QVERIFY(window.compare("base.json", "slower.json"));
        auto* waterfall = window.chart<WaterfallChart>();
        QCOMPARE(waterfall->parts().size(), std::size_t{1});  // what did not change is not a part
        QCOMPARE(waterfall->parts()[0].name, QString("alpha"));
        QCOMPARE(waterfall->parts()[0].deltaNs, 2400.0);
        auto* ranges = window.chart<SpeedupRangeChart>();
        QCOMPARE(ranges->order().size(), std::size_t{4});
        QTest::qWait(50);
        // The slowest kernel stands first; a click selects it.
        const QPoint first(static_cast<int>(ranges->xAxis->coordToPixel(0.0)),
                           ranges->axisRect()->center().y());
        QVERIFY(ranges->toolTipAt(first).startsWith("alpha\nSLOWER, median 0.909"));
        QTest::mouseClick(ranges, Qt::LeftButton, {}, first);
        QCOMPARE(window.changes()->currentIndex().row(), window.rowOf("alpha"));
        auto* durations = window.chart<DurationChangeChart>();
        QVERIFY(durations->hint().isEmpty());
        QCOMPARE(durations->graphCount(), 2);
        double launches = 0.0;
        for (const QCPGraphData& bin : *durations->graph(1)->data()) {
            launches += bin.value;
        }
        QCOMPARE(launches, 6.0);
        auto* distribution = window.chart<SpeedupDistributionChart>();
        const QPointF middle(distribution->xAxis->coordToPixel(0.95),
                             distribution->axisRect()->center().y());
        QVERIFY(distribution->toolTipAt(middle).startsWith("25.0 % of the kernels and 25.0 %"));
        auto* breakdown = window.chart<BreakdownChart>();
        QVERIFY(breakdown->hint().isEmpty());
        const QPointF candidate(breakdown->xAxis->coordToPixel(1.0), 40.0);
        QVERIFY(breakdown->toolTipAt(candidate).startsWith("candidate: window"));
    }

    void closingTheTimelinesShowsTheFileAgain() {
        ComparedWindow window;
        QVERIFY(window.compare("base.json", "slower.json"));
        CompareTimelines& both = window.window.compared();
        QTest::mouseClick(both.findChild<QToolButton*>("closeCompare"), Qt::LeftButton);
        QVERIFY(!both.isVisible());
        QVERIFY(window.window.timeline()->isVisible());
        window.window.action(ActionId::CompareTimelines)->trigger();
        QVERIFY(both.isVisible());
        QVERIFY(window.window.action(ActionId::CompareTimelines)->isChecked());
    }

    void severalCandidatesAreChosenFrom() {
        ComparedWindow window;
        window.clickRun("fused.json");
        window.click("markCandidate");
        QVERIFY(window.compare("base.json", "slower.json"));
        auto* candidate = window.part<QComboBox>("compare", "candidate");
        QCOMPARE(candidate->count(), 2);
        candidate->setCurrentIndex(1);
        emit candidate->activated(1);
        QVERIFY(window.rowOf("triton_poi_fused_add_gelu") >= 0);
        QCOMPARE(window.window.compared().candidate().trace()->extent().start / 1'000'000,
                 TimeNs{10});
    }

    void aComparisonEndsWithItsFiles() {
        ComparedWindow window;
        QVERIFY(window.compare("base.json", "slower.json"));
        const std::weak_ptr<const Trace> base = window.session().runs()[0].trace;
        const std::weak_ptr<const Trace> slower = window.session().runs()[1].trace;
        window.clickRow(QStringLiteral("alpha"));
        const auto* sums = window.window.statusBar()->findChild<QLabel*>("selectedRows");
        QVERIFY(sums->text().startsWith(QStringLiteral("1 row: ")));
        window.session().close(0);
        QVERIFY(window.state().pairs().empty());
        QVERIFY(!window.window.compared().isVisible());
        QVERIFY(window.window.timeline()->isVisible());
        QVERIFY(!window.window.action(ActionId::CompareTimelines)->isEnabled());
        QCOMPARE(window.changes()->model()->rowCount(), 0);
        QVERIFY(!window.part<QLabel>("compare", "compareSummary")->isVisible());
        QVERIFY(sums->text().isEmpty());
        QTRY_VERIFY(base.expired());
        QVERIFY(!slower.expired());
        window.session().close(0);
        QTRY_VERIFY(slower.expired());
    }

    void theOtherCandidateIsShownWhenOneIsClosed() {
        ComparedWindow window;
        window.clickRun("fused.json");
        window.click("markCandidate");
        QVERIFY(window.compare("base.json", "slower.json"));
        QVERIFY(window.rowOf("triton_poi_fused_add_gelu") < 0);
        window.session().close(1);
        QCOMPARE(window.part<QComboBox>("compare", "candidate")->count(), 1);
        QVERIFY(window.rowOf("triton_poi_fused_add_gelu") >= 0);
        QVERIFY(window.window.compared().isVisible());
    }

    void aFileClosedMeanwhileIsNotCompared() {
        ComparedWindow window;
        window.state().setRole(window.session().runs()[0].path, CompareRole::Baseline);
        window.state().setRole(window.session().runs()[1].path, CompareRole::Candidate);
        QSignalSpy done(&window.state(), &CompareState::compared);
        window.state().compare();
        window.session().close(1);
        QTRY_COMPARE(done.count(), 1);
        QVERIFY(window.state().pairs().empty());
        QVERIFY(window.window.timeline()->isVisible());
    }

    void aFileReadAgainStaysCompared() {
        ComparedWindow window;
        QVERIFY(window.compare("base.json", "slower.json"));
        const auto before = window.session().runs()[0].trace;
        window.session().setCurrent(0);
        window.window.reloadFile();
        QTRY_VERIFY(window.session().runs()[0].trace != before);
        QVERIFY(window.state().shown() != nullptr);
    }

    void resultsOfBenchesAreListedAndCompared() {
        ComparedWindow window;
        QCOMPARE(window.part<QTableView>("runs", "runs")->model()->rowCount(), 5);
        QVERIFY(window.compare("20260101T000000Z", "20260102T000000Z"));
        QCOMPARE(window.cell("triton_poi_fused_add_0", CompareModel::VerdictColumn),
                 QString("SLOWER"));
        QVERIFY(!window.window.compared().isVisible());
        QVERIFY(!window.window.action(ActionId::CompareTimelines)->isEnabled());
        // A trace and a result do not mix.
        window.window.docks().showPanel("runs");
        window.clickRun("base.json");
        window.click("markBaseline");
        QVERIFY(!window.part<QPushButton>("runs", "compare")->isEnabled());
    }

    void durationsOfBenchmarksAreTheirSamples() {
        ComparedWindow window;
        QVERIFY(window.compare("20260101T000000Z", "20260102T000000Z"));
        auto* durations = window.chart<DurationChangeChart>();
        QCOMPARE(durations->hint(), QString("Select a kernel to see its durations."));
        window.clickRow("triton_poi_fused_add_0");
        QVERIFY(durations->hint().isEmpty());
        QCOMPARE(durations->yAxis->label(), QString("samples"));
        // 40 samples of 1.000 to 1.002 µs and 40 of 1.050 to 1.052 µs, apart from each other.
        QCOMPARE(sum(*durations->graph(0), 0.0, 1.025), 40.0);
        QCOMPARE(sum(*durations->graph(1), 1.025, 2.0), 40.0);
        QCOMPARE(sum(*durations->graph(0), 1.025, 2.0) + sum(*durations->graph(1), 0.0, 1.025),
                 0.0);
    }

    void resultsOfOperatorsAndModules() {
        for (int slower = 0; slower < 2; ++slower) {
            BenchSeries eager;
            eager.name = "eager";
            eager.repeatsNs.assign(3, 2000.0 + 100 * slower);
            for (int i = 0; i < 60; ++i) {
                eager.samples.push_back({2000.0 + 100 * slower + i % 3});
            }
            BenchItem call;
            call.name = "()";
            call.count = 1;
            call.series = {eager};
            BenchItem mm;
            mm.name = "aten.mm.default";
            mm.parts = {call};
            ResultDocument operators(ResultKind::Operators);
            operators.items = {mm};
            keep(QString("2026020%1T000000Z").arg(slower + 1), resultJson(operators));
            BenchItem jit;
            jit.name = "jit";
            jit.series = {test::directionOf("forward", std::vector<double>(20, 2.0 - slower))};
            ResultDocument modules(ResultKind::Modules);
            modules.items = {test::groupOf("lstm", "LSTM", {jit})};
            keep(QString("2026030%1T000000Z").arg(slower + 1), resultJson(modules));
        }
        ComparedWindow window;
        QCOMPARE(window.runCell("20260201T000000Z", RunsModel::Kind), QString("bench operators"));
        QCOMPARE(window.runCell("20260301T000000Z", RunsModel::Kind), QString("bench modules"));
        QVERIFY(window.compare("20260201T000000Z", "20260202T000000Z"));
        QCOMPARE(window.cell("aten.mm.default eager ()", CompareModel::VerdictColumn),
                 QString("SLOWER"));
        const auto* tabs = window.part<QTabWidget>("compare", "compareTables");
        QCOMPARE(tabs->tabText(0), QString("Calls"));
        QVERIFY(!tabs->isTabVisible(1));  // no steps
        const auto* summary = window.part<QLabel>("compare", "compareSummary");
        QVERIFY(summary->text().startsWith("call time +"));
        window.window.docks().showPanel("runs");
        window.clickRun("20260202T000000Z");
        window.click("markNone");
        // Operators and modules do not mix.
        window.clickRun("20260302T000000Z");
        window.click("markCandidate");
        QVERIFY(!window.part<QPushButton>("runs", "compare")->isEnabled());
        QVERIFY(window.compare("20260301T000000Z", "20260302T000000Z"));
        QCOMPARE(window.cell("lstm jit forward", CompareModel::VerdictColumn), QString("FASTER"));
        QCOMPARE(tabs->tabText(0), QString("Runners"));
        QCOMPARE(
            window.changes()->model()->headerData(CompareModel::Name, Qt::Horizontal).toString(),
            QString("Runner"));
    }

    void savedResultsAreComparedFromTheCommandLine() {
        Settings settings{Settings::InMemory{}};
        MainWindow window{settings};
        window.compareWhenOpen({"20260101T000000Z", "20260102T000000Z"});
        const CompareState& state = window.session().compare();
        QVERIFY(waitFor([&] { return state.shown() != nullptr; }));
        QCOMPARE(state.shown()->title.candidate, QString("20260102T000000Z"));
        QVERIFY(window.session().runs().empty());
    }

    void theCommandLineCompares() {
        const char* arguments[] = {"kinetoscope", "--compare", "a.json"};
        QVERIFY(std::holds_alternative<EarlyExit>(parseCommandLine(3, arguments)));
        const char* same[] = {"kinetoscope", "--compare", "a.json", "./a.json"};
        QVERIFY(std::holds_alternative<EarlyExit>(parseCommandLine(4, same)));
        const char* two[] = {"kinetoscope", "--compare", "a.json", "b.json"};
        const auto parsed = parseCommandLine(4, two);
        QVERIFY(std::get<CommandLine>(parsed).compare);
    }

private:
    void keep(const QString& id, const std::string& document) {
        QFile file(m_results.filePath(id + ".json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(document));
    }
    static double sum(const QCPGraph& graph, double from, double to) {
        double total = 0.0;
        for (const QCPGraphData& bin : *graph.data()) {
            total += bin.key >= from && bin.key < to ? bin.value : 0.0;
        }
        return total;
    }

    QTemporaryDir m_results;
};

QTEST_MAIN(CompareWindowTest)
#include "CompareWindowTest.moc"
