// SPDX-License-Identifier: GPL-3.0-or-later
// The views of a job: what is drawn of it, and what clicks and keys do.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QWheelEvent>
#include "tests/Patience.h"

#include "core/ranks/Job.h"
#include "core/ranks/JobText.h"
#include "core/text/Format.h"
#include "tests/support/SampleRanks.h"
#include "tests/widgets/WindowTestSupport.h"
#include "tests/widgets/job/MadeJob.h"
#include "widgets/job/JobLoader.h"
#include "widgets/job/JobView.h"
#include "widgets/job/MatrixLegend.h"
#include "widgets/job/WordsPane.h"
#include "widgets/style/Theme.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::job;
using ranks::view::CellFigure;

namespace {

/// The made job in a view of its own.
class ShownView {
public:
    explicit ShownView(QSize size = {1280, 800}) {
        JobLoader loader;
        QSignalSpy loaded(&loader, &JobLoader::loaded);
        QObject::connect(&loader, &JobLoader::loaded,
                         [this](const QStringList&, const JobState::Shown& shown) { job = shown; });
        if (MadeJob::write(folder.path()).isEmpty()) {
            return;
        }
        loader.open({folder.path()});
        if (!waitFor([&] { return job != nullptr; })) {
            return;
        }
        view = std::make_unique<JobView>(job);
        view->resize(size);
        view->show();
        QCoreApplication::processEvents();
    }

    QComboBox& combo(const char* name) {
        return *view->findChild<QComboBox*>(QString::fromLatin1(name));
    }
    QString words() { return view->findChild<WordsPane*>()->text(); }
    QColor matrixPixel(QPoint at) {
        return view->matrix().viewport()->grab().toImage().pixelColor(at * ratio());
    }
    QColor timelinePixel(QPoint at) {
        return view->timeline().viewport()->grab().toImage().pixelColor(at * ratio());
    }
    [[nodiscard]] int ratio() const { return qRound(view->devicePixelRatioF()); }
    /// Of microseconds since the beginning of rank 0's file.
    int timelineX(double us) {
        return qRound(view->timeline().coordinates().x(static_cast<TimeNs>(us * 1000)));
    }
    void clickCell(CellPlace cell) {
        QTest::mouseClick(view->matrix().viewport(), Qt::LeftButton, {},
                          view->matrix().cellRect(cell).center());
    }

    QTemporaryDir folder;
    JobState::Shown job;
    std::unique_ptr<JobView> view;
};

const CellPlace kLateCell{MadeJob::kLateRank, MadeJob::kLateStep - 1};

}  // namespace

class JobViewTest final : public QObject {
    Q_OBJECT

private slots:
    void init() { failOnQtWarnings(); }
    void cleanup() { style::applyTheme(style::ThemeChoice::Light); }
    void cellsHaveTheColourOfTheirFigure_data();
    void cellsHaveTheColourOfTheirFigure();
    void largeCellsShowTheirValue();
    void clickSaysWhatHappened();
    void keysGoFromCellToCell();
    void rowsAreSortedAndGrouped();
    void manyRowsScroll();
    void stripsShowWhatTheGpuDid();
    void collectiveJoinsItsArrivals();
    void messagesAreSelectedLikeCollectives();
    void lastArrivalOutOfSightIsNamedAtTheEdge();
    void wheelAndKeysMoveTheView();
    void openedRowShowsTheTrace();
    void leastRecentlyUsedTraceIsDropped();
    void answersGoToTheirCell();
    void tablesAreFilteredAndGoSomewhere();
    void doubleClickAsksForTheTrace();
    void lostFilesAreNamed();
    void theSummaryIsWhole();
    void loadingCanBeCancelled();
};

void JobViewTest::cellsHaveTheColourOfTheirFigure_data() {
    QTest::addColumn<int>("figure");
    QTest::addColumn<bool>("dark");
    for (const bool dark : {false, true}) {
        for (const CellFigure figure : ranks::view::kCellFigures) {
            QTest::addRow("%s%s", ranks::view::figureKey(figure), dark ? " dark" : "")
                << static_cast<int>(figure) << dark;
        }
    }
}

void JobViewTest::cellsHaveTheColourOfTheirFigure() {
    QFETCH(int, figure);
    QFETCH(bool, dark);
    style::applyTheme(dark ? style::ThemeChoice::Dark : style::ThemeChoice::Light);
    ShownView shown;
    QVERIFY(shown.view);
    shown.combo("figure").setCurrentIndex(figure);
    const auto chosen = static_cast<CellFigure>(figure);
    QCOMPARE(shown.view->state().figure(), chosen);
    const CellColors colors(style::Theme::current(), chosen, shown.job->grid.largest(chosen));
    for (std::size_t rank = 0; rank < MadeJob::kRanks; ++rank) {
        for (std::size_t step = 0; step < MadeJob::kSteps; ++step) {
            const QRect box = shown.view->matrix().cellRect({rank, step});
            const double value = shown.job->grid.value(chosen, rank, step);
            QCOMPARE(shown.matrixPixel(box.topLeft() + QPoint(3, 3)).name(),
                     colors.color(value).name());
        }
    }
    // What is most is not what is nothing.
    QVERIFY(colors.largest() > 0.0);
    QVERIFY(colors.color(colors.largest()) != colors.color(0.0));
}

void JobViewTest::largeCellsShowTheirValue() {
    ShownView shown;
    QVERIFY(shown.view);
    // Three ranks waited for the late one.
    QCOMPARE(shown.view->matrix().cellText(kLateCell), QStringLiteral("1.500 ms"));
    QCOMPARE(shown.view->matrix().cellText({0, 1}), QStringLiteral("0 ns"));
    QCOMPARE(shown.view->findChild<MatrixLegend*>()->highText(), QStringLiteral("1.500 ms"));
    shown.combo("figure").setCurrentIndex(static_cast<int>(CellFigure::Waited));
    QCOMPARE(shown.view->matrix().cellText({0, 1}),
             QString::fromStdString(text::formatDuration(MadeJob::kLate * 1000)));
    // Letters are neither the ground nor the fill around them.
    const QRect box = shown.view->matrix().cellRect({0, 1});
    const QImage image = shown.view->matrix().viewport()->grab(box).toImage();
    std::set<QRgb> seen;
    for (int x = 2; x < image.width() - 2; ++x) {
        seen.insert(image.pixel(x, image.height() / 2));
    }
    QVERIFY(seen.size() > 1);
}

void JobViewTest::clickSaysWhatHappened() {
    ShownView shown;
    QVERIFY(shown.view);
    QVERIFY(!shown.job->job.answers.empty());
    shown.clickCell(kLateCell);
    QVERIFY(shown.view->state().cell() == kLateCell);
    const QString sentence =
        QString::fromStdString(ranks::answerText(shown.job->job, shown.job->job.answers.front()));
    QVERIFY(sentence.contains("3 ranks waited 500.000 µs each for rank 2"));
    QVERIFY2(shown.words().contains(sentence), qPrintable(shown.words()));
    QVERIFY(shown.words().contains("The others waited 1.500 ms for it"));
    // The timeline goes there too.
    const TimeSpan visible = shown.view->state().visible();
    QVERIFY(visible.contains(1000 * TimeNs{MadeJob::arrival(2, 2)}));
    QVERIFY(!visible.contains(1000 * TimeNs{MadeJob::arrival(2, 1)}));
    // A victim is told whom it waited for, and why that one was late.
    shown.clickCell({0, 1});
    QVERIFY(shown.words().contains("It waited 500.000 µs, for rank 2 500.000 µs."));
    QVERIFY(shown.words().contains(sentence));
}

void JobViewTest::keysGoFromCellToCell() {
    ShownView shown;
    QVERIFY(shown.view);
    MatrixView& matrix = shown.view->matrix();
    QTest::keyClick(&matrix, Qt::Key_Down);
    QVERIFY((shown.view->state().cell() == CellPlace{0, 0}));
    QTest::keyClick(&matrix, Qt::Key_Down);
    QTest::keyClick(&matrix, Qt::Key_Right);
    QVERIFY((shown.view->state().cell() == CellPlace{1, 1}));
    QTest::keyClick(&matrix, Qt::Key_End);
    QVERIFY((shown.view->state().cell() == CellPlace{1, 2}));
    QTest::keyClick(&matrix, Qt::Key_Up);
    QTest::keyClick(&matrix, Qt::Key_Up);
    QTest::keyClick(&matrix, Qt::Key_Home);
    QVERIFY((shown.view->state().cell() == CellPlace{0, 0}));
    QSignalSpy requests(&shown.view->state(), &JobState::rankRequested);
    QTest::keyClick(&matrix, Qt::Key_Return);
    QCOMPARE(requests.count(), 1);
    QTest::keyClick(&matrix, Qt::Key_Escape);
    QVERIFY(!shown.view->state().cell());
}

void JobViewTest::rowsAreSortedAndGrouped() {
    ShownView shown;
    QVERIFY(shown.view);
    JobState& state = shown.view->state();
    shown.combo("order").setCurrentIndex(1);
    QCOMPARE(state.rows().front().record, std::size_t{MadeJob::kLateRank});
    QVERIFY(shown.view->matrix().cellRect({2, 0}).top() <
            shown.view->matrix().cellRect({0, 0}).top());
    QVERIFY(shown.view->timeline().stripRect(2).top() < shown.view->timeline().stripRect(0).top());
    shown.combo("groups").setCurrentIndex(1);
    QCOMPARE(state.rows().size(), std::size_t{6});
    QCOMPARE(state.rows()[0].heading, std::string("host0"));
    QCOMPARE(state.rows()[3].heading, std::string("host1"));
    QCOMPARE(state.rows()[4].record, std::size_t{MadeJob::kLateRank});
    // Keys step over headings.
    state.setCell(CellPlace{1, 0});
    QTest::keyClick(&shown.view->matrix(), Qt::Key_Down);
    QVERIFY((state.cell() == CellPlace{2, 0}));
    shown.combo("groups").setCurrentIndex(2);
    QCOMPARE(state.rows().front().heading, std::string("group 0"));
}

void JobViewTest::manyRowsScroll() {
    ShownView shown;
    QVERIFY(shown.view);
    MatrixView& matrix = shown.view->matrix();
    const int before = matrix.rowHeight();
    QWheelEvent larger(QPointF(200, 60), matrix.viewport()->mapToGlobal(QPointF(200, 60)), {},
                       {0, 120}, Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
    for (int i = 0; i < 30; ++i) {
        QCoreApplication::sendEvent(matrix.viewport(), &larger);
    }
    QVERIFY(matrix.rowHeight() > before);
    matrix.resize(matrix.width(), 100);
    QVERIFY(matrix.verticalScrollBar()->maximum() > 0);
    shown.view->state().setCell(CellPlace{3, 0});
    QVERIFY(matrix.verticalScrollBar()->value() > 0);
    QVERIFY(matrix.viewport()->rect().intersects(matrix.cellRect({3, 0})));
}

void JobViewTest::stripsShowWhatTheGpuDid() {
    ShownView shown;
    QVERIFY(shown.view);
    const style::Theme& theme = style::Theme::current();
    const auto begin = TimeNs{MadeJob::begin(2)} * 1000;
    shown.view->state().setVisible({begin, begin + 3'000'000});
    const QRect strip = shown.view->timeline().stripRect(0);
    const auto at = [&](std::size_t rank, int us) {
        return shown.timelinePixel(
            {shown.timelineX(us), shown.view->timeline().stripRect(rank).center().y()});
    };
    const int compute = MadeJob::begin(2) + 100 + MadeJob::kCompute / 2;
    const int waits = MadeJob::arrival(0, 2) + MadeJob::kLate / 2;
    QVERIFY(strip.height() > 4);
    QCOMPARE(at(0, compute).name(), theme.compute().name());
    QCOMPARE(at(0, waits).name(), theme.communication().name());
    // The late rank still computes then; its clock is 250 µs ahead, which must not be seen.
    QCOMPARE(at(2, waits).name(), theme.compute().name());
    QCOMPARE(at(2, MadeJob::arrival(2, 2) + MadeJob::kTook / 2).name(),
             theme.communication().name());
    QVERIFY(at(0, MadeJob::begin(2) + 50) != theme.compute());
}

void JobViewTest::collectiveJoinsItsArrivals() {
    ShownView shown;
    QVERIFY(shown.view);
    RankTimeline& timeline = shown.view->timeline();
    const auto begin = TimeNs{MadeJob::begin(2)} * 1000;
    shown.view->state().setVisible({begin, begin + 3'000'000});
    const QPoint wait(shown.timelineX(MadeJob::arrival(0, 2) + MadeJob::kLate / 2),
                      timeline.marksRect(0).center().y());
    // Between two rows, where the line will be.
    const QPoint between(
        shown.timelineX(MadeJob::arrival(0, 2)),
        (timeline.marksRect(0).center().y() + timeline.marksRect(1).center().y()) / 2);
    const auto there = [&] {
        const QRect box(between - QPoint(3, 0), QSize(7, 1));
        return timeline.viewport()->grab(box).toImage();
    };
    const QImage before = there();
    QTest::mouseClick(timeline.viewport(), Qt::LeftButton, {}, wait);
    const auto collective = shown.view->state().collective();
    QVERIFY(collective.has_value());
    QCOMPARE(shown.job->job.waits[*collective].step, std::int64_t{2});
    const QRectF mark = timeline.markRect(2, *collective);
    QVERIFY(std::abs(mark.left() - shown.timelineX(MadeJob::arrival(2, 2))) <= 1.0);
    // The last one is marked, the others are joined with it.
    const style::Theme& theme = style::Theme::current();
    const QPoint last(shown.timelineX(MadeJob::arrival(2, 2)),
                      timeline.marksRect(2).top() + timeline.marksRect(2).height() / 2);
    QCOMPARE(shown.timelinePixel(last).name(), theme.error().name());
    QVERIFY(there() != before);
    QVERIFY2(shown.words().contains("Rank 2 arrived last"), qPrintable(shown.words()));
    // To the next one and back.
    QTest::keyClick(&timeline, Qt::Key_Right);
    QCOMPARE(shown.job->job.waits[*shown.view->state().collective()].step, std::int64_t{3});
    QTest::keyClick(&timeline, Qt::Key_Left);
    QCOMPARE(shown.view->state().collective(), collective);
    QTest::keyClick(&timeline, Qt::Key_Escape);
    QVERIFY(!shown.view->state().collective());
}

void JobViewTest::messagesAreSelectedLikeCollectives() {
    std::vector<ranks::RankRecord> records;
    for (std::int64_t rank = 0; rank < 3; ++rank) {
        records.push_back(test::sampleRank(rank, 3));
    }
    auto made = ranks::makeJob(std::move(records));
    QVERIFY(made);
    JobView view(ranks::view::showJob(std::move(*made)));
    view.resize(1280, 800);
    view.show();
    QCoreApplication::processEvents();
    const auto* table = static_cast<models::ColumnTableModel*>(view.table("collectives")->model());
    const auto rowOf = [&](const QString& kind) {
        int row = 0;
        while (row < table->rowCount() && table->index(row, 1).data().toString() != kind) {
            ++row;
        }
        return row;
    };
    QCOMPARE(rowOf("recv"), table->rowCount());
    const QModelIndex message = table->index(rowOf("send"), 0);
    QVERIFY(message.isValid());
    view.findChild<QTabWidget*>()->setCurrentWidget(view.table("collectives"));
    QTest::mouseClick(view.table("collectives")->viewport(), Qt::LeftButton, {},
                      view.table("collectives")->visualRect(message).center());
    const auto chosen = view.state().collective();
    QVERIFY(chosen.has_value());
    QCOMPARE(view.findChild<WordsPane*>()->heading(),
             QStringLiteral("Send of group 1, from rank 0 to rank 1, step 2"));
    // Both ends are drawn, and lead to it as well.
    QVERIFY(view.timeline().markRect(2, *chosen).isEmpty());
    for (std::size_t rank = 0; rank < 2; ++rank) {
        view.state().setCollective(std::nullopt);
        const QRectF mark = view.timeline().markRect(rank, *chosen);
        QVERIFY(!mark.isEmpty());
        QTest::mouseClick(view.timeline().viewport(), Qt::LeftButton, {}, mark.center().toPoint());
        QCOMPARE(view.state().collective(), chosen);
    }
}

void JobViewTest::lastArrivalOutOfSightIsNamedAtTheEdge() {
    ShownView shown;
    QVERIFY(shown.view);
    RankTimeline& timeline = shown.view->timeline();
    shown.clickCell({0, 1});
    shown.view->state().setCollective(shown.view->state().collective());
    timeline.grab();
    const QRectF before = timeline.lastSign();
    QVERIFY(QRectF(timeline.marksRect(2)).adjusted(0, -20, 0, 20).contains(before.center()));
    // Room for little more than one row.
    timeline.setMinimumHeight(0);
    timeline.setFixedHeight(52);
    timeline.revealRank(0);
    timeline.grab();
    const int bottom = timeline.viewport()->height();
    QVERIFY(timeline.marksRect(2).top() >= bottom);
    QVERIFY(timeline.viewport()->rect().contains(timeline.lastSign().toRect()));
    QTest::mouseClick(timeline.viewport(), Qt::LeftButton, {},
                      timeline.lastSign().center().toPoint());
    QVERIFY(timeline.marksRect(2).bottom() <= bottom);
    QVERIFY(shown.view->state().collective().has_value());
}

void JobViewTest::wheelAndKeysMoveTheView() {
    ShownView shown;
    QVERIFY(shown.view);
    JobState& state = shown.view->state();
    RankTimeline& timeline = shown.view->timeline();
    const TimeSpan whole = state.visible();
    const QPointF at(600, 60);
    QWheelEvent in(at, timeline.viewport()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, {},
                   Qt::NoScrollPhase, false);
    const TimeNs pointed = timeline.coordinates().time(at.x());
    QCoreApplication::sendEvent(timeline.viewport(), &in);
    QVERIFY(state.visible().duration() < whole.duration());
    QVERIFY(std::abs(timeline.coordinates().x(pointed) - at.x()) < 1.0);
    const TimeSpan zoomed = state.visible();
    QTest::keyClick(&timeline, Qt::Key_D);
    QVERIFY(state.visible().start > zoomed.start);
    QCOMPARE(state.visible().duration(), zoomed.duration());
    QTest::keyClick(&timeline, Qt::Key_S);
    QTest::keyClick(&timeline, Qt::Key_F);
    QCOMPARE(state.visible(), whole);
    // Nothing leads far away from the job.
    for (int i = 0; i < 100; ++i) {
        state.zoom(2.0, whole.end);
        state.pan(whole.duration());
    }
    QVERIFY(state.visible().duration() <= whole.duration() + whole.duration() / 10);
    for (int i = 0; i < 100; ++i) {
        state.zoom(0.1, whole.start);
    }
    QVERIFY(state.visible().duration() >= 1000);
}

void JobViewTest::openedRowShowsTheTrace() {
    ShownView shown;
    QVERIFY(shown.view);
    RankTimeline& timeline = shown.view->timeline();
    const int before = timeline.stripRect(1).top();
    const QRect strip = timeline.stripRect(0);
    QTest::mouseClick(timeline.viewport(), Qt::LeftButton, {}, {10, strip.center().y()});
    QTRY_VERIFY(timeline.isOpened(0));
    QVERIFY(timeline.stripRect(1).top() > before + 40);
    // Its kernels are drawn below the strip.
    const auto begin = TimeNs{MadeJob::begin(1)} * 1000;
    shown.view->state().setVisible({begin, begin + 3'000'000});
    const int x = shown.timelineX(MadeJob::begin(1) + 100 + MadeJob::kCompute / 2);
    const QImage image = timeline.viewport()->grab().toImage();
    bool drawn = false;
    for (int y = timeline.marksRect(0).bottom() + 4; y < timeline.stripRect(1).top() - 2; ++y) {
        const QColor pixel = image.pixelColor(QPoint(x, y) * shown.ratio());
        drawn = drawn || pixel.hsvSaturation() > 40;
    }
    QVERIFY(drawn);
    timeline.setOpened(0, false);
    QCOMPARE(timeline.stripRect(1).top(), before);
}

void JobViewTest::leastRecentlyUsedTraceIsDropped() {
    QTemporaryDir folder;
    const QStringList paths = MadeJob::write(folder.path());
    QVERIFY(!paths.isEmpty());
    RankTraces traces;
    QSignalSpy loaded(&traces, &RankTraces::loaded);
    QSignalSpy dropped(&traces, &RankTraces::dropped);
    for (std::size_t record = 0; record < RankTraces::kMaxTraces; ++record) {
        traces.want(record, paths[0]);
    }
    QTRY_COMPARE(loaded.count(), static_cast<int>(RankTraces::kMaxTraces));
    QVERIFY(traces.find(0) != nullptr);
    traces.want(RankTraces::kMaxTraces, paths[0]);
    QTRY_COMPARE(dropped.count(), 1);
    QCOMPARE(dropped.front().front().value<std::size_t>(), std::size_t{1});
    QVERIFY(traces.find(1) == nullptr);
    QVERIFY(traces.find(0) != nullptr);
}

void JobViewTest::answersGoToTheirCell() {
    ShownView shown;
    QVERIFY(shown.view);
    auto* answers = shown.view->findChild<QListWidget*>("answers");
    QCOMPARE(answers->count(), static_cast<int>(shown.job->job.answers.size()));
    QTest::mouseClick(answers->viewport(), Qt::LeftButton, {},
                      answers->visualItemRect(answers->item(0)).center());
    QVERIFY(shown.view->state().cell() == kLateCell);
    QVERIFY(shown.view->state().collective().has_value());
    QVERIFY(shown.view->selectAnswer("rank 2"));
    QVERIFY(!shown.view->selectAnswer("rank 77"));
}

void JobViewTest::tablesAreFilteredAndGoSomewhere() {
    ShownView shown;
    QVERIFY(shown.view);
    panels::DataTable* ranks = shown.view->table("ranks");
    QCOMPARE(ranks->model()->rowCount(), MadeJob::kRanks);
    shown.view->findChild<QLineEdit*>("filter")->setText("HOST1");
    QCOMPARE(ranks->model()->rowCount(), 2);
    QCOMPARE(ranks->model()->index(0, 0).data().toString(), QStringLiteral("2"));
    QTest::mouseClick(ranks->viewport(), Qt::LeftButton, {},
                      ranks->visualRect(ranks->model()->index(0, 0)).center());
    QVERIFY(shown.view->state().cell() == kLateCell);
    shown.view->findChild<QLineEdit*>("filter")->clear();
    const QAbstractItemModel* clocks = shown.view->table("clocks")->model();
    QCOMPARE(clocks->index(3, 2).data().toString(), QStringLiteral("250.000"));
    const QAbstractItemModel* steps = shown.view->table("steps")->model();
    QCOMPARE(steps->rowCount(), MadeJob::kSteps);
    QVERIFY(steps->index(1, 5).data().toString().contains("rank 2 compute 500.000 µs"));
    const auto* collectives =
        static_cast<const models::ColumnTableModel*>(shown.view->table("collectives")->model());
    QCOMPARE(collectives->rowCount(), 1);
    QCOMPARE(collectives->exportText(0, 6), QString::number(MadeJob::kTook * 1000));
    QString title;
    QVERIFY(shown.view->tableInFront(&title) != nullptr);
    QCOMPARE(title, QStringLiteral("Ranks"));
}

void JobViewTest::doubleClickAsksForTheTrace() {
    ShownView shown;
    QVERIFY(shown.view);
    QSignalSpy requests(&shown.view->state(), &JobState::rankRequested);
    shown.clickCell(kLateCell);
    QTest::mouseDClick(shown.view->matrix().viewport(), Qt::LeftButton, {},
                       shown.view->matrix().cellRect(kLateCell).center());
    QCOMPARE(requests.count(), 1);
    QVERIFY(requests.front()[0].toString().endsWith("rank2.json"));
    // On its own clock, which is ahead.
    const qint64 begin = 1000 * qint64{MadeJob::begin(2) + MadeJob::offset(2)};
    QVERIFY(std::abs(requests.front()[1].toLongLong() - begin) <= 1000);
    QTest::mouseDClick(shown.view->timeline().viewport(), Qt::LeftButton, {},
                       {80, shown.view->timeline().stripRect(3).center().y()});
    QCOMPARE(requests.count(), 2);
    QVERIFY(requests.back()[0].toString().endsWith("rank3.json"));
}

void JobViewTest::lostFilesAreNamed() {
    QTemporaryDir folder;
    QVERIFY(!MadeJob::write(folder.path()).isEmpty());
    QFile broken(folder.filePath("rank1.json"));
    QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("no trace") > 0);
    broken.close();
    JobLoader loader;
    JobState::Shown job;
    QObject::connect(&loader, &JobLoader::loaded,
                     [&](const QStringList&, const JobState::Shown& shown) { job = shown; });
    loader.open({folder.path()});
    QTRY_VERIFY(job != nullptr);
    JobView view(job);
    view.resize(1000, 700);
    view.show();
    const QString told = view.summary().join('\n');
    QVERIFY2(told.contains("3 of 4 ranks") && told.contains("missing: rank 1") &&
                 told.contains("rank1.json"),
             qPrintable(told));
    QCOMPARE(view.table("ranks")->model()->rowCount(), 3);
}

void JobViewTest::theSummaryIsWhole() {
    for (const QSize size : {QSize(1280, 720), QSize(1024, 600)}) {
        ShownView shown(size);
        QVERIFY(shown.view != nullptr);
        const auto* summary = shown.view->findChild<QLabel*>(QStringLiteral("summary"));
        QVERIFY(summary != nullptr && summary->text().contains("4 of 4 ranks"));
        QCOMPARE(summary->text().count(QChar(0xb7)), shown.view->summary().size() - 1);
        QVERIFY(!summary->text().contains(QChar(0xc2)));
        QVERIFY(shown.view->rect().contains(
            QRect(summary->mapTo(shown.view.get(), QPoint()), summary->size())));
        const QRect room = summary->contentsRect();
        const QRect needed = summary->fontMetrics().boundingRect(QRect(0, 0, room.width(), 10'000),
                                                                 Qt::TextWordWrap, summary->text());
        QVERIFY2(needed.height() <= room.height() && needed.width() <= room.width(),
                 qPrintable(QStringLiteral("%1x%2 in %3x%4")
                                .arg(needed.width())
                                .arg(needed.height())
                                .arg(room.width())
                                .arg(room.height())));
    }
}

void JobViewTest::loadingCanBeCancelled() {
    QTemporaryDir folder;
    QVERIFY(!MadeJob::write(folder.path()).isEmpty());
    JobLoader loader;
    QSignalSpy loaded(&loader, &JobLoader::loaded);
    QSignalSpy failed(&loader, &JobLoader::failed);
    QSignalSpy idle(&loader, &JobLoader::idle);
    loader.open({folder.path()});
    QVERIFY(loader.isLoading());
    loader.cancel();
    QVERIFY(!loader.isLoading());
    QCOMPARE(idle.count(), 1);
    // The next one comes, and nothing of the first.
    loader.open({folder.filePath("nothing")});
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(loaded.count(), 0);
    QVERIFY(failed.front()[1].toString().contains("nothing"));
}

QTEST_MAIN(JobViewTest)
#include "JobViewTest.moc"
