// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <random>

#include "core/query/BusyColumns.h"
#include "core/query/LaunchFlow.h"
#include "core/query/SlicesInView.h"
#include "tests/core/query/QueryFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::query;
using namespace kinetoscope::trace;

class QueryViewTest final : public QObject {
    Q_OBJECT

private slots:
    void wideSlicesFillTheirColumns();
    void shortSlicesShareAColumn();
    void sliceInATakenColumnJoinsItsNeighbour();
    void slicesAtTheEdgesAreClipped();
    void nothingIsInAnEmptyView();
    void randomViewsCountEachSliceOnceInDisjointColumns();
    void foldsAgreeWithACountOfEverySlice();
    void neighboursStayOnTheLane();
    void parentAndChildAreFoundAcrossLanes();
    void innermostSliceIsTheDeepest();
    void busyColumnsOfKnownSpans();
    void busyColumnsAgreeWithANanosecondCount();
    void moreColumnsThanNanoseconds();
    void launchesPointToAllTheirOperations();
    void correlationsOfAnotherFileAreNoPartners();
    void backwardFlowsJoinTheInnermostSlices();
};

namespace {

using Items = std::vector<ViewItem>;

/// The items of the first track's first lane; their names are checked and taken out.
Items view(LaneIndex& index, TimeSpan span, std::int32_t columns) {
    Items items = slicesInView(index.trace(), index.lane(0, 0), span, columns);
    for (ViewItem& item : items) {
        const bool named = item.name == index.trace().nameId(item.slice) &&
                           item.category == index.trace().categoryId(item.slice);
        item.name = named ? kEmptyName : item.name + 1;
        item.category = 0;
    }
    return items;
}

}  // namespace

void QueryViewTest::wideSlicesFillTheirColumns() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    const SliceId first = fixture.slice(track, 0, 100);
    const SliceId second = fixture.slice(track, 100, 250);
    const SliceId third = fixture.slice(track, 404, 496);
    LaneIndex index(fixture.finish());
    QCOMPARE(view(index, {0, 1000}, 100), (Items{{0, 10, first, 1, 1.0F, 0, 0},
                                                 {10, 25, second, 1, 1.0F, 0, 0},
                                                 {40, 50, third, 1, 1.0F, 0, 0}}));
}

void QueryViewTest::shortSlicesShareAColumn() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    (void)fixture.slice(track, 20, 22);
    const SliceId longest = fixture.slice(track, 23, 26);
    (void)fixture.slice(track, 28, 28);
    const SliceId alone = fixture.slice(track, 31, 33);
    LaneIndex index(fixture.finish());
    QCOMPARE(view(index, {0, 1000}, 100),
             (Items{{2, 3, longest, 3, 0.5F, 0, 0}, {3, 4, alone, 1, 0.2F, 0, 0}}));
}

void QueryViewTest::sliceInATakenColumnJoinsItsNeighbour() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    const SliceId wide = fixture.slice(track, 0, 16);  // rounds to columns 0 and 1
    (void)fixture.slice(track, 17, 18);                // would be in column 1
    LaneIndex index(fixture.finish());
    QCOMPARE(view(index, {0, 1000}, 100), (Items{{0, 2, wide, 2, 1.0F, 0, 0}}));
}

void QueryViewTest::slicesAtTheEdgesAreClipped() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    (void)fixture.slice(track, 0, 100);
    const SliceId left = fixture.slice(track, 100, 230);
    const SliceId right = fixture.slice(track, 280, 900);
    (void)fixture.slice(track, 900, 901);
    LaneIndex index(fixture.finish());
    QCOMPARE(view(index, {200, 300}, 10),
             (Items{{0, 3, left, 1, 1.0F, 0, 0}, {8, 10, right, 1, 1.0F, 0, 0}}));
}

void QueryViewTest::nothingIsInAnEmptyView() {
    QueryFixture fixture;
    (void)fixture.slice(fixture.track(1, 1), 0, 100);
    LaneIndex index(fixture.finish());
    QVERIFY(view(index, {5, 5}, 10).empty());
    QVERIFY(view(index, {0, 10}, 0).empty());
    QVERIFY(view(index, {100, 200}, 10).empty());
}

void QueryViewTest::randomViewsCountEachSliceOnceInDisjointColumns() {
    std::mt19937_64 random(5);
    const auto below = [&](std::uint64_t most) { return static_cast<TimeNs>(random() % most); };
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    for (TimeNs time = 0; time < 100'000;) {
        const TimeNs length = below(20) == 0 ? below(3000) : below(12);
        (void)fixture.slice(track, time, time + length, std::to_string(below(50)));
        time += length + below(3) * below(40);
    }
    LaneIndex index(fixture.finish());
    const Lane lane = index.lane(track, 0);
    for (int round = 0; round < 400; ++round) {
        const TimeNs start = below(100'000) - 1000;
        const TimeSpan span{start, start + 1 + below(below(3) == 0 ? 120'000 : 3000)};
        const auto columns = static_cast<std::int32_t>(1 + below(500));
        std::uint64_t expected = 0;
        for (const SliceId slice : lane.slices) {
            expected += span.overlaps(index.trace().span(slice)) ? 1U : 0U;
        }
        std::uint64_t counted = 0;
        std::int32_t free = 0;
        for (const ViewItem& item : slicesInView(index.trace(), lane, span, columns)) {
            QVERIFY(item.first >= free);
            QVERIFY(item.last > item.first);
            QVERIFY(item.last <= columns);
            QVERIFY(item.busy >= 0.0F && item.busy <= 1.0F);
            QVERIFY(span.overlaps(index.trace().span(item.slice)));
            QCOMPARE(item.name, index.trace().nameId(item.slice));
            free = item.last;
            counted += item.count;
        }
        QCOMPARE(counted, expected);
    }
}

void QueryViewTest::foldsAgreeWithACountOfEverySlice() {
    std::mt19937_64 random(6);
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    TimeNs time = 0;
    for (int i = 0; i < 50'000; ++i) {
        const auto length = static_cast<TimeNs>(1 + random() % 40);
        (void)fixture.slice(track, time, time + length);
        time += length + static_cast<TimeNs>(random() % 60);
    }
    const auto trace = fixture.finish();
    LaneIndex index(trace);
    const TimeSpan all{0, 1000 * ((time + 999) / 1000)};
    const TimeNs column = all.duration() / 1000;
    for (const ViewItem& item : view(index, all, 1000)) {
        QCOMPARE(item.last, item.first + 1);
        std::uint32_t count = 0;
        TimeNs busy = 0;
        TimeNs longest = 0;
        for (SliceId slice = 0; slice < trace->sliceCount(); ++slice) {
            if (trace->start(slice) / column == item.first) {
                ++count;
                busy += trace->duration(slice);
                longest = std::max(longest, trace->duration(slice));
            }
        }
        QCOMPARE(item.count, count);
        QCOMPARE(trace->duration(item.slice), longest);
        QCOMPARE(item.name, kEmptyName);
        QCOMPARE(item.busy,
                 static_cast<float>(static_cast<double>(busy) / static_cast<double>(column)));
    }
}

void QueryViewTest::neighboursStayOnTheLane() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    const SliceId first = fixture.slice(track, 0, 10);
    (void)fixture.slice(track, 2, 4);
    const SliceId second = fixture.slice(track, 20, 30);
    LaneIndex index(fixture.finish());
    QVERIFY(neighbour(index, first, Direction::Next) == second);
    QVERIFY(neighbour(index, second, Direction::Previous) == first);
    QVERIFY(!neighbour(index, second, Direction::Next));
    QVERIFY(!neighbour(index, first, Direction::Previous));
}

void QueryViewTest::parentAndChildAreFoundAcrossLanes() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    const SliceId outer = fixture.slice(track, 0, 100);
    const SliceId middle = fixture.slice(track, 10, 90);
    const SliceId inner = fixture.slice(track, 20, 30);
    (void)fixture.slice(track, 40, 50);
    LaneIndex index(fixture.finish());
    QVERIFY(enclosing(index, inner) == middle);
    QVERIFY(enclosing(index, middle) == outer);
    QVERIFY(!enclosing(index, outer));
    QVERIFY(firstInside(index, middle) == inner);
    QVERIFY(!firstInside(index, inner));
}

void QueryViewTest::innermostSliceIsTheDeepest() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    const SliceId outer = fixture.slice(track, 0, 100);
    const SliceId inner = fixture.slice(track, 20, 30);
    LaneIndex index(fixture.finish());
    QVERIFY(innermostAt(index, track, 20) == inner);
    QVERIFY(innermostAt(index, track, 30) == outer);
    QVERIFY(!innermostAt(index, track, 100));
}

void QueryViewTest::busyColumnsOfKnownSpans() {
    const BusyColumns busy({{10, 20}, {25, 40}, {95, 130}});
    QCOMPARE(busy.fractions({0, 100}, 5), (std::vector<float>{0.5F, 0.75F, 0.0F, 0.0F, 0.25F}));
    QCOMPARE(busy.busyIn({0, 200}), 60.0);
    QCOMPARE(busy.busyIn({15, 26}), 6.0);
    QCOMPARE(busy.busyIn({26, 26}), 0.0);
    QVERIFY(busy.fractions({0, 0}, 5).empty());
    const BusyColumns half({{10, 20}, {25, 40}, {95, 130}}, {0.5F, 1.0F, 0.25F});
    QCOMPARE(half.fractions({0, 100}, 5), (std::vector<float>{0.25F, 0.75F, 0.0F, 0.0F, 0.0625F}));
    QCOMPARE(half.busyIn({15, 26}), 3.5);
}

void QueryViewTest::busyColumnsAgreeWithANanosecondCount() {
    std::mt19937_64 random(8);
    std::vector<TimeSpan> spans;
    std::vector<char> covered(20'000);
    for (TimeNs time = 50; time < 19'000;) {
        const auto length = static_cast<TimeNs>(1 + random() % 90);
        spans.push_back({time, time + length});
        std::fill_n(covered.begin() + time, length, 1);
        time += length + static_cast<TimeNs>(random() % 200);
    }
    const BusyColumns busy(spans);
    for (int round = 0; round < 100; ++round) {
        const auto width = static_cast<TimeNs>(1 + random() % 30);
        const auto start = static_cast<TimeNs>(random() % 10'000);
        const auto columns = static_cast<std::int32_t>(1 + random() % 300);
        const auto got = busy.fractions({start, start + width * columns}, columns);
        for (std::int32_t column = 0; column < columns; ++column) {
            const auto from = covered.begin() + start + width * column;
            const auto count = std::count(from, from + width, 1);
            QCOMPARE(got[static_cast<std::size_t>(column)],
                     static_cast<float>(count) / static_cast<float>(width));
        }
    }
}

void QueryViewTest::moreColumnsThanNanoseconds() {
    const BusyColumns busy({{1, 2}});
    const auto got = busy.fractions({0, 4}, 16);
    QCOMPARE(got.size(), std::size_t{16});
    for (const float fraction : got) {
        QVERIFY(fraction == 0.0F || fraction == 1.0F);
    }
    QVERIFY(got[5] == 1.0F || got[6] == 1.0F);
    QCOMPARE(got[15], 0.0F);
}

void QueryViewTest::launchesPointToAllTheirOperations() {
    QueryFixture fixture;
    const TrackId cpu = fixture.track(477, 477);
    const TrackId gpu = fixture.track(0, 7);
    const SliceId call = fixture.slice(cpu, 0, 10, "cudaGraphLaunch", Category::Runtime, 5);
    const SliceId second = fixture.kernel(gpu, 40, 50, 5);
    const SliceId first = fixture.kernel(gpu, 20, 30, 5);
    const SliceId stranger = fixture.kernel(gpu, 60, 70, 6);
    LaneIndex index(fixture.finish());
    QCOMPARE(arrowsOf(index, call), (std::vector<FlowArrow>{{call, first, FlowKind::Launch},
                                                            {call, second, FlowKind::Launch}}));
    QCOMPARE(arrowsOf(index, second), (std::vector<FlowArrow>{{call, second, FlowKind::Launch}}));
    QVERIFY(arrowsOf(index, stranger).empty());
    QVERIFY(arrowsOf(index, kNoSlice).empty());
}

void QueryViewTest::correlationsOfAnotherFileAreNoPartners() {
    QueryFixture fixture;
    const TrackId cpu = fixture.track(477, 477);
    const TrackId other = fixture.builder().track({false, 0}, {false, 7}, TrackKind::Thread, 1);
    const SliceId call = fixture.slice(cpu, 0, 10, "cudaLaunchKernel", Category::Runtime, 5);
    (void)fixture.kernel(other, 20, 30, 5);
    LaneIndex index(fixture.finish());
    QVERIFY(arrowsOf(index, call).empty());
}

void QueryViewTest::backwardFlowsJoinTheInnermostSlices() {
    QueryFixture fixture;
    const TrackId forward = fixture.track(1, 1);
    const TrackId backward = fixture.track(1, 2);
    const SliceId module = fixture.slice(forward, 0, 100, "module");
    const SliceId mm = fixture.slice(forward, 10, 20, "aten::mm");
    const SliceId engine = fixture.slice(backward, 200, 300, "engine");
    const SliceId mmBackward = fixture.slice(backward, 210, 220, "MmBackward0");
    fixture.flow(9, 10, forward, 's');
    fixture.flow(9, 210, backward, 'f');
    fixture.flow(8, 30, forward, 's');
    LaneIndex index(fixture.finish());
    const std::vector<FlowArrow> expected{{mm, mmBackward, FlowKind::Backward}};
    QCOMPARE(arrowsOf(index, mm), expected);
    QCOMPARE(arrowsOf(index, mmBackward), expected);
    QVERIFY(arrowsOf(index, module).empty());
    QVERIFY(arrowsOf(index, engine).empty());
}

QTEST_GUILESS_MAIN(QueryViewTest)
#include "QueryViewTest.moc"
