// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QtTest>
#include <map>
#include <random>

#include "core/import/load/LoadTrace.h"
#include "core/query/AreaSummary.h"
#include "tests/core/query/QueryFixture.h"
#include "tests/support/RandomTrace.h"

using namespace kinetoscope;
using namespace kinetoscope::query;
using namespace kinetoscope::trace;

namespace {

struct Counted {
    std::uint64_t count = 0;
    std::vector<TimeNs> parts;
    TimeNs longest = -1;
    SliceId slice = kNoSlice;

    void add(SliceId id, TimeNs part) {
        ++count;
        parts.push_back(part);
        slice = part > longest ? id : slice;
        longest = std::max(longest, part);
    }
    /// Random times are so large that their sum may pass every integer.
    [[nodiscard]] TimeNs sum() const {
        TimeNs left = std::numeric_limits<TimeNs>::max();
        for (const TimeNs part : parts) {
            left -= std::min(left, part);
        }
        return std::numeric_limits<TimeNs>::max() - left;
    }
};

using Groups = std::map<std::uint32_t, Counted>;

/// Each slice looked at alone, by the definition of a part.
std::array<Groups, 3> countOneByOne(const Trace& trace, TimeSpan area,
                                    const std::vector<TrackId>& tracks) {
    std::array<Groups, 3> groups;
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        const TimeNs start = trace.start(slice);
        const TimeNs end = start + trace.duration(slice);
        const bool isMoment = start == end;
        const bool inside = isMoment ? area.start <= start && start < area.end
                                     : start < area.end && end > area.start;
        if (!inside ||
            (!tracks.empty() && std::ranges::find(tracks, trace.trackOf(slice)) == tracks.end())) {
            continue;
        }
        const TimeNs part = std::min(end, area.end) - std::max(start, area.start);
        groups[0][trace.nameId(slice)].add(slice, part);
        groups[1][trace.categoryId(slice)].add(slice, part);
        groups[2][trace.trackOf(slice)].add(slice, part);
    }
    return groups;
}

void compareRows(const std::vector<AreaRow>& rows, const Groups& expected) {
    QCOMPARE(rows.size(), expected.size());
    auto at = expected.begin();
    for (const AreaRow& row : rows) {
        const auto& [key, counted] = *at++;
        QCOMPARE(row.key, key);
        QCOMPARE(row.count, counted.count);
        QCOMPARE(row.timeNs, counted.sum());
        QCOMPARE(row.longestNs, counted.longest);
        QCOMPARE(row.longest, counted.slice);
    }
}

}  // namespace

class AreaSummaryTest final : public QObject {
    Q_OBJECT

private slots:
    void partsAreCutOffAtTheAreasEnds();
    void onlyTheChosenTracksCount();
    void ofEqualOnesTheFirstIsTheLongest();
    void randomTracesAgreeWithCountingOneByOne();
    void anyNumberOfThreadsGivesTheSame();
    void hugeSumsStayAtTheLargestTime();
    void itEndsWhenItIsToldTo();
};

void AreaSummaryTest::partsAreCutOffAtTheAreasEnds() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    fixture.slice(track, 0, 100, "a");
    fixture.slice(track, 150, 160, "a");
    fixture.slice(track, 190, 300, "b");
    fixture.slice(track, 200, 300, "outside");
    fixture.slice(track, 10, 50, "outside");
    fixture.slice(track, 199, 199, "moment");
    fixture.slice(track, 200, 200, "outside");
    const auto trace = fixture.finish();
    const auto summary = summariseArea(*trace, {{50, 200}, {}, {}, 1});
    QVERIFY(summary);
    QCOMPARE(summary->count, 4U);
    QCOMPARE(summary->timeNs, TimeNs{70});
    QCOMPARE(summary->byName.size(), std::size_t{3});
    QCOMPARE(trace->text(summary->byName[0].key), std::string_view("a"));
    QCOMPARE(summary->byName[0].count, 2U);
    QCOMPARE(summary->byName[0].timeNs, TimeNs{60});
    QCOMPARE(summary->byName[0].longest, SliceId{0});
    QCOMPARE(summary->byName[0].longestNs, TimeNs{50});
    QCOMPARE(summary->byName[1].timeNs, TimeNs{10});
    QCOMPARE(summary->byName[2].timeNs, TimeNs{0});
    QCOMPARE(summary->byTrack.size(), std::size_t{1});
    QCOMPARE(summary->byTrack[0].timeNs, TimeNs{70});
}

void AreaSummaryTest::onlyTheChosenTracksCount() {
    QueryFixture fixture;
    const TrackId one = fixture.track(1, 1);
    const TrackId two = fixture.track(1, 2);
    fixture.slice(one, 0, 100);
    fixture.kernel(two, 0, 40);
    const auto trace = fixture.finish();
    const auto summary = summariseArea(*trace, {{0, 200}, {two, 77}, {}, 1});
    QVERIFY(summary);
    QCOMPARE(summary->count, 1U);
    QCOMPARE(summary->timeNs, TimeNs{40});
    QCOMPARE(summary->byTrack.at(0).key, std::uint32_t{two});
    QCOMPARE(summary->byCategory.at(0).key, static_cast<std::uint32_t>(Category::Kernel));
}

void AreaSummaryTest::ofEqualOnesTheFirstIsTheLongest() {
    QueryFixture fixture;
    const TrackId track = fixture.track(1, 1);
    for (TimeNs start = 0; start < 200'000; start += 2) {
        fixture.slice(track, start, start + 1);
    }
    const auto trace = fixture.finish();
    for (const unsigned threads : {1U, 3U}) {
        const auto summary = summariseArea(*trace, {{0, 200'000}, {}, {}, threads});
        QVERIFY(summary);
        QCOMPARE(summary->byName.at(0).longest, SliceId{0});
        QCOMPARE(summary->count, 100'000U);
    }
}

void AreaSummaryTest::randomTracesAgreeWithCountingOneByOne() {
    const QTemporaryDir folder;
    std::mt19937_64 random(20);
    int rows = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        QFile file(folder.filePath("random.json"));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        const std::string text = test::RandomTrace(seed).document();
        file.write(text.data(), static_cast<qint64>(text.size()));
        file.close();
        const auto trace = import::loadTrace(file.fileName().toStdString());
        QVERIFY(trace);
        const TimeSpan extent = (*trace)->extent();
        const auto within = [&] {
            const auto length = static_cast<std::uint64_t>(extent.duration()) + 1;
            return extent.start + static_cast<TimeNs>(random() % length);
        };
        for (int i = 0; i < 8; ++i) {
            const auto [start, end] = std::minmax({within(), within()});
            const TimeSpan area =
                i == 0 ? TimeSpan{extent.start, extent.end + 1} : TimeSpan{start, end};
            std::vector<TrackId> tracks;
            for (TrackId track = 0; i % 2 == 1 && track < (*trace)->tracks().size(); ++track) {
                if (random() % 2 == 0) {
                    tracks.push_back(track);
                }
            }
            const auto summary =
                summariseArea(**trace, {area, tracks, {}, seed % 3 == 0 ? 3U : 1U});
            QVERIFY(summary);
            const auto expected = countOneByOne(**trace, area, tracks);
            compareRows(summary->byName, expected[0]);
            compareRows(summary->byCategory, expected[1]);
            compareRows(summary->byTrack, expected[2]);
            std::uint64_t count = 0;
            for (const auto& [key, counted] : expected[2]) {
                count += counted.count;
            }
            QCOMPARE(summary->count, count);
            rows += static_cast<int>(summary->byName.size());
        }
    }
    QVERIFY(rows > 2'000);
}

void AreaSummaryTest::anyNumberOfThreadsGivesTheSame() {
    QueryFixture fixture;
    std::vector<TrackId> tracks;
    for (int i = 0; i < 9; ++i) {
        tracks.push_back(fixture.track(i % 2, i));
    }
    std::mt19937_64 random(4);
    for (int i = 0; i < 300'000; ++i) {
        const auto start = static_cast<TimeNs>(random() % 1'000'000);
        fixture.slice(tracks[random() % tracks.size()], start,
                      start + static_cast<TimeNs>(random() % 500),
                      "name " + std::to_string(random() % 77));
    }
    const auto trace = fixture.finish();
    const auto one = summariseArea(*trace, {{200'000, 700'000}, {}, {}, 1});
    const auto four = summariseArea(*trace, {{200'000, 700'000}, {}, {}, 4});
    QVERIFY(one && four);
    QVERIFY(one->count > 100'000);
    QCOMPARE(four->count, one->count);
    QCOMPARE(four->timeNs, one->timeNs);
    QCOMPARE(one->byName.size(), std::size_t{77});
    for (const auto rows : {&AreaSummary::byName, &AreaSummary::byTrack}) {
        for (std::size_t row = 0; row < ((*one).*rows).size(); ++row) {
            const AreaRow& a = ((*one).*rows)[row];
            const AreaRow& b = ((*four).*rows)[row];
            QCOMPARE(b.key, a.key);
            QCOMPARE(b.count, a.count);
            QCOMPARE(b.timeNs, a.timeNs);
            QCOMPARE(b.longest, a.longest);
            QCOMPARE(b.longestNs, a.longestNs);
        }
    }
}

void AreaSummaryTest::hugeSumsStayAtTheLargestTime() {
    constexpr TimeNs kLong = std::numeric_limits<TimeNs>::max() / 2;
    QueryFixture fixture;
    for (int i = 0; i < 3; ++i) {
        fixture.slice(fixture.track(1, i), 0, kLong);
    }
    const auto trace = fixture.finish();
    const auto summary = summariseArea(*trace, {{0, kLong}, {}, {}, 1});
    QVERIFY(summary);
    QCOMPARE(summary->count, 3U);
    QCOMPARE(summary->timeNs, std::numeric_limits<TimeNs>::max());
}

void AreaSummaryTest::itEndsWhenItIsToldTo() {
    QueryFixture fixture;
    fixture.slice(fixture.track(1, 1), 0, 10);
    std::stop_source source;
    source.request_stop();
    const auto trace = fixture.finish();
    const auto summary = summariseArea(*trace, {{0, 10}, {}, source.get_token(), 2});
    QVERIFY(!summary);
    QVERIFY(summary.error().kind == ErrorKind::Cancelled);
}

QTEST_GUILESS_MAIN(AreaSummaryTest)
#include "AreaSummaryTest.moc"
