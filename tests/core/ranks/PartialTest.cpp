// SPDX-License-Identifier: Apache-2.0
// Partials: in any order, again and again, and damaged. KINETOSCOPE_MUTATIONS says how many.
#include <fmt/format.h>

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <random>

#include "core/ranks/JobFiles.h"
#include "tests/support/Mutator.h"
#include "tests/support/PartialTrial.h"

using namespace kinetoscope;
using namespace kinetoscope::ranks;

namespace {

constexpr std::int64_t kRanks = 5;

std::vector<RankRecord> sampleRecords() {
    std::vector<RankRecord> records;
    for (std::int64_t rank = 0; rank < kRanks; ++rank) {
        records.push_back(test::sampleRank(rank, kRanks, rank == 3 ? 1'500'000 : 0));
        records.back().device = "NVIDIA H200";
        records.back().devicesThere = kRanks;
    }
    return records;
}

Partial partialOf(std::initializer_list<std::size_t> rows) {
    Partial partial;
    for (const std::size_t row : rows) {
        partial.records.push_back(sampleRecords()[row]);
    }
    return partial;
}

// Of both, as they are read.
std::string merged(const std::string& one, const std::string& other) {
    auto first = decodePartial(one);
    auto second = decodePartial(other);
    if (!first || !second) {
        return {};
    }
    std::ranges::move(second->records, std::back_inserter(first->records));
    std::ranges::move(second->lost, std::back_inserter(first->lost));
    return encodePartial(std::move(*first)).value_or("");
}

}  // namespace

class PartialTest : public QObject {
    Q_OBJECT

private slots:
    void aRecordIsTheSameAgain() {
        const auto job = makeJob(sampleRecords());
        QVERIFY(job);
        QCOMPARE(job->answers.size(), std::size_t{1});
        QCOMPARE(job->answers[0].ns(), 1'500'000);
        std::vector<RankRecord> again;
        for (const RankRecord& record : sampleRecords()) {
            const auto bytes = encodeRecord(record);
            QVERIFY(bytes);
            auto read = decodeRecord(*bytes);
            QVERIFY(read);
            QCOMPARE(encodeRecord(*read).value(), *bytes);
            QCOMPARE(read->steps[3].extra.ns, record.steps[3].extra.ns);
            QCOMPARE(read->steps[3].extra.most.sumNs, record.steps[3].extra.most.sumNs);
            QCOMPARE(read->steps[3].stalls[0].ns, record.steps[3].stalls[0].ns);
            again.push_back(std::move(*read));
        }
        QCOMPARE(jobJson(*makeJob(std::move(again))), jobJson(*job));
        QCOMPARE(jobText(*makeJob(sampleRecords()), {}), jobText(*job, {}));
    }

    void orderDoesNotMatter() {
        const std::string a = encodePartial(partialOf({4, 0})).value();
        const std::string b = encodePartial(partialOf({2})).value();
        const std::string c = encodePartial(partialOf({1, 3})).value();
        const std::string all = encodePartial(partialOf({0, 1, 2, 3, 4})).value();
        QCOMPARE(merged(merged(a, b), c), all);
        QCOMPARE(merged(a, merged(c, b)), all);
        QCOMPARE(merged(merged(c, a), merged(b, a)), all);
    }

    void aLostFileThatIsThereIsNotLost() {
        Partial lost;
        lost.lost = {{"rank2.json", "cannot be read"}, {"x", "b"}, {"x", "a"}};
        const std::string bytes = encodePartial(lost).value();
        auto with = decodePartial(merged(bytes, encodePartial(partialOf({2, 0})).value()));
        QVERIFY(with);
        QCOMPARE(with->records.size(), std::size_t{2});
        QVERIFY(with->lost == (std::vector<LostFile>{{"x", "a"}}));
        QCOMPARE(decodePartial(merged(bytes, bytes))->lost.size(), std::size_t{2});
    }

    void aLostFileIsThatOfItsMachine() {
        Partial lost;
        lost.lost = {{"rank2.json", "cut", "node1:/rank2.json"},
                     {"rank2.json", "cut", "node2:/rank2.json"}};
        const std::string bytes = encodePartial(lost).value();
        Partial there = partialOf({2});
        there.records[0].origins = {"node2:/rank2.json"};
        Partial copy = partialOf({2});
        copy.records[0].origins = {"node3:/rank2.json"};
        const std::string one = encodePartial(there).value();
        const std::string other = encodePartial(copy).value();
        const std::string all = merged(merged(bytes, one), other);
        QCOMPARE(merged(bytes, merged(other, one)), all);
        QCOMPARE(merged(merged(other, bytes), one), all);
        const auto with = decodePartial(all);
        QVERIFY(with);
        QVERIFY(with->lost == std::vector{lost.lost[0]});
        QCOMPARE(with->records.size(), std::size_t{1});
        QVERIFY(with->records[0].origins ==
                (std::vector<std::string>{"node2:/rank2.json", "node3:/rank2.json"}));
    }

    void twoOfOneRankAreNamed() {
        Partial partial = partialOf({1, 1});
        partial.records[1].file = "other.json";
        const auto bytes = encodePartial(std::move(partial));
        QVERIFY(!bytes);
        QVERIFY2(
            bytes.error().message.starts_with("'other.json': is of rank 1, and so is 'rank1.json'"),
            bytes.error().message.c_str());
    }

    // A partial may hold any name; what is said of it is one line that a terminal may show.
    void namesInMessagesArePrintable() {
        const auto say = [](std::vector<RankRecord> records) {
            for (RankRecord& record : records) {
                record.file = "a\nb\x1b.json";
            }
            const auto job = makeJob(std::move(records));
            return job ? std::string() : job.error().message;
        };
        const std::string name = "'a\\nb\\x1b.json'";
        std::vector<RankRecord> far = {test::sampleRank(0, 1)};
        far[0].extent.end = std::numeric_limits<TimeNs>::max();
        std::vector<RankRecord> high = {test::sampleRank(0, 1)};
        high[0].rank = std::int64_t{1} << 40;
        const std::vector<std::string> messages = {
            say({test::sampleRank(1, 2), test::sampleRank(1, 2)}),
            say({test::sampleRank(0, 2), test::sampleRank(1, 3)}),
            say(far),
            say(high),
            makeJob({}, {{"a\nb\x1b.json", "cut", ""}}).error().message,
        };
        for (const std::string& message : messages) {
            QVERIFY2(message.starts_with(name), message.c_str());
            QVERIFY2(test::isOneLine(message), message.c_str());
        }
        RankRecord record = test::sampleRank(0, 1);
        record.file = "a\nb\x1b.json";
        record.hostGaps.back().span.end = std::numeric_limits<TimeNs>::max();
        const std::string unwritten = encodeRecord(record).error().message;
        QVERIFY2(unwritten.starts_with(name), unwritten.c_str());
    }

    void timesWithoutMeasureAreRefused() {
        RankRecord record = test::sampleRank(0, 1);
        record.hostGaps.back().span.end = std::numeric_limits<TimeNs>::max();
        QVERIFY(!encodeRecord(record));
        record = test::sampleRank(0, 1);
        record.extent.end = std::numeric_limits<TimeNs>::max();
        QVERIFY(!makeJob({record}));
    }

    // A file that was cut before it says when it began.
    void aClockThatTellsNoTimeOfDayIsAligned() {
        std::vector<RankRecord> records = sampleRecords();
        records[4].baseTimeNs = 0;  // alone on its host
        const auto job = makeJob(std::move(records));
        QVERIFY(job);
        QCOMPARE(job->answers.size(), std::size_t{1});
        QCOMPARE(jobJson(*job), jobJson(*makeJob(sampleRecords())));
    }

    // The checksum finds all of it.
    void filesAreFoundByTheirNumbersAndBesideThePartial() {
        const QTemporaryDir folder;
        const auto path = [&](const char* name) { return folder.filePath(name).toStdString(); };
        for (const char* name : {"node1.ranks", "node10.ranks", "node.ranks", "other1.ranks"}) {
            std::ofstream(path(name)) << "x";
        }
        QCOMPARE(numberedAlike(path("node10.ranks")),
                 (std::vector{path("node1.ranks"), path("node10.ranks")}));
        QCOMPARE(numberedAlike(path("nothing")), std::vector{path("nothing")});
        std::ofstream(path("rank3.json")) << "{}";
        QCOMPARE(findTrace("/elsewhere/rank3.json", {path("node1.ranks")}), path("rank3.json"));
        QCOMPARE(findTrace(path("node.ranks"), {path("node1.ranks")}), path("node.ranks"));
        QCOMPARE(findTrace("/elsewhere/rank4.json", {path("node1.ranks")}),
                 std::string("/elsewhere/rank4.json"));
    }

    void anotherVersionIsSaid() {
        std::string bytes = encodePartial(partialOf({0})).value();
        constexpr std::size_t kVersionAt = 8;
        ++bytes[kVersionAt];
        const auto partial = decodePartial(bytes);
        QVERIFY(!partial);
        QVERIFY2(partial.error().message.starts_with("is a partial of another version"),
                 partial.error().message.c_str());
    }

    void damagedFilesAreMessages() {
        const std::string whole = encodePartial(partialOf({0, 1, 2})).value();
        const QTemporaryDir folder;
        const std::string path = folder.filePath("damaged.ranks").toStdString();
        for (std::uint64_t number = 0; number < test::mutations(2000); ++number) {
            const std::string bytes = test::Mutator(number).bytes(whole);
            if (bytes == whole) {
                continue;
            }
            const auto partial = decodePartial(bytes);
            QVERIFY2(!partial, fmt::format("{}", number).c_str());
            QVERIFY2(test::isOneLine(partial.error().message), partial.error().message.c_str());
            if (number % 100 == 0) {
                std::ofstream(path, std::ios::binary) << bytes;
                const auto read = readPartial(path);
                QVERIFY(!read && read.error().message.starts_with("'" + path + "': "));
            }
        }
    }

    // Somebody who makes the checksum right as well.
    void damagedRecordsAreMessagesOrJobs() {
        const std::string whole = encodeRecord(sampleRecords()[1]).value();
        std::size_t read = 0;
        for (std::uint64_t number = 0; number < test::mutations(2000); ++number) {
            const std::string bytes = test::Mutator(number).bytes(whole);
            const std::string problem = test::tryRecordBytes(bytes);
            QVERIFY2(problem.empty(), fmt::format("{}: {}", number, problem).c_str());
            read += decodeRecord(bytes) ? 1U : 0U;
        }
        QVERIFY2(read > 20 && read < test::mutations(2000) - 20,
                 fmt::format("{} were read", read).c_str());
    }

    void packedTimesAndRunsAreWhatWasPut() {
        std::mt19937_64 random(7);
        PackedTimes times;
        WorkRuns runs;
        std::vector<TimeNs> plain;
        std::vector<std::pair<TimeSpan, WorkKind>> spans;
        TimeNs time = -5'000'000;
        for (int i = 0; i < 1000; ++i) {
            const auto ns = static_cast<TimeNs>(random() % (i % 10 == 0 ? 40'000'000 : 900));
            const auto kind = static_cast<WorkKind>(random() % 5);
            times.append(time);
            plain.push_back(time);
            runs.append(-5'000'000, kind, ns);
            spans.push_back({{time, time + ns}, kind});
            time += ns;
        }
        const auto inside = [&](WorkKind kind, TimeSpan window) {
            TimeNs sum = 0;
            for (const auto& [span, own] : spans) {
                sum += own == kind ? window.clip(span).duration() : 0;
            }
            return sum;
        };
        for (int i = 0; i < 2000; ++i) {
            const TimeNs a = -6'000'000 + static_cast<TimeNs>(random() % 4'000'000'000);
            const TimeNs b = a + static_cast<TimeNs>(random() % 80'000'000);
            QCOMPARE(times.countUpTo(a),
                     static_cast<std::size_t>(std::ranges::upper_bound(plain, a) - plain.begin()));
            WorkTime work = runs.inside({a, b});
            QCOMPARE(work.total() + work.waitNs, b - a);
            for (const WorkKind kind :
                 {WorkKind::Compute, WorkKind::Copy, WorkKind::Host, WorkKind::Wait}) {
                QCOMPARE(work.of(kind), inside(kind, {a, b}));
            }
            TimeNs clipped = 0;
            std::size_t count = 0;
            for (const TimeSpan span : runs.spans(WorkKind::Compute, {a, b})) {
                clipped += TimeSpan{a, b}.clip(span).duration();
                ++count;
            }
            QCOMPARE(clipped, work.computeNs);
            QVERIFY(count <= runs.mostIn({a, b}));
        }
        for (std::size_t row = 0; row < plain.size(); ++row) {
            QCOMPARE(times.at(row), plain[row]);
        }
    }
};

QTEST_APPLESS_MAIN(PartialTest)
#include "PartialTest.moc"
