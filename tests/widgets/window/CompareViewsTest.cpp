// SPDX-License-Identifier: GPL-3.0-or-later
// What a comparison says and shows around its tables: headline, details, status, emphasis, legends.
#include <QAbstractItemView>
#include <QLabel>
#include <QMenu>
#include <QStatusBar>
#include <QToolButton>

#include "tests/Patience.h"
#include "tests/widgets/ComparedWindow.h"
#include "widgets/models/details/DetailsModel.h"
#include "widgets/plots/ChangeCharts.h"
#include "widgets/plots/SpeedupCharts.h"
#include "widgets/plots/TimelineChips.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/Theme.h"
#include "widgets/style/WindowStyle.h"
#include "widgets/timeline/TimeRuler.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::models;
using namespace kinetoscope::plots;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::timeline;
using namespace kinetoscope::trace;

namespace {

QTableView* detailTable(ComparedWindow& compared) {
    return compared.window.docks().panel(QStringLiteral("details"))->findChild<QTableView*>();
}

/// The value of a line of Details; null without that line.
QModelIndex detail(ComparedWindow& compared, const char* label) {
    const auto* model = detailTable(compared)->model();
    for (int row = 0; row < model->rowCount(); ++row) {
        if (model->index(row, DetailsModel::Label).data().toString() == QLatin1String(label)) {
            return model->index(row, DetailsModel::Value);
        }
    }
    return {};
}

QString durationInDetails(ComparedWindow& compared) {
    return detail(compared, "Duration").data().toString();
}

QString statusText(ComparedWindow& compared) {
    QStringList texts;
    for (const auto* label : compared.window.statusBar()->findChildren<ElidedLabel*>()) {
        if (label->isVisible()) {
            texts << label->text();
        }
    }
    for (const auto* label : compared.window.statusBar()->findChildren<QLabel*>()) {
        if (label->isVisible()) {
            texts << label->text();
        }
    }
    return texts.join(QLatin1Char('|'));
}

/// A comparison of kernels of which each has changed by `delta` ns with that verdict.
struct Changed {
    const char* name;
    double delta;
    stats::Verdict verdict;
    double launches = 10.0;  ///< of the candidate; the baseline has 10
};
compare::Comparison comparisonOf(const std::vector<Changed>& changes) {
    compare::Comparison comparison;
    for (const Changed& change : changes) {
        compare::KernelChange kernel;
        kernel.name = change.name;
        kernel.parts = {{{kernel.name, "", 10.0, 1e6}}, {{kernel.name, "", 10.0, 1e6}}};
        kernel.count = {10.0, change.launches};
        kernel.totalNs.value = {1e6, 1e6 + change.delta};
        kernel.verdict = change.verdict;
        comparison.kernels.push_back(kernel);
    }
    compare::finishShares(comparison);
    return comparison;
}

}  // namespace

class CompareViewsTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        qputenv("KINETOSCOPE_RESULTS", m_results.path().toUtf8());  // none of this machine's user
        applyTheme(ThemeChoice::Light);
    }
    void init() { failOnQtWarnings(); }

    void detailsAndStatusFollowTheSideThatWasClicked() {
        ComparedWindow compared;
        QVERIFY(compared.compare("base.json", "slower.json"));
        CompareTimelines& pair = compared.window.compared();
        const Trace& base = *pair.base().trace();
        const Trace& candidate = *pair.candidate().trace();
        QVERIFY(statusText(compared).contains(QStringLiteral("Baseline: ")));
        compared.clickSlice(pair.candidateView(), sliceOf(candidate, "alpha", 1));
        QVERIFY(pair.candidate().selected() == sliceOf(candidate, "alpha", 1));
        QVERIFY2(durationInDetails(compared).startsWith(QString::fromUtf8("4.400 µs")),
                 qPrintable(durationInDetails(compared)));
        QVERIFY2(statusText(compared).startsWith(QString::fromUtf8("Candidate: |alpha|4.400 µs")),
                 qPrintable(statusText(compared)));
        compared.clickSlice(pair.baseView(), sliceOf(base, "alpha", 2));
        QVERIFY2(durationInDetails(compared).startsWith(QString::fromUtf8("4.000 µs")),
                 qPrintable(durationInDetails(compared)));
        QVERIFY2(statusText(compared).startsWith(QString::fromUtf8("Baseline: |alpha|4.000 µs")),
                 qPrintable(statusText(compared)));
        // Where there is little room, names give way, not the side.
        auto* line = compared.window.statusBar()->findChild<QWidget*>("statusLine");
        const auto* side = line->findChild<ElidedLabel*>("contents");
        const QSize before = line->size();
        line->resize(320, before.height());
        QVERIFY2(side->isVisible() && side->width() >= side->sizeHint().width(),
                 qPrintable(QString::number(side->width())));
        line->resize(before);
        // A link leads on in the same side.
        QTableView* table = detailTable(compared);
        const QModelIndex link = detail(compared, "Launched by");
        QVERIFY(link.isValid());
        table->scrollTo(link);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(link).center());
        QVERIFY(isApiCall(base.category(pair.base().selected())));
        // Back at one timeline, they are about that one.
        QTest::mouseClick(compared.window.compared().findChild<QToolButton*>("closeCompare"),
                          Qt::LeftButton);
        QCOMPARE(detailTable(compared)->model()->rowCount(), 0);
        QVERIFY(!statusText(compared).contains(QStringLiteral("Baseline: ")));
    }

    void theSummarySaysWhoseFiguresTheseAre() {
        ComparedWindow compared;
        QVERIFY(compared.compare("base.json", "slower.json"));
        const auto* file = compared.part<ElidedLabel>("summary", "summaryFile");
        const Session& session = compared.window.session();
        QVERIFY(file->isVisible());
        QCOMPARE(file->text(), session.current()->title);
        compared.window.session().setCurrent(session.current() == &session.runs()[0] ? 1 : 0);
        QCOMPARE(file->text(), session.current()->title);
        while (session.runs().size() > 1) {
            QVERIFY(file->isVisible());
            compared.window.session().close(0);
        }
        QVERIFY(!file->isVisible());
    }

    void aChipEndsTheEmphasisOnBothSides() {
        ComparedWindow compared;
        QVERIFY(compared.compare("base.json", "slower.json"));
        CompareTimelines& pair = compared.window.compared();
        compared.clickRow(QStringLiteral("alpha"));
        ClearChip& base = pair.baseView().chips().emphasis();
        ClearChip& candidate = pair.candidateView().chips().emphasis();
        QVERIFY(base.isVisible() && candidate.isVisible());
        QCOMPARE(base.what(), QStringLiteral("alpha"));
        QTest::mouseClick(&candidate, Qt::LeftButton);
        QVERIFY(!base.isVisible() && !candidate.isVisible());
        QVERIFY(!pair.base().highlightedName() && !pair.candidate().highlightedName());
        QCOMPARE(compared.state().selectedKernel(), -1);
        QVERIFY(!compared.changes()->selectionModel()->hasSelection());
        compared.clickRow(QStringLiteral("alpha"));
        QVERIFY(base.isVisible());
    }

    void differentGpusAreSaidInAHeadlineThatIsWhole() {
        ComparedWindow compared("NVIDIA H200 with a rather long name", "NVIDIA A100");
        compared.window.resize(1280, 720);
        QVERIFY(compared.compare("base.json", "slower.json"));
        auto* headline = compared.part<QLabel>("compare", "compareSummary");
        QVERIFY2(headline->text().contains(
                     "different GPUs: NVIDIA H200 with a rather long name against NVIDIA A100"),
                 qPrintable(headline->text()));
        QVERIFY(headline->text().contains("each launch: 1 SLOWER"));
        const auto cutOff = [headline] {
            const QRect room = headline->contentsRect();
            const QRect needed = headline->fontMetrics().boundingRect(
                QRect(0, 0, room.width(), 10'000), Qt::TextWordWrap, headline->text());
            return std::max(needed.height() - room.height(), needed.width() - room.width());
        };
        QTRY_VERIFY2(headline->isVisible() && cutOff() <= 0, qPrintable(QString::number(cutOff())));
        // Neither is it pushed out of the window, nor the window made larger for it.
        QCOMPARE(headline->visibleRegion().boundingRect(), headline->rect());
        QCOMPARE(compared.window.width(), 1280);
        ComparedWindow same("NVIDIA H200", "NVIDIA H200");
        QVERIFY(same.compare("base.json", "slower.json"));
        QVERIFY(!same.part<QLabel>("compare", "compareSummary")->text().contains("GPUs"));
    }

    void aComparisonFitsASmallScreen() {
        ComparedWindow compared;
        const QRect screen(0, 0, 1280, 800 - 48);
        compared.window.fitInto(screen);
        QVERIFY(compared.compare("base.json", "slower.json"));
        QCoreApplication::processEvents();
        QVERIFY2(
            compared.window.width() < screen.width() && compared.window.height() < screen.height(),
            qPrintable(QStringLiteral("%1x%2")
                           .arg(compared.window.width())
                           .arg(compared.window.height())));
        for (TimelineView* view : {&compared.window.compared().baseView(),
                                   &compared.window.compared().candidateView()}) {
            QVERIFY(view->timeline().height() >= 60);
            QVERIFY(view->rect().contains(view->timeline().geometry()));
        }
    }

    void legendsHideNoData() {
        ComparedWindow compared;
        QVERIFY(compared.compare("base.json", "slower.json"));
        compared.clickRow(QStringLiteral("alpha"));
        const auto check = [](Chart* chart) {
            chart->replot();
            chart->replot();  // the legend's columns follow the width
            QVERIFY(chart->legend->visible());
            QVERIFY(!chart->legend->outerRect().intersects(chart->axisRect()->rect()));
            QVERIFY(chart->rect().contains(chart->legend->outerRect()));
        };
        check(compared.chart<DurationChangeChart>());
        check(compared.chart<BreakdownChart>());
        check(compared.chart<SpeedupDistributionChart>());
        auto* waterfall = compared.chart<WaterfallChart>();
        QVERIFY(!waterfall->legend->visible());
    }

    void whatAKernelBecameHasItsColour() {
        ComparedWindow compared;
        QVERIFY(compared.compare("base.json", "fused.json"));
        const auto color = [](TimelineView& view, const ViewState& state, const char* name) {
            TimelineWidget& timeline = view.timeline();
            const SliceId slice = sliceOf(*state.trace(), name, 0);
            timeline.showRowOf(slice);
            const QRectF box = *timeline.sliceBox(slice);
            return timeline.grab().toImage().pixelColor(static_cast<int>(box.left()) + 3,
                                                        static_cast<int>(box.top()) + 2);
        };
        CompareTimelines& pair = compared.window.compared();
        const char* fused = "triton_poi_fused_add_gelu_0";
        const QColor before = color(pair.baseView(), pair.base(), "gelu_kernel");
        QCOMPARE(before, Theme::current().nameColor("gelu_kernel"));
        QVERIFY(Theme::current().nameColor(fused) != before);
        QCOMPARE(color(pair.candidateView(), pair.candidate(), fused), before);
        QCOMPARE(color(pair.candidateView(), pair.candidate(), "alpha"),
                 color(pair.baseView(), pair.base(), "alpha"));
    }

    void menusOfOneSideAreAnswered() {
        ComparedWindow compared;
        QVERIFY(compared.compare("base.json", "slower.json"));
        MainWindow& window = compared.window;
        CompareTimelines& pair = window.compared();
        const SliceId slice = sliceOf(*pair.candidate().trace(), "alpha", 0);
        const auto choose = [&](const char* entry) {
            QMenu menu;
            MenuPlace place;
            place.what = SelectedSlice{slice};
            pair.candidateView().timeline().menus().fill(menu, place);
            auto* action = menu.findChild<QAction*>(QString::fromLatin1(entry));
            if (action != nullptr) {
                action->trigger();
            }
            return action != nullptr;
        };
        window.docks().dock(QStringLiteral("details"))->close();
        QVERIFY(choose("showInDetails"));
        QVERIFY(window.docks().dock(QStringLiteral("details"))->isVisible());
        QVERIFY(window.session().isComparing());
        // A search is of one file: the candidate's, as it is looked at.
        pair.candidate().setSelection(SelectedSlice{slice});
        QVERIFY(choose("findName"));
        QVERIFY(!window.session().isComparing());
        QCOMPARE(window.view().trace(), pair.candidate().trace());
        QCOMPARE(window.view().selected(), slice);
        QCOMPARE(window.view().visible(), pair.candidate().visible());
        QVERIFY(window.session().find().text().contains(QStringLiteral("alpha")));
        QVERIFY(window.docks().dock(QStringLiteral("find"))->isVisible());
    }

    void eachSideHasItsNotes() {
        ComparedWindow compared;
        QVERIFY(compared.compare("base.json", "slower.json"));
        MainWindow& window = compared.window;
        CompareTimelines& pair = window.compared();
        const auto rulers = [&] {
            QApplication::processEvents();
            return std::pair(pair.baseView().ruler().grab().toImage(),
                             pair.candidateView().ruler().grab().toImage());
        };
        const auto before = rulers();
        // Written where the candidate's file is shown alone.
        const auto& runs = window.session().runs();
        const auto run = std::ranges::find(runs, pair.candidate().trace(), &Run::trace);
        QVERIFY(run != runs.end());
        window.session().setCurrent(static_cast<int>(run - runs.begin()));
        const TimeSpan seen = pair.candidate().visible();
        window.session().notes().add({seen.start + seen.duration() / 2, seen.end}, "look");
        window.toggleCompare();
        const auto after = rulers();
        QVERIFY(after.first == before.first);
        QVERIFY(after.second != before.second);
    }

    void whatIsSureLeads() {
        const compare::Comparison comparison =
            comparisonOf({{"noise", 900.0, stats::Verdict::Unsure},
                          {"even", 1.0, stats::Verdict::Same},
                          {"slow", 100.0, stats::Verdict::Slower},
                          {"oftener", 400.0, stats::Verdict::Unsure, 14.0},
                          {"fast", -200.0, stats::Verdict::Faster}});
        CompareModel model;
        model.setComparison(&comparison);
        QStringList names;
        for (int row = 0; row < model.rowCount(); ++row) {
            names << model.index(row, CompareModel::Name).data().toString();
            const int kernel = model.kernelOf(row);
            QCOMPARE(
                QString::fromStdString(comparison.kernels[static_cast<std::size_t>(kernel)].name),
                names.back());
            QCOMPARE(model.rowOfKernel(kernel), row);
        }
        QCOMPARE(names, (QStringList{"oftener", "fast", "slow", "noise", "even"}));
    }

    void sumsOfSelectedChangesHaveTheirSign() {
        ComparedWindow compared;
        QVERIFY(compared.compare("slower.json", "fused.json"));
        const auto click = [&](int row, Qt::KeyboardModifiers keys) {
            const QModelIndex index = compared.changes()->model()->index(row, CompareModel::Name);
            compared.changes()->scrollTo(index);
            QTest::mouseClick(compared.changes()->viewport(), Qt::LeftButton, keys,
                              compared.changes()->visualRect(index).center());
        };
        const auto* sums = compared.window.statusBar()->findChild<QLabel*>("selectedRows");
        click(compared.rowOf(QStringLiteral("alpha")), {});
        QCOMPARE(sums->text(), QString::fromUtf8("1 row: −2.400 µs"));
        click(compared.rowOf(QStringLiteral("triton_poi_fused_add_gelu")), Qt::ControlModifier);
        QCOMPARE(sums->text(), QString::fromUtf8("2 rows: −14.400 µs, mean −7.200 µs"));
    }

    void theHeadlineNamesWhoseStepsTheseAre() {
        ComparedWindow compared;
        QVERIFY(compared.compare("slower.json", "fused.json"));
        const QString text = compared.part<QLabel>("compare", "compareSummary")->text();
        QVERIFY2(text.contains(QString::fromUtf8("kernel time −")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("per run (baseline 3 steps, candidate 3)")),
                 qPrintable(text));
    }

private:
    QTemporaryDir m_results;
};

QTEST_MAIN(CompareViewsTest)
#include "CompareViewsTest.moc"
