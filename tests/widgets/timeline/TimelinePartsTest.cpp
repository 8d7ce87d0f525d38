// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <random>

#include "core/query/find/NameFilter.h"
#include "tests/widgets/TimelineFixture.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/timeline/LaneGeometry.h"
#include "widgets/timeline/SliceToolTip.h"
#include "widgets/timeline/TimeCoordinates.h"
#include "widgets/timeline/TimeTicks.h"
#include "widgets/timeline/rows/RowLabels.h"
#include "widgets/timeline/rows/RowMoves.h"
#include "widgets/timeline/rows/TimelineRows.h"

using namespace kinetoscope;
using namespace kinetoscope::query;
using namespace kinetoscope::timeline;
using namespace kinetoscope::trace;

class TimelinePartsTest final : public QObject {
    Q_OBJECT

private slots:
    void init() { failOnQtWarnings(); }

    void pixelsAndTimesGoBothWays();
    void noWidthIsTheLeftEdge();
    void stepsAreOneTwoFive();
    void ticksHaveRoundTimesAndUnits();
    void longLabelsCountFromAnAnchor();
    void randomTicksKeepTheirDistance();
    void rowsAreGpusFirstWithoutEmptyProcesses();
    void rowHeightsHoldTheirLanes();
    void collapsedGroupsHideTheirTracks();
    void rowsWithNothingOnThemAreLeftOut();
    void annotationsOfAGpuComeFirst();
    void pinnedRowsComeFirstAndOnce();
    void hiddenAndFilteredRowsAreAway();
    void rowsAreInTheOrderChosen();
    void newRowsFollowWhatTheyUsuallyFollow();
    void rowsMoveBesideTheirLikeOnly();
    void pinnedRowsStayWhereTheyAre();
    void groupLabelStaysWhileItsRowsScroll();
    void rowIsFoundAtEveryHeight();
    void profilerRowsComeLast();
    void pictureHasEveryVisibleLaneAtItsPlace();
    void pictureOfManyLanesIsThatOfEach();
    void pictureOfTheMiddleStartsWithTheRightLane();
    void instantsShareColumnsAndCountersStep();
    void collapsedGroupsShowTheirBusyShare();
    void instantsOfProcessesStandOnTheirHeading();
    void hitsPreferWhatIsUnderThePointer();
    void toolTipsSayWhatItIs();
    void longNamesHaveLines();
};

namespace {

/// Index, rows and marks of the fixture's trace.
struct Laid {
    TimelineFixture fixture;
    LaneIndex index{fixture.trace};
    TrackMarks marks{*fixture.trace};
    TimelineRows rows{index,
                      {.groupHeight = 20,
                       .laneHeight = 10,
                       .rowPadding = 3,
                       .counterHeight = 30,
                       .instantHeight = 9},
                      &marks};

    [[nodiscard]] TimelineGeometry picture(const GeometrySpec& spec) {
        return layOutGeometry(index, rows, marks, spec);
    }
};

std::vector<std::string> labels(const TimelineRows& rows) {
    std::vector<std::string> result;
    for (const TimelineRow& row : rows.rows()) {
        result.push_back(row.label);
    }
    return result;
}

std::vector<std::string> labels(const TimeTicks& ticks) {
    std::vector<std::string> result;
    for (const TimeTick& tick : ticks.ticks) {
        result.push_back(tick.label);
    }
    return result;
}

using Texts = std::vector<std::string>;

}  // namespace

void TimelinePartsTest::pixelsAndTimesGoBothWays() {
    const TimeCoordinates at({1'000, 3'000}, 200.0, 400.0);
    QCOMPARE(at.x(1'000), 200.0);
    QCOMPARE(at.x(2'000), 400.0);
    QCOMPARE(at.x(0), 0.0);
    QCOMPARE(at.time(600.0), TimeNs{3'000});
    QCOMPARE(at.length(40.0), TimeNs{200});
    std::mt19937_64 random(1);
    for (int i = 0; i < 1'000; ++i) {
        const auto start = static_cast<TimeNs>(random() % 1'000'000'000'000);
        const auto length = static_cast<TimeNs>(1 + random() % 1'000'000);
        const TimeCoordinates any({start, start + length}, 120.0, 1'700.0);
        const TimeNs time = start + static_cast<TimeNs>(random() % 1'000'000);
        QCOMPARE(any.time(any.x(time)), time);
    }
}

void TimelinePartsTest::noWidthIsTheLeftEdge() {
    for (const TimeCoordinates& flat :
         {TimeCoordinates({0, 100}, 7.0, 0.0), TimeCoordinates({5, 5}, 7.0, 100.0)}) {
        QCOMPARE(flat.x(50), 7.0);
        QCOMPARE(flat.time(50.0), flat.visible().start);
        QCOMPARE(flat.length(10.0), TimeNs{0});
    }
}

void TimelinePartsTest::stepsAreOneTwoFive() {
    QCOMPARE(niceStep(0.01), TimeNs{1});
    QCOMPARE(niceStep(1.5), TimeNs{2});
    QCOMPARE(niceStep(2.0), TimeNs{2});
    QCOMPARE(niceStep(4.9), TimeNs{5});
    QCOMPARE(niceStep(5.1), TimeNs{10});
    QCOMPARE(niceStep(1.1e9), TimeNs{2'000'000'000});
}

void TimelinePartsTest::ticksHaveRoundTimesAndUnits() {
    const TimeTicks ticks = timeTicks({1'000, 4'000}, 1'000, 600.0, 100.0);
    QCOMPARE(ticks.step, TimeNs{500});
    QCOMPARE(labels(ticks), (Texts{"0 µs", "0.5 µs", "1.0 µs", "1.5 µs", "2.0 µs", "2.5 µs"}));
    QCOMPARE(ticks.ticks[1].time, TimeNs{1'500});
    QCOMPARE(labels(timeTicks({-30, 100}, 0, 400.0, 100.0)), (Texts{"0 ns", "50 ns"}));
    QVERIFY(timeTicks({0, 0}, 0, 400.0, 100.0).ticks.empty());
    QVERIFY(timeTicks({0, 10}, 0, 0.0, 100.0).ticks.empty());
}

void TimelinePartsTest::longLabelsCountFromAnAnchor() {
    const TimeTicks ticks = timeTicks({12'345'678'110, 12'345'678'390}, 0, 300.0, 100.0);
    QCOMPARE(ticks.step, TimeNs{100});
    QCOMPARE(ticks.anchor, TimeNs{12'345'678'000});
    QCOMPARE(ticks.anchorLabel, std::string("12.345678 s"));
    QCOMPARE(labels(ticks), (Texts{"+200 ns", "+300 ns"}));
}

void TimelinePartsTest::randomTicksKeepTheirDistance() {
    std::mt19937_64 random(2);
    for (int i = 0; i < 2'000; ++i) {
        const auto start = static_cast<TimeNs>(random() % 100'000'000'000) - 1'000;
        const auto length = static_cast<TimeNs>(20 + (random() % (1ULL << (random() % 40))));
        const TimeCoordinates at({start, start + length}, 0.0, 1'700.0);
        const TimeTicks ticks = timeTicks(at.visible(), 0, at.width(), 110.0);
        for (std::size_t tick = 0; tick < ticks.ticks.size(); ++tick) {
            QVERIFY(at.visible().contains(ticks.ticks[tick].time));
            QVERIFY2(ticks.ticks[tick].label.size() <= 15, ticks.ticks[tick].label.c_str());
            if (tick > 0) {
                const double gap = at.x(ticks.ticks[tick].time) - at.x(ticks.ticks[tick - 1].time);
                QVERIFY(gap >= 110.0 - 1e-6);
                QVERIFY(ticks.ticks[tick].label != ticks.ticks[tick - 1].label);
            }
        }
    }
}

void TimelinePartsTest::rowsAreGpusFirstWithoutEmptyProcesses() {
    const Laid laid;
    QCOMPARE(labels(laid.rows), (Texts{"GPU 0 · NVIDIA H200", "stream 7", "stream 13", "python 477",
                                       "queue", "thread 478"}));
    QCOMPARE(laid.rows.rows()[0].kind, RowKind::Group);
    QCOMPARE(laid.rows.rows()[4].kind, RowKind::Counter);
}

void TimelinePartsTest::rowHeightsHoldTheirLanes() {
    const Laid laid;
    const auto& rows = laid.rows.rows();
    QCOMPARE(rows[1].lanes, 2U);
    QCOMPARE(rows[1].top, 20);
    QCOMPARE(rows[1].height, 26);
    QCOMPARE(rows[2].lanes, 1U);
    QCOMPARE(rows[5].lanes, 3U);
    QCOMPARE(laid.rows.laneTop(rows[5], 2), rows[5].top + 9 + 23);  // below the instants
    QCOMPARE(laid.rows.height(), 20 + 26 + 16 + 20 + 30 + 9 + 36);
}

void TimelinePartsTest::collapsedGroupsHideTheirTracks() {
    Laid laid;
    laid.rows.setCollapsed(laid.fixture.gpu, true);
    QCOMPARE(labels(laid.rows),
             (Texts{"GPU 0 · NVIDIA H200", "python 477", "queue", "thread 478"}));
    QVERIFY(laid.rows.rows()[0].collapsed);
    QVERIFY(!laid.rows.rowOf(laid.fixture.stream7));
    QVERIFY(laid.rows.rowOf(laid.fixture.thread) == std::size_t{3});
    laid.rows.setCollapsed(laid.fixture.gpu, false);
    QCOMPARE(laid.rows.rows().size(), std::size_t{6});
}

void TimelinePartsTest::rowsWithNothingOnThemAreLeftOut() {
    TraceBuilder builder;
    const TrackId drawn = builder.track({false, 1}, {false, 1});
    const TrackId flowing = builder.track({false, 1}, {false, 2});
    (void)builder.track({false, 2}, {false, 2});
    builder.addSlice({.start = 0, .duration = 10, .name = builder.name("x"), .track = drawn});
    FlowPoint flow;
    flow.track = flowing;
    builder.addFlow(flow);
    LaneIndex index(builder.finish());
    QCOMPARE(labels(TimelineRows(index, {})), (Texts{"process 1", "thread 1"}));
}

void TimelinePartsTest::annotationsOfAGpuComeFirst() {
    TraceBuilder builder;
    const auto add = [&](std::int64_t tid, Category category) {
        builder.addSlice({.start = 0,
                          .duration = 10,
                          .name = builder.name("x"),
                          .track = builder.track({false, 0}, {false, tid}),
                          .category = static_cast<CategoryId>(category)});
    };
    add(7, Category::Kernel);
    add(7, Category::GpuUserAnnotation);
    add(9, Category::GpuUserAnnotation);  // nothing else on this stream
    LaneIndex index(builder.finish());
    const TimelineRows rows(index, {});
    QCOMPARE(labels(rows), (Texts{"GPU 0", "annotations", "stream 7"}));
    QCOMPARE(rows.rows()[1].lanes, 2U);
    QCOMPARE(rows.rows()[2].lanes, 1U);
}

void TimelinePartsTest::pinnedRowsComeFirstAndOnce() {
    Laid laid;
    session::RowChoices choices;
    choices.pin(laid.rows.find(laid.fixture.thread)->key, true);
    choices.pin(laid.rows.find(laid.fixture.stream13)->key, true);
    choices.fold(laid.rows.rows()[0].key, true);  // pinned rows stay when their group is folded
    laid.rows.apply(choices);
    QCOMPARE(labels(laid.rows),
             (Texts{"thread 478", "stream 13", "GPU 0 · NVIDIA H200", "python 477", "queue"}));
    QVERIFY(laid.rows.rows()[1].pinned && !laid.rows.rows()[2].pinned);
    QCOMPARE(laid.rows.pinnedHeight(), 45 + 16);
    QCOMPARE(laid.rows.rows()[2].top, 45 + 16);
    choices.pin(laid.rows.rows()[0].key, false);
    laid.rows.apply(choices);
    QCOMPARE(laid.rows.rows().front().label, std::string("stream 13"));
    QVERIFY(laid.rows.rowOf(laid.fixture.thread) == std::size_t{4});
}

void TimelinePartsTest::hiddenAndFilteredRowsAreAway() {
    Laid laid;
    session::RowChoices choices;
    choices.hide(laid.rows.find(laid.fixture.stream7)->key, true);
    laid.rows.apply(choices);
    QCOMPARE(labels(laid.rows),
             (Texts{"GPU 0 · NVIDIA H200", "stream 13", "python 477", "queue", "thread 478"}));
    QVERIFY(laid.rows.hiddenLabels() == Texts{"stream 7"});
    choices.hide(laid.rows.find(laid.fixture.stream13)->key, true);
    laid.rows.apply(choices);  // nothing is left of the group
    QCOMPARE(labels(laid.rows), (Texts{"python 477", "queue", "thread 478"}));
    choices = {};
    choices.filter = "STREAM";
    choices.fold(laid.rows.find(laid.fixture.stream7)->group, true);  // what is found is seen
    laid.rows.apply(choices);
    QCOMPARE(labels(laid.rows), (Texts{"GPU 0 · NVIDIA H200", "stream 7", "stream 13"}));
    choices.filter = "/13$|^queue/";
    laid.rows.apply(choices);
    QCOMPARE(labels(laid.rows), (Texts{"GPU 0 · NVIDIA H200", "stream 13", "python 477", "queue"}));
    choices.filter = "h200";  // a group's name stands for its rows
    laid.rows.apply(choices);
    QCOMPARE(laid.rows.rows().size(), std::size_t{3});
    choices.filter = "/(/";  // not an expression yet
    laid.rows.apply(choices);
    QCOMPARE(laid.rows.rows().size(), std::size_t{4});  // but for those of the folded group
    choices.filter = "nothing has this name";
    laid.rows.apply(choices);
    QVERIFY(laid.rows.rows().empty());
    QCOMPARE(laid.rows.height(), 0);
    QVERIFY(query::NameFilter::make(query::patternFor("a+b (c)")).value().matches("a+b (c)"));
    QVERIFY(!query::NameFilter::make(query::patternFor("a+b (c)")).value().matches("aab (c) d"));
}

void TimelinePartsTest::rowsAreInTheOrderChosen() {
    Laid laid;
    session::RowChoices choices;
    const std::string gpu = laid.rows.find(laid.fixture.stream7)->group;
    moveRow(choices, laid.rows, 2, laid.rows.rows()[1].key);  // stream 13 before stream 7
    laid.rows.apply(choices);
    QCOMPARE(labels(laid.rows), (Texts{"GPU 0 · NVIDIA H200", "stream 13", "stream 7", "python 477",
                                       "queue", "thread 478"}));
    moveRow(choices, laid.rows, 0, "");  // the GPU last
    laid.rows.apply(choices);
    QCOMPARE(labels(laid.rows), (Texts{"python 477", "queue", "thread 478", "GPU 0 · NVIDIA H200",
                                       "stream 13", "stream 7"}));
    QCOMPARE(choices.order.size(), std::size_t{2});
    // A trace that grew, or the same file once more, has the same keys.
    LaneIndex again(laid.fixture.trace);
    QCOMPARE(labels(TimelineRows(again, laid.rows.metrics(), nullptr, choices)), labels(laid.rows));
    choices.order.erase(gpu);
    laid.rows.apply(choices);
    QCOMPARE(laid.rows.rows()[4].label, std::string("stream 7"));
}

void TimelinePartsTest::newRowsFollowWhatTheyUsuallyFollow() {
    QCOMPARE(session::inOrder({"a", "b", "c"}, {}), (Texts{"a", "b", "c"}));
    QCOMPARE(session::inOrder({"a", "b", "c"}, {"c", "a", "b"}), (Texts{"c", "a", "b"}));
    QCOMPARE(session::inOrder({"0", "a", "a2", "b", "c", "d"}, {"c", "a", "b", "gone", "a"}),
             (Texts{"0", "c", "d", "a", "a2", "b"}));
}

void TimelinePartsTest::rowsMoveBesideTheirLikeOnly() {
    Laid laid;
    const RowView view{0, 500, 0, 0};
    const auto& rows = laid.rows.rows();
    QVERIFY(!placeBeside(laid.rows, 1, true));
    QVERIFY(placeBeside(laid.rows, 1, false) == std::string());
    QVERIFY(placeBeside(laid.rows, 2, true) == rows[1].key);
    QVERIFY(placeBeside(laid.rows, 3, true) == rows[0].key);
    // Wherever the pointer is, stream 13 goes above stream 7 or stays.
    const auto drop = dropAt(laid.rows, view, 2, 0);
    QVERIFY(drop && drop->before == rows[1].key);
    QCOMPARE(drop->line, rows[1].top);
    QVERIFY(!dropAt(laid.rows, view, 2, 499));
    QVERIFY(!dropAt(laid.rows, view, 2, rows[2].top + 1));
    // A group goes around another group, not between its rows.
    const auto below = dropAt(laid.rows, view, 0, 499);
    QVERIFY(below && below->before.empty());
    QCOMPARE(below->line, laid.rows.height());
    QVERIFY(!dropAt(laid.rows, view, 0, rows[3].top + 2));
}

void TimelinePartsTest::pinnedRowsStayWhereTheyAre() {
    Laid laid;
    session::RowChoices choices;
    choices.pin(laid.rows.find(laid.fixture.stream13)->key, true);
    laid.rows.apply(choices);
    const int pinned = laid.rows.pinnedHeight();
    for (const int scroll : {0, 30}) {
        const TimelineGeometry picture =
            laid.picture({{0, 10'000}, 1'000, scroll, 100, 1.0, pinned, 0});
        QCOMPARE(picture.pinnedRows, std::size_t{1});
        QCOMPARE(picture.lanes[0].items[0].slice, laid.fixture.copy);
        QCOMPARE(picture.lanes[0].top, 3);
        const auto hit = hitTest(picture, 850, 5, 0);
        QVERIFY(hit && hit->item->slice == laid.fixture.copy);
        // Rows that are scrolled below the pinned one are not under the pointer there.
        for (int column = 0; column < 800; ++column) {
            QVERIFY(!hitTest(picture, column, 8, 0));
        }
        QCOMPARE(picture.lanes[1].top, pinned + 20 + 3 - scroll);
        const RowView view = picture.spec.view();
        QVERIFY(laid.rows.rowOnScreen(5, view) == std::size_t{0});
        QVERIFY(laid.rows.rowOnScreen(pinned, view) ==
                (scroll == 0 ? std::size_t{1} : std::size_t{2}));
    }
}

void TimelinePartsTest::groupLabelStaysWhileItsRowsScroll() {
    const Laid laid;
    const auto& rows = laid.rows.rows();
    QVERIFY(!stickyLabel(laid.rows, {0, 100, 0, 0}));
    auto label = stickyLabel(laid.rows, {30, 100, 0, 0});
    QVERIFY(label && label->row == 0 && label->top == 0);
    QVERIFY(labelAt(laid.rows, {30, 100, 0, 0}, 5) == std::size_t{0});
    QVERIFY(labelAt(laid.rows, {30, 100, 0, 0}, 21) != std::size_t{0});
    // The next heading pushes it away.
    label = stickyLabel(laid.rows, {rows[3].top - 12, 100, 0, 0});
    QVERIFY(label && label->row == 0 && label->top == 12 - 20);
    label = stickyLabel(laid.rows, {rows[3].top + 1, 100, 0, 0});
    QVERIFY(label && label->row == 3 && label->top == 0);
}

void TimelinePartsTest::rowIsFoundAtEveryHeight() {
    const Laid laid;
    for (int y = 0; y < laid.rows.height(); ++y) {
        const auto row = laid.rows.rowAt(y);
        QVERIFY(row.has_value());
        QVERIFY(laid.rows.rows()[*row].top <= y && y < laid.rows.rows()[*row].bottom());
    }
    QVERIFY(!laid.rows.rowAt(-1));
    QVERIFY(!laid.rows.rowAt(laid.rows.height()));
}

void TimelinePartsTest::profilerRowsComeLast() {
    TraceBuilder builder;
    const auto add = [&](RowId pid, Category category) {
        builder.addSlice({.start = 0,
                          .duration = 10,
                          .name = builder.name("x"),
                          .track = builder.track(pid, {false, 0}),
                          .category = static_cast<CategoryId>(category)});
    };
    add({false, -1}, Category::Overhead);
    add({true, builder.name("Spans")}, Category::TraceSpan);
    add({true, kEmptyName}, Category::None);
    add({false, 9}, Category::CpuOp);
    add({false, 1}, Category::Kernel);
    builder.processRow(builder.process({false, 9})).sortIndex = 9;
    LaneIndex index(builder.finish());
    QCOMPARE(labels(TimelineRows(index, {})),
             (Texts{"GPU 1", "stream 0", "process 9", "thread 0", "Profiler overhead", "thread 0",
                    "Spans", "thread 0", "(no process)", "thread 0"}));
}

void TimelinePartsTest::pictureHasEveryVisibleLaneAtItsPlace() {
    Laid laid;
    const TimelineGeometry picture = laid.picture({{0, 10'000}, 1'000, 0, 500, 2.0});
    QCOMPARE(picture.lanes.size(), std::size_t{6});
    QCOMPARE(picture.lanes[0].top, (20 + 3) * 2);
    QCOMPARE(picture.lanes[0].bottom, (20 + 3 + 9) * 2);
    QCOMPARE(picture.lanes[0].items.size(), std::size_t{1});
    QCOMPARE(picture.lanes[0].items[0].slice, laid.fixture.gemm);
    QCOMPARE(picture.lanes[0].items[0].first, 400);
    QCOMPARE(picture.lanes[0].items[0].last, 600);
    QCOMPARE(picture.lanes[1].items[0].slice, laid.fixture.overlap);
    QCOMPARE(picture.lanes[1].top, (20 + 13) * 2);
    QCOMPARE(picture.lanes[2].items[0].slice, laid.fixture.copy);
}

// Lanes are filled by several threads: each with its own slices, every time.
void TimelinePartsTest::pictureOfManyLanesIsThatOfEach() {
    constexpr int kTracks = 60;
    constexpr TimeSpan kView{0, 1'000'000};
    constexpr int kColumns = 300;
    TraceBuilder builder;
    std::mt19937 random(5);
    std::uniform_int_distribution<TimeNs> distance(1, 20'000);
    std::uniform_int_distribution<TimeNs> length(1, 9'000);
    for (int track = 0; track < kTracks; ++track) {
        const TrackId id = builder.track(RowId{false, 1}, {false, track});
        for (TimeNs start = 0; start < kView.end; start += distance(random)) {
            builder.addSlice({.start = start, .duration = length(random), .track = id});
        }
    }
    LaneIndex index(builder.finish());
    const TrackMarks marks(index.trace());
    const TimelineRows rows(
        index, {.groupHeight = 20, .laneHeight = 10, .rowPadding = 3, .counterHeight = 30});
    for (int repeat = 0; repeat < 30; ++repeat) {
        const TimelineGeometry picture =
            layOutGeometry(index, rows, marks, {kView, kColumns, 0, 100'000, 1.0});
        QVERIFY(picture.lanes.size() >= kTracks);
        for (const LaneStrip& strip : picture.lanes) {
            const Lane lane = index.lane(rows.rows()[strip.row].track, strip.lane);
            QVERIFY(strip.items == slicesInView(index.trace(), lane, kView, kColumns));
        }
    }
}

void TimelinePartsTest::pictureOfTheMiddleStartsWithTheRightLane() {
    Laid laid;
    const int threadTop = laid.rows.rows()[5].top + 9;
    // One pixel of the thread's second lane is still seen at the top; the fourth is below.
    const TimelineGeometry picture = laid.picture({{0, 10'000}, 100, threadTop + 22, 5, 1.0});
    QCOMPARE(picture.lanes.size(), std::size_t{2});
    QCOMPARE(picture.lanes[0].lane, 1U);
    QCOMPARE(picture.lanes[0].top, -9);
    QCOMPARE(picture.lanes[1].lane, 2U);
    QCOMPARE(picture.lanes[1].top, 1);
}

void TimelinePartsTest::instantsShareColumnsAndCountersStep() {
    Laid laid;
    const TimelineGeometry picture = laid.picture({{0, 10'000}, 100, 0, 500, 1.0});
    QCOMPARE(picture.instants.size(), std::size_t{2});
    QCOMPARE(picture.instants[0].column, 5);
    QCOMPARE(picture.instants[0].count, 2U);
    QCOMPARE(picture.instants[1].column, 90);
    // They stand above the slices, which they do not hide.
    const int lane = laid.rows.laneTop(laid.rows.rows()[picture.instants[0].row], 0);
    QVERIFY(picture.instants[0].bottom <= lane);
    QVERIFY(picture.instants[0].bottom - picture.instants[0].top > 4);
    QCOMPARE(picture.counters.size(), std::size_t{1});
    const CounterStrip& strip = picture.counters[0];
    QCOMPARE(strip.scale.most, TimelineFixture::kCounterMost);
    QCOMPARE(strip.scale.least, 0.0);
    std::vector<std::pair<int, double>> steps;
    for (const CounterColumn& column : strip.columns) {
        steps.emplace_back(column.column, column.last);
    }
    QCOMPARE(steps,
             (std::vector<std::pair<int, double>>{{0, 0.0}, {20, 10.0}, {50, 40.0}, {70, 20.0}}));
    // What was counted before still holds at the left edge.
    const TimelineGeometry later = laid.picture({{6'000, 6'900}, 10, 0, 500, 1.0});
    QCOMPARE(later.counters[0].columns.size(), std::size_t{1});
    QCOMPARE(later.counters[0].columns[0].last, 40.0);
}

void TimelinePartsTest::collapsedGroupsShowTheirBusyShare() {
    Laid laid;
    QVERIFY(laid.picture({{0, 10'000}, 100, 0, 500, 1.0}).groups.empty());
    laid.rows.setCollapsed(laid.fixture.gpu, true);
    const TimelineGeometry picture = laid.picture({{0, 10'000}, 100, 0, 500, 1.0});
    QCOMPARE(picture.groups.size(), std::size_t{1});
    const GroupStrip& strip = picture.groups[0];
    QCOMPARE(strip.row, std::size_t{0});
    QVERIFY(strip.top > 0 && strip.bottom < 20);
    for (std::size_t column = 0; column < 100; ++column) {  // kernels 4 to 8 µs, the copy to 9
        QCOMPARE(strip.busy[column], column >= 40 && column < 90 ? 1.0F : 0.0F);
    }
    // A column of 5 µs of which 4 are busy; and one that ends where they begin.
    const TimelineGeometry wide = laid.picture({{3'500, 8'500}, 1, 0, 500, 1.0});
    QVERIFY(wide.groups[0].busy[0] > 0.5F && wide.groups[0].busy[0] <= 1.0F);
    // An annotation around everything is not work.
    laid.rows.setCollapsed(laid.fixture.python, true);
    const TimelineGeometry both = laid.picture({{0, 10'000}, 100, 0, 500, 1.0});
    QCOMPARE(both.groups.size(), std::size_t{2});
    QCOMPARE(both.groups[1].busy[50], 0.0F);
    QCOMPARE(both.groups[1].busy[20], 1.0F);
}

void TimelinePartsTest::instantsOfProcessesStandOnTheirHeading() {
    TraceBuilder builder;
    const TrackId track = builder.track({false, 1}, {false, 1});
    builder.addSlice({.start = 0, .duration = 1'000, .track = track});
    for (const auto& [time, scope] : {std::pair{500, 'p'}, {700, 'g'}, {100, 't'}}) {
        Instant instant;
        instant.time = time;
        instant.track = track;
        instant.scope = scope;
        builder.addInstant(instant);
    }
    LaneIndex index(builder.finish());
    const TrackMarks marks(index.trace());
    const TimelineRows rows(index, {.groupHeight = 20}, &marks);
    const TimelineGeometry picture =
        layOutGeometry(index, rows, marks, {{0, 1'000}, 100, 0, 500, 1.0});
    QCOMPARE(picture.instants.size(), std::size_t{3});
    for (const InstantMark& mark : picture.instants) {
        const char scope = index.trace().instants()[mark.instant].scope;
        QCOMPARE(rows.rows()[mark.row].kind, scope == 't' ? RowKind::Slices : RowKind::Group);
        QCOMPARE(mark.isGlobal, scope == 'g');
        QVERIFY(mark.top >= rows.rows()[mark.row].top);
        QVERIFY(mark.bottom <= rows.rows()[mark.row].bottom());
    }
}

void TimelinePartsTest::hitsPreferWhatIsUnderThePointer() {
    Laid laid;
    const TimelineGeometry picture = laid.picture({{0, 10'000}, 1'000, 0, 500, 1.0});
    const auto at = [&](int column, int y) {
        const auto hit = hitTest(picture, column, y, 3);
        return hit ? hit->item->slice : kNoSlice;
    };
    QCOMPARE(at(400, 25), laid.fixture.gemm);
    QCOMPARE(at(599, 25), laid.fixture.gemm);
    QCOMPARE(at(602, 25), laid.fixture.gemm);  // within reach
    QCOMPARE(at(603, 25), kNoSlice);
    QCOMPARE(at(397, 25), laid.fixture.gemm);
    QCOMPARE(at(396, 25), kNoSlice);
    QCOMPARE(at(599, 35), laid.fixture.overlap);
    QCOMPARE(at(400, 10), kNoSlice);  // the heading
    const int mark = picture.instants[0].top;
    QVERIFY(hitInstant(picture, 53, mark, 4) == &picture.instants[0]);
    QVERIFY(hitInstant(picture, 60, mark, 4) == nullptr);
}

void TimelinePartsTest::toolTipsSayWhatItIs() {
    const TimelineFixture fixture;
    ViewItem item;
    item.slice = fixture.gemm;
    const QString one = toolTipFor(*fixture.trace, item);
    for (const char* part : {"cutlass::Kernel2&lt;float&gt;", "2.000 µs", "4.000 µs", "kernel",
                             "132 × 2 × 1", "256 × 1 × 1", "96"}) {
        QVERIFY2(one.contains(QString::fromUtf8(part)), part);
    }
    QVERIFY2(one.startsWith("<b>Kernel2&lt;float&gt;</b><br>void"),
             qPrintable(one));  // the short name leads
    QVERIFY(!one.contains(QStringLiteral("longest of")));
    item.count = 1'234;
    item.busy = 0.25F;
    const QString many = toolTipFor(*fixture.trace, item);
    QVERIFY(many.contains(QStringLiteral("1,234 slices")));
    QVERIFY(many.contains(QStringLiteral("25 %")));
    item = {};
    item.slice = fixture.mm;
    QVERIFY(!toolTipFor(*fixture.trace, item).contains(QStringLiteral("Stream")));
}

void TimelinePartsTest::longNamesHaveLines() {
    TraceBuilder builder;
    SliceInput slice;
    const std::string name = "sm90_xmma_wgrad_" + std::string(90, 'x') + "_execute_split_k_kernel";
    slice.name = builder.name(name);
    slice.track = builder.track({false, 0}, {false, 7});
    slice.duration = 1'000;
    ViewItem item;
    item.slice = builder.addSlice(slice);
    const QString tip = toolTipFor(*builder.finish(), item);
    const QStringList lines = tip.mid(3, tip.indexOf("</b>") - 3).split(QStringLiteral("<br>"));
    QCOMPARE(lines.join(QString()), QString::fromStdString(name));
    QCOMPARE(lines[0], QStringLiteral("sm90_xmma_wgrad_"));
    QVERIFY(std::ranges::all_of(lines, [](const QString& line) { return line.size() <= 64; }));
}

QTEST_GUILESS_MAIN(TimelinePartsTest)
#include "TimelinePartsTest.moc"
