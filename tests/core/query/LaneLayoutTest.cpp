// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <random>
#include <set>

#include "core/base/SortRuns.h"
#include "core/query/LaneLayout.h"
#include "core/query/SlicesInView.h"
#include "core/query/lanes/LanePacker.h"
#include "core/query/lanes/NestedLanes.h"
#include "tests/core/query/QueryFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::query;
using namespace kinetoscope::trace;

class LaneLayoutTest final : public QObject {
    Q_OBJECT

private slots:
    void nestedSlicesLieBelowTheirParent();
    void equalSlicesNestInFileOrder();
    void partlyOverlappingSlicesGetALaneOfTheirOwn();
    void childrenOfAnOverlappingSliceLieBelowIt();
    void simultaneousGpuOperationsAreNoParents();
    void shortSlicePushesNobodyDown();
    void crowdsOfOverlapsAreStillNested();
    void annotationsOfAGpuHaveATrackOfTheirOwn();
    void slicesWithoutLengthKeepALane();
    void nothingLiesInsideWhatHasEnded();
    void emptyTrackHasNoLanes();
    void randomTracksKeepEverySliceOnceAndNeverOverlap();
    void nestedTracksTakeAsManyLanesAsTheyAreDeep();
    void crossingTracksTakeFewLanes();
    void fewAndManyLanesArePackedByTheSameRule();
    void thousandsOfSimultaneousSlicesAreQuick();
    void allTracksAtOnceGiveTheSameLanes();
    void blocksSumUpTheirSlices();
    void runsAreSortedLikeAStableSort();
};

namespace {

std::uint32_t laneOf(LaneIndex& index, SliceId slice) {
    return index.placeOf(slice).lane;
}

std::shared_ptr<const Trace> randomTrace(unsigned seed, int slices) {
    std::mt19937_64 random(seed);
    QueryFixture fixture;
    const auto below = [&](std::uint64_t most) { return static_cast<TimeNs>(random() % most); };
    for (int i = 0; i < slices; ++i) {
        const TrackId track = fixture.track(below(2), below(3));
        const TimeNs start = below(5000);
        const TimeNs length = below(10) == 0 ? below(2000) : below(60);
        const bool gpu = below(2) == 0;
        fixture.slice(track, start, start + length, "x", gpu ? Category::Kernel : Category::CpuOp);
    }
    return fixture.finish();
}

}  // namespace

void LaneLayoutTest::nestedSlicesLieBelowTheirParent() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    const SliceId inner = fixture.slice(track, 10, 20);
    const SliceId outer = fixture.slice(track, 0, 100);
    const SliceId sibling = fixture.slice(track, 20, 30);
    const SliceId innermost = fixture.slice(track, 12, 14);
    LaneIndex index(fixture.finish());
    QCOMPARE(index.laneCount(track), std::size_t{3});
    QCOMPARE(laneOf(index, outer), 0U);
    QCOMPARE(laneOf(index, inner), 1U);
    QCOMPARE(laneOf(index, sibling), 1U);
    QCOMPARE(laneOf(index, innermost), 2U);
    QCOMPARE(index.placeOf(sibling), (LanePlace{track, 1, 1}));
}

void LaneLayoutTest::equalSlicesNestInFileOrder() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    const SliceId first = fixture.slice(track, 5, 9);
    const SliceId second = fixture.slice(track, 5, 9);
    LaneIndex index(fixture.finish());
    QCOMPARE(laneOf(index, first), 0U);
    QCOMPARE(laneOf(index, second), 1U);
}

void LaneLayoutTest::partlyOverlappingSlicesGetALaneOfTheirOwn() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    const SliceId first = fixture.slice(track, 0, 10);
    const SliceId second = fixture.slice(track, 5, 15);
    const SliceId third = fixture.slice(track, 12, 30);
    LaneIndex index(fixture.finish());
    QCOMPARE(laneOf(index, first), 0U);
    QCOMPARE(laneOf(index, second), 1U);
    QCOMPARE(laneOf(index, third), 0U);  // free again
}

void LaneLayoutTest::childrenOfAnOverlappingSliceLieBelowIt() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    const SliceId brief = fixture.slice(track, 0, 10);
    const SliceId overlapping = fixture.slice(track, 5, 50);
    const SliceId child = fixture.slice(track, 20, 30);
    const SliceId rival = fixture.slice(track, 25, 40);  // overlaps the child
    LaneIndex index(fixture.finish());
    QCOMPARE(laneOf(index, overlapping), 0U);
    QCOMPARE(laneOf(index, brief), 1U);
    QCOMPARE(laneOf(index, child), 1U);
    QCOMPARE(laneOf(index, rival), 2U);
}

// As a profiler's own frames end only after the annotation that they open has begun.
void LaneLayoutTest::shortSlicePushesNobodyDown() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    const SliceId module = fixture.slice(track, 0, 1'000);
    const SliceId enter = fixture.slice(track, 10, 20);
    const SliceId enterInside = fixture.slice(track, 11, 19);
    const SliceId annotation = fixture.slice(track, 15, 900);
    const SliceId early = fixture.slice(track, 16, 18);  // in the annotation and in the frames
    const SliceId op = fixture.slice(track, 30, 100);
    const SliceId call = fixture.slice(track, 40, 50);
    LaneIndex index(fixture.finish());
    QCOMPARE(laneOf(index, module), 0U);
    QCOMPARE(laneOf(index, annotation), 1U);
    QCOMPARE(laneOf(index, early), 2U);
    QCOMPARE(laneOf(index, enter), 3U);
    QCOMPARE(laneOf(index, enterInside), 4U);
    QCOMPARE(laneOf(index, op), 2U);
    QCOMPARE(laneOf(index, call), 3U);
}

void LaneLayoutTest::crowdsOfOverlapsAreStillNested() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    const SliceId outer = fixture.slice(track, 0, 10'000);
    std::vector<std::pair<SliceId, SliceId>> tasks;
    for (TimeNs i = 0; i < 40; ++i) {
        const SliceId task = fixture.slice(track, 100 * i, 100 * i + 350);
        tasks.emplace_back(task, fixture.slice(track, 100 * i + 310, 100 * i + 340));
    }
    LaneIndex index(fixture.finish());
    QCOMPARE(laneOf(index, outer), 0U);
    for (const auto& [task, inside] : tasks) {
        QVERIFY(laneOf(index, task) >= 1);
        QVERIFY(laneOf(index, inside) > laneOf(index, task));
    }
    QVERIFY(index.laneCount(track) <= 9);
}

void LaneLayoutTest::simultaneousGpuOperationsAreNoParents() {
    QueryFixture fixture;
    const TrackId stream = fixture.track(0, 7);
    (void)fixture.kernel(stream, 0, 10);
    const SliceId second = fixture.kernel(stream, 5, 20);
    const SliceId third = fixture.kernel(stream, 12, 18);  // inside the second, lane 0 is free
    LaneIndex index(fixture.finish());
    QCOMPARE(laneOf(index, second), 1U);
    QCOMPARE(laneOf(index, third), 0U);
}

void LaneLayoutTest::annotationsOfAGpuHaveATrackOfTheirOwn() {
    QueryFixture fixture;
    const TrackId stream = fixture.track(0, 7);
    const TrackId other = fixture.track(0, 13);
    const TrackId thread = fixture.track(5, 5);
    const SliceId kernel = fixture.kernel(stream, 10, 20);
    const SliceId step = fixture.slice(stream, 9, 40, "step", Category::GpuUserAnnotation);
    const SliceId inner = fixture.slice(stream, 10, 30, "loss", Category::GpuUserAnnotation);
    const SliceId elsewhere = fixture.slice(other, 0, 100, "reduce", Category::GpuUserAnnotation);
    const SliceId op = fixture.slice(thread, 0, 10);
    LaneIndex index(fixture.finish());
    QCOMPARE(index.trackCount(), std::size_t{4});
    const TrackId notes = *index.annotationsOf(index.processOf(stream));
    QCOMPARE(notes, TrackId{3});
    QCOMPARE(index.processOf(notes), index.processOf(stream));
    QVERIFY(!index.annotationsOf(index.processOf(thread)));
    QCOMPARE(index.placeOf(elsewhere), (LanePlace{notes, 0, 0}));
    QCOMPARE(index.placeOf(step), (LanePlace{notes, 1, 0}));
    QCOMPARE(index.placeOf(inner), (LanePlace{notes, 2, 0}));
    QCOMPARE(index.placeOf(kernel), (LanePlace{stream, 0, 0}));
    QCOMPARE(index.placeOf(op), (LanePlace{thread, 0, 0}));
    QCOMPARE(index.laneCount(stream), std::size_t{1});
    QCOMPARE(index.laneCount(other), std::size_t{0});
    // Of its own stream, not the one of another that lies nearer or around it.
    QVERIFY(enclosing(index, kernel) == inner);
    QVERIFY(enclosing(index, inner) == step);
    QVERIFY(!enclosing(index, step));
    QVERIFY(firstInside(index, inner) == kernel);
    QVERIFY(!firstInside(index, elsewhere));
}

void LaneLayoutTest::slicesWithoutLengthKeepALane() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    const SliceId atStart = fixture.slice(track, 10, 10);
    const SliceId around = fixture.slice(track, 10, 20);
    const SliceId atEnd = fixture.slice(track, 20, 20);
    const SliceId twin = fixture.slice(track, 20, 20);
    LaneIndex index(fixture.finish());
    QCOMPARE(laneOf(index, around), 0U);
    QCOMPARE(laneOf(index, atStart), 1U);
    QCOMPARE(index.placeOf(atEnd), (LanePlace{track, 0, 1}));
    QCOMPARE(index.placeOf(twin), (LanePlace{track, 0, 2}));
}

void LaneLayoutTest::nothingLiesInsideWhatHasEnded() {
    QueryFixture fixture;
    const TrackId stream = fixture.track(0, 7);
    (void)fixture.slice(stream, 0, 10, "step", Category::UserAnnotation);
    (void)fixture.kernel(stream, 5, 20);
    const SliceId atEnd = fixture.kernel(stream, 10, 10);
    LaneIndex index(fixture.finish());
    QCOMPARE(laneOf(index, atEnd), 0U);
}

void LaneLayoutTest::emptyTrackHasNoLanes() {
    QueryFixture fixture;
    const TrackId empty = fixture.track(1, 1);
    LaneIndex index(fixture.finish());
    QCOMPARE(index.laneCount(empty), std::size_t{0});
    QVERIFY(!index.anySlice(empty).has_value());
}

void LaneLayoutTest::randomTracksKeepEverySliceOnceAndNeverOverlap() {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        const auto trace = randomTrace(seed, 600);
        LaneIndex index(trace);
        std::set<SliceId> seen;
        for (TrackId track = 0; track < trace->tracks().size(); ++track) {
            for (std::size_t lane = 0; lane < index.laneCount(track); ++lane) {
                TimeNs end = std::numeric_limits<TimeNs>::min();
                std::uint32_t position = 0;
                for (const SliceId slice : index.lane(track, lane).slices) {
                    QVERIFY(trace->start(slice) >= end);
                    QCOMPARE(trace->trackOf(slice), track);
                    end = trace->end(slice);
                    QVERIFY(seen.insert(slice).second);
                    QCOMPARE(index.placeOf(slice),
                             (LanePlace{track, static_cast<std::uint32_t>(lane), position++}));
                }
            }
        }
        QCOMPARE(seen.size(), trace->sliceCount());
    }
}

namespace {

/// The largest number of slices at one time.
std::uint32_t mostAtOnce(const std::vector<PlacedSlice>& slices) {
    std::vector<std::pair<TimeNs, int>> changes;
    for (const PlacedSlice& slice : slices) {
        changes.emplace_back(slice.start, 1);
        changes.emplace_back(slice.reach(), -1);
    }
    std::ranges::sort(changes);
    int now = 0;
    int most = 0;
    for (const auto& [time, change] : changes) {
        now += change;
        most = std::max(most, now);
    }
    return static_cast<std::uint32_t>(most);
}

void sortAsLaidOut(std::vector<PlacedSlice>& slices) {
    std::ranges::stable_sort(slices, [](const PlacedSlice& a, const PlacedSlice& b) {
        return a.start != b.start ? a.start < b.start : a.duration > b.duration;
    });
}

/// The shortest slice before `at` that is a parent and contains it, looking at every one; of two
/// as short the later.
std::optional<std::size_t> parentOf(const std::vector<PlacedSlice>& slices, std::size_t at) {
    std::optional<std::size_t> found;
    for (std::size_t other = 0; other < at; ++other) {
        if (slices[other].parent != 0 && slices[other].end() >= slices[at].reach() &&
            (!found || slices[other].start > slices[*found].start ||
             slices[other].end() <= slices[*found].end())) {
            found = other;
        }
    }
    return found;
}

/// Empty, or what is wrong.
QString checkLanes(const std::vector<PlacedSlice>& slices) {
    for (std::size_t at = 0; at < slices.size(); ++at) {
        const auto parent = parentOf(slices, at);
        if (parent && slices[*parent].lane >= slices[at].lane) {
            return QStringLiteral("slice %1 is not below its parent").arg(at);
        }
        for (std::size_t other = 0; other < at; ++other) {
            if (slices[other].lane == slices[at].lane && slices[at].start < slices[other].end()) {
                return QStringLiteral("slices %1 and %2 overlap").arg(other).arg(at);
            }
        }
    }
    return {};
}

}  // namespace

void LaneLayoutTest::nestedTracksTakeAsManyLanesAsTheyAreDeep() {
    std::mt19937_64 random(11);
    for (int round = 0; round < 200; ++round) {
        std::vector<PlacedSlice> slices;
        // Random trees: each slice is cut into pieces with gaps between.
        std::vector<std::pair<TimeSpan, int>> open{{{0, 4'000}, 0}};
        while (!open.empty()) {
            const auto [span, depth] = open.back();
            open.pop_back();
            slices.push_back({span.start, span.duration(), 0, 0, 1});
            TimeNs at = span.start + static_cast<TimeNs>(random() % 5);
            while (depth < 9 && at < span.end) {
                const TimeNs end = std::min(span.end, at + 1 + static_cast<TimeNs>(random() % 900));
                if (random() % 3 != 0) {
                    open.push_back({{at, end}, depth + 1});
                }
                at = end + static_cast<TimeNs>(random() % 50);
            }
        }
        sortAsLaidOut(slices);
        const std::uint32_t lanes = packLanes(slices);
        QCOMPARE(lanes, mostAtOnce(slices));
        if (slices.size() < 500) {
            QCOMPARE(checkLanes(slices), QString());
        }
    }
}

void LaneLayoutTest::crossingTracksTakeFewLanes() {
    std::mt19937_64 random(12);
    std::uint64_t before = 0;
    std::uint64_t now = 0;
    for (int round = 0; round < 400; ++round) {
        std::vector<PlacedSlice> slices;
        const std::uint64_t longest = 1 + random() % (round % 2 == 0 ? 60 : 2'000);
        const std::uint64_t parents = random() % 4;  // none to all
        for (int at = 0; at < 150; ++at) {
            const auto duration = static_cast<TimeNs>(random() % longest / (1 + random() % 30));
            slices.push_back({static_cast<TimeNs>(random() % 3'000), duration, 0, 0,
                              random() % 3 < parents ? 1U : 0U});
        }
        sortAsLaidOut(slices);
        LanePacker packer;
        for (const PlacedSlice& slice : slices) {
            (void)packer.place({slice.start, slice.end()}, slice.parent != 0);
        }
        const std::uint32_t lanes = packLanes(slices);
        QCOMPARE(checkLanes(slices), QString());
        const std::uint32_t atOnce = mostAtOnce(slices);
        QVERIFY(lanes <= packer.laneCount());
        if (parents == 0) {
            QVERIFY(lanes <= atOnce);
        }
        before += packer.laneCount();
        now += lanes;
    }
    QVERIFY(now < before);
}

void LaneLayoutTest::fewAndManyLanesArePackedByTheSameRule() {
    for (const std::uint64_t longest : {3U, 30U, 300U, 3000U}) {
        std::mt19937_64 random(longest);
        LanePacker packer;
        // The rule by looking at every lane: below the lowest open parent that contains the span.
        std::vector<TimeSpan> last;
        std::vector<bool> parents;
        TimeNs start = 0;
        for (int i = 0; i < 4'000; ++i) {
            start += static_cast<TimeNs>(random() % 20);
            const TimeSpan span{start, start + static_cast<TimeNs>(random() % longest)};
            const TimeNs reach = std::max(span.end, span.start + 1);
            std::size_t lane = 0;
            for (std::size_t at = 0; at < last.size(); ++at) {
                lane = parents[at] && last[at].end >= reach ? at + 1 : lane;
            }
            while (lane < last.size() && last[lane].end > span.start) {
                ++lane;
            }
            last.resize(std::max(last.size(), lane + 1));
            parents.resize(last.size());
            last[lane] = span;
            parents[lane] = random() % 2 == 0;
            QCOMPARE(packer.place(span, parents[lane]), static_cast<std::uint32_t>(lane));
        }
        QCOMPARE(packer.laneCount(), static_cast<std::uint32_t>(last.size()));
        QVERIFY(longest < 100 || last.size() > 16);
    }
}

void LaneLayoutTest::thousandsOfSimultaneousSlicesAreQuick() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    constexpr TimeNs kSlices = 50'000;
    for (TimeNs i = 0; i < kSlices; ++i) {
        (void)fixture.kernel(track, i, i + kSlices);
    }
    LaneIndex index(fixture.finish());
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(index.laneCount(track), static_cast<std::size_t>(kSlices));
    QVERIFY2(timer.elapsed() < 2000, "one step a slice and lane takes a minute");
}

void LaneLayoutTest::allTracksAtOnceGiveTheSameLanes() {
    const auto trace = randomTrace(99, 3000);
    LaneIndex lazy(trace);
    LaneIndex eager(trace);
    eager.layOutAll(3);
    for (SliceId slice = 0; slice < trace->sliceCount(); ++slice) {
        QCOMPARE(eager.placeOf(slice), lazy.placeOf(slice));
    }
}

void LaneLayoutTest::blocksSumUpTheirSlices() {
    const auto trace = randomTrace(7, 4000);
    LaneIndex index(trace);
    std::size_t blocks = 0;
    for (TrackId track = 0; track < trace->tracks().size(); ++track) {
        for (std::size_t at = 0; at < index.laneCount(track); ++at) {
            const Lane lane = index.lane(track, at);
            TimeNs busy = 0;
            for (std::size_t i = 0; i < lane.slices.size(); ++i) {
                const LaneBlock& block = lane.blocks[i / LaneBlock::kSlices];
                const SliceId slice = lane.slices[i];
                if (i % LaneBlock::kSlices == 0) {
                    QCOMPARE(block.busyBefore, busy);
                    QCOMPARE(block.start, trace->start(slice));
                    QCOMPARE(TimeNs{block.longestNs}, trace->duration(block.longest));
                    QCOMPARE(block.longestName, trace->nameId(block.longest));
                    QCOMPARE(block.longestCategory, trace->categoryId(block.longest));
                    ++blocks;
                }
                QCOMPARE(block.start + lane.times[i].start, trace->start(slice));
                QCOMPARE(TimeNs{lane.times[i].duration}, trace->duration(slice));
                QVERIFY(TimeNs{block.longestNs} >= trace->duration(slice));
                busy += trace->duration(slice);
            }
        }
    }
    QVERIFY(blocks > 100);
}

void LaneLayoutTest::runsAreSortedLikeAStableSort() {
    std::mt19937 random(3);
    for (const int runs : {1, 2, 3, 7, 40, 5000}) {
        std::vector<std::pair<int, int>> values;
        for (int i = 0; i < 20'000; ++i) {
            const int perRun = 20'000 / runs;
            values.emplace_back(static_cast<int>(random() % 5) + i % perRun * 3, i);
        }
        auto expected = values;
        const auto byFirst = [](const auto& a, const auto& b) { return a.first < b.first; };
        std::stable_sort(expected.begin(), expected.end(), byFirst);
        sortRuns(std::span<std::pair<int, int>>(values), byFirst);
        QVERIFY(values == expected);
    }
}

QTEST_GUILESS_MAIN(LaneLayoutTest)
#include "LaneLayoutTest.moc"
