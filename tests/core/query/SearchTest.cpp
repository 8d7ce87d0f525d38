// SPDX-License-Identifier: Apache-2.0
#include <QtTest>

#include <string>

#include "core/query/find/FilterSlices.h"
#include "core/query/find/Search.h"
#include "tests/core/query/QueryFixture.h"

using namespace kinetoscope;
using namespace kinetoscope::query;
using namespace kinetoscope::trace;

class SearchTest final : public QObject {
    Q_OBJECT

private slots:
    void textMatchesInAnyCaseByTime();
    void expressionsMatchBetweenSlashes();
    void loneSlashesAreText();
    void brokenExpressionIsExplained();
    void emptyPatternFindsNothing();
    void searchesEndWhenAskedTo();
    void slicesOfOneNameComeByTime();
    void filtersTakeWhatTheySay();
    void whatIsThereIsCounted();
    void annotationsOfAGpuHaveTheRowTheyAreDrawnOn();
    void slicesSortByEveryKeyBothWays();
    void aSliceIsFoundInItsList();
    void rowsHaveOneName();
};

namespace {

struct Named {
    std::shared_ptr<const Trace> trace;
    SliceId late = 0;
    SliceId early = 0;
    SliceId other = 0;
};

Named sample() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    Named named;
    named.late = fixture.slice(track, 50, 60, "sm90_GEMM_fast");
    named.early = fixture.slice(track, 10, 20, "gemm");
    named.other = fixture.slice(track, 30, 40, "a/b");
    named.trace = fixture.finish();
    return named;
}

}  // namespace

/// Two threads and a stream; slices overlap, and two begin together.
struct Mixed {
    QueryFixture fixture;
    TrackId stream = fixture.track(0, 7);
    TrackId first = fixture.track(5, 50);
    TrackId second = fixture.track(5, 60);
    SliceId kernel = fixture.slice(stream, 40, 90, "b_kernel", Category::Kernel);
    SliceId wide = fixture.slice(first, 0, 100, "A_wide");
    SliceId nested = fixture.slice(first, 10, 20, "c_nested");
    SliceId twin = fixture.slice(second, 10, 15, "c_nested", Category::UserAnnotation);
    SliceId empty = fixture.slice(second, 100, 100, "a_empty");
    std::shared_ptr<const Trace> trace = fixture.finish();
    std::vector<SliceId> byStart{wide, nested, twin, kernel, empty};

    [[nodiscard]] std::vector<SliceId> filtered(const SliceFilter& filter) const {
        return filterSlices(*trace, byStart, filter);
    }
};

void SearchTest::textMatchesInAnyCaseByTime() {
    const Named named = sample();
    QCOMPARE(*findSlices(*named.trace, "GeMm"), (std::vector{named.early, named.late}));
    QCOMPARE(findSlices(*named.trace, "gemm_x")->size(), std::size_t{0});
}

void SearchTest::expressionsMatchBetweenSlashes() {
    const Named named = sample();
    QCOMPARE(*findSlices(*named.trace, "/^sm\\d+_gemm/"), (std::vector{named.late}));
    QCOMPARE(*findSlices(*named.trace, "/^(gemm|a.b)$/"), (std::vector{named.early, named.other}));
}

void SearchTest::loneSlashesAreText() {
    const Named named = sample();
    QCOMPARE(*findSlices(*named.trace, "/"), (std::vector{named.other}));
    QCOMPARE(findSlices(*named.trace, "//")->size(), std::size_t{0});
}

void SearchTest::brokenExpressionIsExplained() {
    const Named named = sample();
    const auto found = findSlices(*named.trace, "/a(b/");
    QVERIFY(!found.has_value());
    QVERIFY(QString::fromStdString(found.error().message).contains("/a(b/"));
}

void SearchTest::emptyPatternFindsNothing() {
    QCOMPARE(findSlices(*sample().trace, "")->size(), std::size_t{0});
}

void SearchTest::searchesEndWhenAskedTo() {
    std::stop_source stop;
    stop.request_stop();
    const auto found = findSlices(*sample().trace, "a", stop.get_token());
    QVERIFY(!found);
    QCOMPARE(found.error().kind, ErrorKind::Cancelled);
    const Mixed mixed;
    QVERIFY(filterSlices(*mixed.trace, mixed.byStart, {}, stop.get_token()).empty());
}

void SearchTest::slicesOfOneNameComeByTime() {
    const Mixed mixed;
    QCOMPARE(slicesNamed(*mixed.trace, mixed.trace->nameId(mixed.twin)),
             (std::vector{mixed.nested, mixed.twin}));
}

void SearchTest::filtersTakeWhatTheySay() {
    const Mixed m;
    const auto process = [&](TrackId track) { return m.trace->tracks()[track].process; };
    QCOMPARE(m.filtered({}), m.byStart);
    QCOMPARE(m.filtered({.category = m.trace->categoryId(m.kernel)}), (std::vector{m.kernel}));
    QCOMPARE(m.filtered({.process = process(m.first)}),
             (std::vector{m.wide, m.nested, m.twin, m.empty}));
    QCOMPARE(m.filtered({.track = m.second}), (std::vector{m.twin, m.empty}));
    QCOMPARE(m.filtered({.begins = TimeSpan{10, 40}}), (std::vector{m.nested, m.twin}));
    QCOMPARE(m.filtered({.overlaps = TimeSpan{15, 41}}), (std::vector{m.wide, m.nested, m.kernel}));
    QCOMPARE(m.filtered({.lasts = TimeSpan{5, 50}}), (std::vector{m.nested, m.twin}));
    QCOMPARE(m.filtered({.track = m.first, .lasts = TimeSpan{5, 50}}), (std::vector{m.nested}));
}

void SearchTest::whatIsThereIsCounted() {
    const Mixed m;
    const SliceCounts counts = countSlices(LaneIndex(m.trace), m.byStart);
    QCOMPARE(counts.tracks.size(), std::size_t{3});
    std::uint64_t all = 0;
    for (const auto& [track, count] : counts.tracks) {
        QCOMPARE(count, std::uint64_t{m.filtered({.track = track}).size()});
        all += count;
    }
    QCOMPARE(all, std::uint64_t{5});
    for (const auto& [category, count] : counts.categories) {
        QCOMPARE(count, std::uint64_t{m.filtered({.category = category}).size()});
    }
    QCOMPARE(counts.categories.size(), std::size_t{3});
}

// The profiler writes them into streams; they are drawn on a row of their own.
void SearchTest::annotationsOfAGpuHaveTheRowTheyAreDrawnOn() {
    QueryFixture fixture;
    const TrackId stream = fixture.track(0, 7);
    const SliceId kernel = fixture.slice(stream, 10, 20, "kernel", Category::Kernel);
    const SliceId note = fixture.slice(stream, 5, 30, "note", Category::GpuUserAnnotation);
    const auto trace = fixture.finish();
    const LaneIndex rows(trace);
    const std::vector<SliceId> byStart{note, kernel};
    const TrackId own = rows.annotationsOf(0).value();
    QVERIFY(own != stream);
    const auto on = [&](TrackId track) {
        return filterSlices(*trace, byStart, {.track = track, .rows = &rows});
    };
    QCOMPARE(on(own), std::vector{note});
    QCOMPARE(on(stream), std::vector{kernel});
    const SliceCounts counts = countSlices(rows, byStart);
    QCOMPARE(counts.tracks.size(), std::size_t{2});
    QCOMPARE(counts.tracks[1].first, own);
    const RowNames names(rows);
    QVERIFY(names.whole(own) != names.whole(stream));
    std::vector<SliceId> sorted = byStart;
    sortSlices(rows, names, sorted, SliceKey::Row, SortOrder::Ascending);
    QCOMPARE(sorted.front() == note, names.whole(own) < names.whole(stream));
    std::ranges::reverse(sorted);
    std::vector<SliceId> down = byStart;
    sortSlices(rows, names, down, SliceKey::Row, SortOrder::Descending);
    QCOMPARE(down, sorted);
}

void SearchTest::slicesSortByEveryKeyBothWays() {
    const Mixed m;
    const LaneIndex rows(m.trace);
    const RowNames names(rows);
    const auto sorted = [&](SliceKey key, SortOrder order) {
        std::vector<SliceId> slices = m.byStart;
        sortSlices(rows, names, slices, key, order);
        return slices;
    };
    const auto up = SortOrder::Ascending;
    const auto down = SortOrder::Descending;
    QCOMPARE(sorted(SliceKey::Name, up),
             (std::vector{m.empty, m.wide, m.kernel, m.nested, m.twin}));
    QCOMPARE(sorted(SliceKey::Name, down),
             (std::vector{m.nested, m.twin, m.kernel, m.wide, m.empty}));
    QCOMPARE(sorted(SliceKey::Duration, up),
             (std::vector{m.empty, m.twin, m.nested, m.kernel, m.wide}));
    QCOMPARE(sorted(SliceKey::Start, down),
             (std::vector{m.empty, m.kernel, m.nested, m.twin, m.wide}));
    // cpu_op, kernel, user_annotation; GPU 0, process 5 with its threads.
    QCOMPARE(sorted(SliceKey::Category, up),
             (std::vector{m.wide, m.nested, m.empty, m.kernel, m.twin}));
    QCOMPARE(sorted(SliceKey::Row, down),
             (std::vector{m.twin, m.empty, m.wide, m.nested, m.kernel}));
}

void SearchTest::aSliceIsFoundInItsList() {
    const Mixed m;
    for (std::size_t at = 0; at < m.byStart.size(); ++at) {
        QVERIFY(placeOfSlice(*m.trace, m.byStart, m.byStart[at]) == at);
    }
    QVERIFY(!placeOfSlice(*m.trace, std::vector{m.wide, m.kernel}, m.nested));
    QVERIFY(!placeOfSlice(*m.trace, m.byStart, kNoSlice));
}

void SearchTest::rowsHaveOneName() {
    QueryFixture fixture;
    const TrackId stream = fixture.track(0, 7);
    const TrackId thread = fixture.track(4711, 1);
    const TrackId named = fixture.track(4711, 2);
    fixture.kernel(stream, 0, 1);
    fixture.slice(thread, 0, 1);
    TraceBuilder& builder = fixture.builder();
    builder.processRow(builder.process({false, 4711})).name = builder.name("python");
    const std::string longName = "worker" + std::string(10'000, 'x');
    builder.trackRow(named).name = builder.name(longName);
    const RowNames names{LaneIndex(fixture.finish())};
    QCOMPARE(names.whole(stream), std::string("GPU 0, stream 7"));
    QCOMPARE(names.whole(thread), std::string("python 4711, thread 1"));
    QCOMPARE(names.track(named), longName.substr(0, 4'000));
    QVERIFY(names.isGpu(0) != names.isGpu(1));
}

QTEST_GUILESS_MAIN(SearchTest)
#include "SearchTest.moc"
