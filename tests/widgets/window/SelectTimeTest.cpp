// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QToolButton>
#include <algorithm>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "tests/widgets/TimelineFixture.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/AreaModel.h"
#include "widgets/models/KernelTableModel.h"
#include "widgets/panels/parts/DataTable.h"
#include "widgets/plots/TimelinePlayer.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/WindowStyle.h"
#include "widgets/timeline/SelectionChip.h"
#include "widgets/timeline/TimeRuler.h"
#include "widgets/timeline/TimelineWidget.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::models;
using namespace kinetoscope::panels;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::timeline;

namespace {

constexpr TimeNs kUs = 1'000;

constexpr const char* kTrace = R"({"traceEvents":[
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":9,"tid":9,"ts":0,"dur":500},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#2","pid":9,"tid":9,"ts":500,"dur":500},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":150,"dur":170},
{"ph":"X","cat":"kernel","name":"alpha","pid":0,"tid":7,"ts":0,"dur":100,
 "args":{"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"beta","pid":0,"tid":7,"ts":320,"dur":80,
 "args":{"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"alpha","pid":0,"tid":8,"ts":100,"dur":40,
 "args":{"device":0,"stream":8}},
{"ph":"X","cat":"kernel","name":"gamma","pid":0,"tid":8,"ts":900,"dur":100,
 "args":{"device":0,"stream":8}}
]})";

struct Shown {
    Settings settings{Settings::InMemory{}};
    MainWindow window{settings};
    bool opened = false;

    explicit Shown(const QStringList& paths) {
        window.resize(1600, 1000);
        window.show();
        window.openFiles(paths);
        opened = waitFor([&] {
            return static_cast<qsizetype>(window.session().runs().size()) == paths.size() &&
                   window.session().reports().report() != nullptr;
        });
    }
    ViewState& view() { return window.view(); }
    plots::TimelineView& centre() { return *qobject_cast<plots::TimelineView*>(window.timeline()); }
    TimeRuler& ruler() { return centre().ruler(); }
    TimelineWidget& timeline() { return centre().timeline(); }
    template <class T>
    T* part(const char* panel, const char* name) {
        return window.docks()
            .panel(QString::fromLatin1(panel))
            ->findChild<T*>(QString::fromLatin1(name));
    }
    DataTable* area() { return part<DataTable>("selection", "area"); }
    /// Those of the one file, not of the compared timelines.
    QList<SelectionChip*> chips() {
        QList<SelectionChip*> chips = window.findChildren<SelectionChip*>();
        chips.removeIf([&](SelectionChip* chip) { return window.compared().isAncestorOf(chip); });
        return chips;
    }
    bool everyChipSays(const QString& text) {
        return std::ranges::all_of(chips(), [&](SelectionChip* chip) {
            return chip->text() == text && chip->isHidden() == text.isEmpty();
        });
    }
    TimeNs pixel() { return timeline().coordinates().length(1.0) + 1; }
    bool selectedNear(TimeNs start, TimeNs end) {
        const auto range = view().selectedRange();
        return range && std::abs(range->start - start) <= pixel() &&
               std::abs(range->end - end) <= pixel();
    }
    QPoint at(TimeNs time, int y) {
        return {static_cast<int>(std::lround(timeline().coordinates().x(time))), y};
    }
    /// The middle of the slice's row at that time.
    QPoint inRowOf(trace::SliceId slice, TimeNs time) {
        return at(time, static_cast<int>(timeline().sliceBox(slice)->center().y()));
    }
};

void dragOn(QWidget& widget, QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {}) {
    QTest::mousePress(&widget, Qt::LeftButton, modifiers, from);
    movePointer(widget, (from + to) / 2, Qt::LeftButton, modifiers);
    movePointer(widget, to, Qt::LeftButton, modifiers);
    QTest::mouseRelease(&widget, Qt::LeftButton, modifiers, to);
}

void clickRow(DataTable* table, int row, bool twice = false) {
    const QPoint at = table->visualRect(table->model()->index(row, 1)).center();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, at);
    if (twice) {
        QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, at);
    }
}

QStringList texts(DataTable* table, const std::vector<int>& columns) {
    QStringList rows;
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        QStringList cells;
        for (const int column : columns) {
            cells += table->model()->index(row, column).data().toString();
        }
        rows += cells.join(QLatin1Char('|'));
    }
    return rows;
}

/// "calculating…" somewhere in sight, as panels put it.
bool saysBusy(const QWidget& panel) {
    const auto ends = [](const auto* widget, const QString& text) {
        return widget->isVisible() && text.endsWith(QChar(0x2026));
    };
    return std::ranges::any_of(panel.findChildren<QLabel*>(),
                               [&](auto* label) { return ends(label, label->text()); }) ||
           std::ranges::any_of(panel.findChildren<ElidedLabel*>(),
                               [&](auto* label) { return ends(label, label->text()); }) ||
           std::ranges::any_of(panel.findChildren<DataTable*>(), [&](auto* table) {
               return table->model()->rowCount() == 0 && ends(table, table->emptyText());
           });
}

}  // namespace

class SelectTimeTest final : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_path;
    QString m_other;

    static constexpr trace::SliceId kMm = 2;
    static constexpr trace::SliceId kStream7 = 3;
    static constexpr trace::SliceId kStream8 = 5;

private slots:
    void initTestCase() {
        applyTheme(ThemeChoice::Light);
        for (QString* path : {&m_path, &m_other}) {
            *path = m_folder.filePath(path == &m_path ? "one.json" : "two.json");
            QFile file(*path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(kTrace);
        }
    }
    void init() { failOnQtWarnings(); }

    void selectedTimeIsPlayedInALoop() {
        Shown shown({m_path});
        QVERIFY(shown.opened);
        auto* player = shown.window.findChild<plots::TimelinePlayer*>();
        QVERIFY(player);
        player->setRoundMs(300);
        std::vector<TimeNs> times;
        connect(player, &plots::TimelinePlayer::reached, this,
                [&](TimeNs time) { times.push_back(time); });
        shown.view().selectRange(TimeSpan{100 * kUs, 300 * kUs});
        shown.view().setVisible({80 * kUs, 180 * kUs});  // the end is out of sight
        shown.timeline().setFocus();
        QTest::keyClick(&shown.timeline(), Qt::Key_L);
        QVERIFY(shown.window.action(ActionId::Play)->isChecked());
        const auto begins = [&] {
            return std::ranges::adjacent_find(times, std::ranges::greater{}) != times.end();
        };
        QTRY_VERIFY(begins());
        const auto [first, last] = std::ranges::minmax(times);
        QVERIFY(first >= 100 * kUs && last < 300 * kUs);
        QVERIFY(shown.view().visible().contains(times.back()));
        QCOMPARE(shown.timeline().cursorTime(), std::optional(times.back()));
        QTest::keyClick(&shown.timeline(), Qt::Key_Escape);
        QVERIFY(!player->isPlaying());
        QVERIFY(!shown.window.action(ActionId::Play)->isChecked());
        QCOMPARE(shown.timeline().cursorTime(), std::optional<TimeNs>());
        QVERIFY(shown.view().isPartSelected());  // Escape ended one thing
    }

    void draggingOnTheTimeAxisMovesEveryFigure() {
        Shown shown({m_path});
        QVERIFY(shown.opened);
        auto* kernels = shown.part<DataTable>("kernels", "kernels");
        shown.window.docks().showPanel("kernels");
        QTRY_COMPARE(kernels->model()->rowCount(), 3);
        QVERIFY(shown.chips().size() >= 7);
        QVERIFY(shown.everyChipSays({}));
        dragOn(shown.ruler(), shown.at(200 * kUs, 12), shown.at(0, 12));
        QVERIFY(shown.selectedNear(0, 200 * kUs));
        QVERIFY(shown.view().selectedTracks().empty());
        QTRY_COMPARE(kernels->model()->rowCount(), 1);
        QCOMPARE(kernels->model()->index(0, KernelTableModel::Name).data().toString(),
                 QStringLiteral("alpha"));
        const QString text = shown.chips().front()->text();
        QVERIFY2(text.endsWith(" selected"), qPrintable(text));
        QVERIFY(shown.everyChipSays(text));
        auto* chooser = shown.part<QComboBox>("summary", "windowChoice");
        QCOMPARE(chooser->currentText(), QStringLiteral("Selected time"));
        // × anywhere ends it everywhere.
        auto* chip = shown.window.docks().panel("kernels")->findChild<SelectionChip*>();
        QTest::mouseClick(chip->findChild<QToolButton*>(), Qt::LeftButton);
        QVERIFY(!shown.view().selectedRange());
        QVERIFY(shown.everyChipSays({}));
        QVERIFY(chooser->currentText() != QStringLiteral("Selected time"));
        QTRY_COMPARE(kernels->model()->rowCount(), 3);
    }

    void aClickKeepsItAndEscapeEndsItLast() {
        Shown shown({m_path});
        QVERIFY(shown.opened);
        dragOn(shown.ruler(), shown.at(100 * kUs, 12), shown.at(300 * kUs, 12));
        QTest::mouseClick(&shown.timeline(), Qt::LeftButton, {},
                          shown.inRowOf(kStream7, 650 * kUs));  // on nothing
        QVERIFY(shown.view().selectedRange());
        QTest::mouseClick(&shown.ruler(), Qt::LeftButton, {}, shown.at(800 * kUs, 12));
        QVERIFY(shown.view().selectedRange());
        QTest::mouseClick(&shown.timeline(), Qt::LeftButton, {},
                          shown.inRowOf(kStream7, 350 * kUs));
        QVERIFY(shown.view().selected() != trace::kNoSlice);
        QTest::keyClick(&shown.timeline(), Qt::Key_Escape);
        QCOMPARE(shown.view().selected(), trace::kNoSlice);
        QVERIFY(shown.selectedNear(100 * kUs, 300 * kUs));
        QTest::keyClick(&shown.timeline(), Qt::Key_Escape);
        QVERIFY(!shown.view().isPartSelected());
    }

    void fShowsTheSelectedTimeAndThenAll() {
        Shown shown({m_path});
        QVERIFY(shown.opened);
        shown.view().selectRange(TimeSpan{100 * kUs, 200 * kUs});
        QTest::keyClick(&shown.timeline(), Qt::Key_F);
        const TimeSpan visible = shown.view().visible();
        QVERIFY(visible.start <= 100 * kUs && visible.end >= 200 * kUs);
        QVERIFY(visible.duration() < 110 * kUs);
        QTest::keyClick(&shown.timeline(), Qt::Key_F);
        QVERIFY(shown.view().visible() == shown.view().fitSpan());
        // So does a click on a chip.
        auto* chip = shown.window.docks().panel("summary")->findChild<SelectionChip*>();
        QTest::mouseClick(chip, Qt::LeftButton, {}, QPoint(8, chip->height() / 2));
        QCOMPARE(shown.view().visible(), visible);
    }

    void edgesAreDragged() {
        Shown shown({m_path});
        QVERIFY(shown.opened);
        dragOn(shown.ruler(), shown.at(200 * kUs, 12), shown.at(400 * kUs, 12));
        dragOn(shown.ruler(), shown.at(400 * kUs, 24), shown.at(600 * kUs, 24));
        QVERIFY(shown.selectedNear(200 * kUs, 600 * kUs));
        // In the rows too, where elsewhere a drag moves the view; beyond the other edge as well.
        const TimeSpan visible = shown.view().visible();
        dragOn(shown.timeline(), shown.inRowOf(kStream7, 200 * kUs),
               shown.inRowOf(kStream7, 800 * kUs));
        QVERIFY(shown.selectedNear(600 * kUs, 800 * kUs));
        QCOMPARE(shown.view().visible(), visible);
        dragOn(shown.timeline(), shown.inRowOf(kStream7, 700 * kUs),
               shown.inRowOf(kStream7, 600 * kUs));
        QVERIFY(shown.view().visible() != visible);
        QVERIFY(shown.selectedNear(600 * kUs, 800 * kUs));
    }

    void aStepIsChosenTheSameWay() {
        Shown shown({m_path});
        QVERIFY(shown.opened);
        shown.view().selectRange(TimeSpan{100 * kUs, 200 * kUs});
        auto* chooser = shown.part<QComboBox>("summary", "windowChoice");
        QTRY_VERIFY(chooser->count() == 5);
        chooser->setCurrentIndex(4);
        emit chooser->activated(4);
        QCOMPARE(shown.view().window().step, 2);
        QVERIFY((shown.view().selectedRange() == TimeSpan{500 * kUs, 1000 * kUs}));
        const QString text = shown.chips().front()->text();
        QVERIFY2(text.startsWith("step 2, ") && text.endsWith(" selected"), qPrintable(text));
        QVERIFY(shown.everyChipSays(text));
        QTRY_COMPARE(chooser->currentIndex(), 4);
        QTest::keyClick(&shown.timeline(), Qt::Key_Escape);
        QVERIFY(!shown.view().isPartSelected());
        QCOMPARE(chooser->currentIndex(), 0);
        QVERIFY(shown.everyChipSays({}));
    }

    void rowsAreSelectedWithTheTime() {
        Shown shown({m_path});
        QVERIFY(shown.opened);
        const QPoint inside = shown.at(250 * kUs, 0);
        const auto pixelIn = [&](const QImage& image, trace::SliceId slice) {
            const QRectF box = *shown.timeline().sliceBox(slice);
            return image.pixelColor(
                (QPointF(inside.x(), box.bottom() + 2) * shown.timeline().devicePixelRatioF())
                    .toPoint());
        };
        const QImage before = shown.timeline().grab().toImage();
        dragOn(shown.timeline(), shown.inRowOf(kStream7, 50 * kUs),
               shown.inRowOf(kStream7, 360 * kUs), Qt::ShiftModifier);
        const auto& trace = *shown.view().trace();
        QCOMPARE(shown.view().selectedTracks(),
                 std::vector<trace::TrackId>{trace.trackOf(kStream7)});
        QVERIFY(shown.selectedNear(50 * kUs, 360 * kUs));
        QVERIFY(shown.chips().front()->text().endsWith("selected in 1 row"));
        const QImage after = shown.timeline().grab().toImage();
        QVERIFY(pixelIn(after, kStream7) != pixelIn(before, kStream7));
        QCOMPARE(pixelIn(after, kMm), pixelIn(before, kMm));
        const auto bands = shown.timeline().areaBands();
        QCOMPARE(bands.size(), std::size_t{1});
        QVERIFY(bands[0].top <= shown.timeline().sliceBox(kStream7)->top());
        QVERIFY(bands[0].bottom < shown.timeline().sliceBox(kMm)->top());
        // Its edge keeps the rows; elsewhere at that time nothing can be taken.
        dragOn(shown.timeline(), shown.inRowOf(kStream7, 360 * kUs),
               shown.inRowOf(kStream8, 500 * kUs));
        QVERIFY(shown.selectedNear(50 * kUs, 500 * kUs));
        QCOMPARE(shown.view().selectedTracks().size(), std::size_t{1});
        const TimeSpan visible = shown.view().visible();
        dragOn(shown.timeline(), shown.inRowOf(kMm, 500 * kUs), shown.inRowOf(kMm, 600 * kUs));
        QVERIFY(shown.view().visible() != visible);
        shown.view().setVisible(visible);
        dragOn(shown.timeline(), shown.inRowOf(kStream7, 50 * kUs),
               shown.inRowOf(kStream8, 360 * kUs), Qt::ShiftModifier);
        QVERIFY(shown.chips().front()->text().endsWith("selected in 1 row"));  // took the edge
        dragOn(shown.timeline(), shown.inRowOf(kStream7, 60 * kUs),
               shown.inRowOf(kStream8, 360 * kUs), Qt::ShiftModifier);
        QCOMPARE(shown.view().selectedTracks().size(), std::size_t{2});
    }

    void thePanelSumsUpTheArea() {
        Shown shown({m_path});
        QVERIFY(shown.opened);
        shown.window.docks().showPanel("selection");
        QTRY_VERIFY(!shown.window.docks().busy());
        QCOMPARE(shown.area()->model()->rowCount(), 0);
        QVERIFY(shown.area()->emptyText().contains("Shift"));
        shown.view().selectRange(TimeSpan{50 * kUs, 360 * kUs});
        QTRY_COMPARE(shown.area()->model()->rowCount(), 4);
        const auto rows = [&] {
            return texts(shown.area(), {AreaModel::Name, AreaModel::Count, AreaModel::Time,
                                        AreaModel::Mean, AreaModel::Longest});
        };
        QCOMPARE(rows(),
                 QStringList({"ProfilerStep#1|1|310.000|310.000|310.000",
                              "aten::mm|1|170.000|170.000|170.000", "alpha|2|90.000|45.000|50.000",
                              "beta|1|40.000|40.000|40.000"}));
        auto* totals = shown.part<QLabel>("selection", "totals");
        QVERIFY2(totals->text().startsWith("5 slices in 3 rows, "), qPrintable(totals->text()));
        auto* by = shown.part<QComboBox>("selection", "by");
        by->setCurrentIndex(1);
        QCOMPARE(texts(shown.area(), {AreaModel::Name, AreaModel::Count}),
                 QStringList({"user_annotation|1", "cpu_op|1", "kernel|3"}));
        by->setCurrentIndex(2);
        const QStringList byRow = texts(shown.area(), {AreaModel::Name, AreaModel::Count});
        QCOMPARE(byRow.size(), 3);
        QVERIFY2(byRow[1].endsWith("stream 7|2"), qPrintable(byRow.join("\n")));
        by->setCurrentIndex(0);
        // Only the rows of the area.
        shown.view().selectRange(TimeSpan{50 * kUs, 360 * kUs},
                                 {shown.view().trace()->trackOf(kStream7)});
        QTRY_COMPARE(rows(),
                     QStringList({"alpha|1|50.000|50.000|50.000", "beta|1|40.000|40.000|40.000"}));
        shown.part<QLineEdit>("selection", "filter")->setText("BET");
        QCOMPARE(shown.area()->model()->rowCount(), 1);
        QCOMPARE(shown.part<QLabel>("selection", "state")->text(), QStringLiteral("1 of 2 rows"));
    }

    /// Whatever it costs to sum it up: time is selected at once, the panel says that it works on
    /// that, and what is selected meanwhile takes its place.
    void selectingWaitsForNoFigures() {
        Shown shown({m_path});
        QVERIFY(shown.opened);
        shown.window.docks().showPanel("selection");
        auto* state = shown.part<QLabel>("selection", "state");
        auto* totals = shown.part<QLabel>("selection", "totals");
        const auto busy = [&] {
            return shown.window.docks().busy() || shown.window.session().reports().busy();
        };
        shown.view().selectRange(TimeSpan{10 * kUs, 360 * kUs});
        QTRY_VERIFY(shown.area()->model()->rowCount() > 0 && !busy());
        const QString working = QString::fromUtf8("calculating…");
        QVERIFY(state->text() != working);
        // What a worker has done is shown by a later event: here none is handled in between.
        for (const TimeNs end : {360 * kUs, 150 * kUs}) {
            shown.view().selectRange(TimeSpan{50 * kUs, end});
            QVERIFY(shown.view().selectedRange() == (TimeSpan{50 * kUs, end}));
            QVERIFY(shown.window.session().reports().busy());
            QVERIFY(shown.window.docks().busy());
            QCOMPARE(state->text(), working);
        }
        QTRY_VERIFY(!busy());
        QVERIFY(state->text() != working);
        QVERIFY2(totals->text().contains(QString::fromUtf8("within 100.000 µs")),
                 qPrintable(totals->text()));
    }

    // Nothing is delivered before the next event: it is at work for sure.
    void whatIsBeingSummedUpIsSaid_data() {
        QTest::addColumn<QString>("id");
        for (const char* id :
             {"summary", "kernels", "operators", "calltree", "idle", "selection", "roofline"}) {
            QTest::newRow(id) << QString::fromLatin1(id);
        }
    }
    void whatIsBeingSummedUpIsSaid() {
        QFETCH(QString, id);
        Shown shown({m_path});
        QVERIFY(shown.opened);
        shown.window.docks().bringForward(id);
        const Panel& panel = *shown.window.docks().panel(id);
        const ReportRunner& reports = shown.window.session().reports();
        const auto isBusy = [&] { return panel.busy() || reports.busy(); };
        QTRY_VERIFY(!isBusy() && panel.isVisible());
        QVERIFY(!saysBusy(panel));
        shown.view().selectRange(TimeSpan{50 * kUs, 360 * kUs});
        QVERIFY(isBusy());
        QVERIFY(saysBusy(panel));
        QTRY_VERIFY(!isBusy());
        QVERIFY(!saysBusy(panel));
    }

    void aRowOfThePanelLeadsToItsSlices() {
        Shown shown({m_path});
        QVERIFY(shown.opened);
        shown.window.docks().showPanel("selection");
        shown.view().selectRange(TimeSpan{50 * kUs, 360 * kUs});
        QTRY_COMPARE(shown.area()->model()->rowCount(), 4);
        clickRow(shown.area(), 2);
        QVERIFY(shown.view().highlightedName() == shown.view().trace()->nameId(kStream7));
        clickRow(shown.area(), 2, true);
        QCOMPARE(shown.view().selected(), kStream7);
        QVERIFY(shown.view().visible().start <= 0);
        QVERIFY(shown.view().visible().duration() < 130 * kUs);
        QVERIFY(shown.selectedNear(50 * kUs, 360 * kUs));
    }

    void comparedTimelinesSelectEachTheirOwn() {
        Shown shown({m_path, m_other});
        QVERIFY(shown.opened);
        shown.window.compareFiles({m_path, m_other});
        QTRY_VERIFY(shown.window.session().compare().shown() != nullptr);
        plots::CompareTimelines& both = shown.window.compared();
        QTRY_VERIFY(both.isVisible());
        TimeRuler& ruler = both.candidateView().ruler();
        const auto x = [&](TimeNs time) {
            return QPoint(static_cast<int>(ruler.coordinates().x(time)), 12);
        };
        both.base().setVisible({0, 1000 * kUs});
        dragOn(ruler, x(300 * kUs), x(600 * kUs));
        QVERIFY(both.candidate().selectedRange());
        QVERIFY(!both.base().selectedRange());
        QVERIFY(!shown.view().selectedRange());
        auto* chip = ruler.findChild<SelectionChip*>();
        QVERIFY(chip->isVisible());
        QVERIFY(both.baseView().findChild<SelectionChip*>()->isHidden());
        QTest::mouseClick(chip->findChild<QToolButton*>(), Qt::LeftButton);
        QVERIFY(!both.candidate().selectedRange());
    }
};

QTEST_MAIN(SelectTimeTest)
#include "SelectTimeTest.moc"
