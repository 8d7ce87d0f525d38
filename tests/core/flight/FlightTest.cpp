// SPDX-License-Identifier: Apache-2.0
// Dumps of the flight recorder, made by hand: which call is stuck, who came, who did not.
#include <fmt/format.h>

#include <QtTest>

#include "core/flight/CallWords.h"
#include "core/flight/FlightTables.h"
#include "core/flight/FlightText.h"
#include "core/flight/JsonDocument.h"
#include "core/flight/LoadFlight.h"
#include "core/flight/ReadDump.h"

using namespace kinetoscope;
using namespace kinetoscope::flight;

namespace {

// One entry as JSON.
struct Made {
    int number = 1;
    std::string kind = "all_reduce";
    std::string state = "completed";
    std::string group = "0";
    std::string input = "[[1024]]";
    std::string output = "[[1024]]";
    std::string type = "Float";
    bool pointToPoint = false;
};

std::string entryText(const Made& made, int record) {
    return fmt::format(
        R"({{"record_id": {}, "pg_id": {}, "process_group": ["{}", "g{}"], "collective_seq_id": {},
             "p2p_seq_id": 0, "op_id": 1, "profiling_name": "nccl:{}", "state": "{}",
             "input_sizes": {}, "output_sizes": {}, "input_dtypes": ["{}"], "output_dtypes": ["{}"],
             "is_p2p": {}, "time_created_ns": 5, "frames": [
             {{"name": "all_reduce", "filename": "/x/site-packages/torch/distributed/c10d.py", "line": 9}},
             {{"name": "step", "filename": "/home/u/train.py", "line": {}}}]}})",
        record, made.group, made.group, made.group, made.number, made.kind, made.state, made.input,
        made.output, made.type, made.type, made.pointToPoint ? "true" : "false", 100 + made.number);
}

Dump dumpFrom(const std::string& json, std::int64_t rank) {
    const auto document = readJsonDocument(json);
    auto dump = document ? dumpOf(*document) : tl::unexpected(document.error());
    if (!dump) {
        qFatal("%s", dump.error().message.c_str());
    }
    dump->rank = rank;
    return std::move(*dump);
}

// `groups`: the ranks of each, "0" first.
Dump dump(std::int64_t rank, const std::vector<Made>& entries, int firstRecord = 0,
          const std::vector<std::string>& groups = {"[0, 1, 2]"}) {
    std::string config;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        config += fmt::format(R"({}"{}": {{"name": "{}", "desc": "g{}", "ranks": "{}"}})",
                              g == 0 ? "" : ", ", g, g, g, groups[g]);
    }
    std::string calls;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        calls += (i == 0 ? "" : ", ") + entryText(entries[i], firstRecord + static_cast<int>(i));
    }
    return dumpFrom(fmt::format(R"({{"version": "2.10", "pg_config": {{{}}}, "entries": [{}]}})",
                                config, calls),
                    rank);
}

FlightJob jobOf(std::initializer_list<Dump> dumps) {
    return analyseFlight(std::vector<Dump>(dumps));
}

std::vector<std::int64_t> ranksOf(const FlightJob& job, const std::vector<std::size_t>& dumps) {
    std::vector<std::int64_t> ranks;
    for (const std::size_t dump : dumps) {
        ranks.push_back(job.dumps[dump].rank);
    }
    return ranks;
}

using Ranks = std::vector<std::int64_t>;

const Made kDone{.number = 1};
const Made kOpen{.number = 2, .state = "scheduled"};

}  // namespace

class FlightTest : public QObject {
    Q_OBJECT

private slots:
    void nothingStuck() {
        const FlightJob job = jobOf({dump(0, {kDone}), dump(1, {kDone}), dump(2, {kDone})});
        QVERIFY(job.stuck.empty());
        QVERIFY(job.mismatches.empty());
        QVERIFY(job.missing.empty());
        QVERIFY(flightText(job, {}).find("Nothing is stuck") != std::string::npos);
    }

    void aRankThatNeverCame() {
        const FlightJob job =
            jobOf({dump(0, {kDone, kOpen}), dump(1, {kDone}), dump(2, {kDone, kOpen})});
        QCOMPARE(job.stuck.size(), std::size_t{1});
        const Stuck& stuck = job.stuck.front();
        QCOMPARE(stuck.why, Why::Absent);
        QCOMPARE(stuck.number, 2);
        QCOMPARE(stuck.waiting.size(), std::size_t{2});
        QCOMPARE(ranksOf(job, stuck.absent), Ranks{1});
        QVERIFY(stuck.because.empty());
        QCOMPARE(stuckText(job, stuck),
                 std::string("all_reduce number 2 of group 0 (g0) is stuck: ranks 0, 2 wait in it, "
                             "rank 1 never came; its last call there was all_reduce number 1, "
                             "completed, at train.py:101 step"));
    }

    void callsThatDiffer() {
        Made other = kOpen;
        other.kind = "broadcast";
        const FlightJob job =
            jobOf({dump(0, {kDone, kOpen}), dump(1, {kDone, other}), dump(2, {kDone, kOpen})});
        QCOMPARE(job.stuck.size(), std::size_t{1});
        QCOMPARE(job.stuck.front().why, Why::Mismatch);
        QCOMPARE(job.mismatches.size(), std::size_t{1});
        const Mismatch& mismatch = job.mismatches.front();
        QCOMPARE(mismatch.difference, Difference::Kind);
        QCOMPARE(mismatch.parts.size(), std::size_t{2});
        QCOMPARE(mismatch.parts[0].value, std::string("all_reduce"));
        QCOMPARE(ranksOf(job, mismatch.parts[1].dumps), Ranks{1});
    }

    void amountsAndTypes_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("difference");  // -1: none
        QTest::newRow("same") << "all_reduce"
                              << "[[1024]]"
                              << "[[1024]]"
                              << "Float" << -1;
        QTest::newRow("same amount") << "all_reduce"
                                     << "[[32, 32]]"
                                     << "[[2, 512]]"
                                     << "Float" << -1;
        QTest::newRow("size") << "all_reduce"
                              << "[[1000]]"
                              << "[[1000]]"
                              << "Float" << 2;
        QTest::newRow("type") << "all_reduce"
                              << "[[1024]]"
                              << "[[1024]]"
                              << "Half" << 1;
        QTest::newRow("uneven") << "all_gather"
                                << "[[7]]"
                                << "[[1024]]"
                                << "Float" << -1;
        QTest::newRow("gathered") << "_all_gather_base"
                                  << "[[1024]]"
                                  << "[[7]]"
                                  << "Float" << 2;
        QTest::newRow("scattered") << "reduce_scatter"
                                   << "[[1000]]"
                                   << "[[1024]]"
                                   << "Float" << 2;
        QTest::newRow("parts") << "reduce_scatter"
                               << "[[1024]]"
                               << "[[1000]]"
                               << "Float" << -1;
        QTest::newRow("each its own") << "all_to_all"
                                      << "[[9]]"
                                      << "[[99]]"
                                      << "Float" << -1;
        QTest::newRow("nothing") << "all_reduce"
                                 << "[[0, 5]]"
                                 << "[[0, 5]]"
                                 << "Float" << 2;
        QTest::newRow("hostile") << "all_reduce"
                                 << "[[-4, 9223372036854775807]]"
                                 << "[[1024]]"
                                 << "Float" << 2;
    }
    void amountsAndTypes() {
        QFETCH(QString, kind);
        QFETCH(QString, input);
        QFETCH(QString, output);
        QFETCH(QString, type);
        QFETCH(int, difference);
        Made usual = kDone;
        usual.kind = kind.toStdString();
        Made other = usual;
        other.input = input.toStdString();
        other.output = output.toStdString();
        other.type = type.toStdString();
        const FlightJob job = jobOf({dump(0, {usual}), dump(1, {usual}), dump(2, {other})});
        QCOMPARE(job.mismatches.empty(), difference < 0);
        for (const Mismatch& mismatch : job.mismatches) {
            QCOMPARE(static_cast<int>(mismatch.difference), difference);
            QCOMPARE(ranksOf(job, mismatch.parts.back().dumps), Ranks{2});
        }
    }

    // Rank 1 is late in group 1 because it waits in group 2, which rank 2 never called.
    void causesBeforeConsequences() {
        const std::vector<std::string> groups{"[0, 1, 2]", "[0, 1]", "[1, 2]"};
        const Made first{.number = 5, .state = "started", .group = "1"};
        const Made second{.number = 9, .state = "scheduled", .group = "2"};
        const FlightJob job =
            jobOf({dump(0, {kDone, first}, 0, groups), dump(1, {kDone, second}, 0, groups),
                   dump(2, {kDone}, 0, groups)});
        QCOMPARE(job.stuck.size(), std::size_t{2});
        QCOMPARE(job.groups[job.stuck[0].group].name, std::string("2"));
        QVERIFY(job.stuck[0].because.empty());
        QCOMPARE(ranksOf(job, job.stuck[0].absent), Ranks{2});
        QCOMPARE(job.stuck[1].because, std::vector<std::size_t>{0});
        QVERIFY(!job.stuck[1].inCycle);
        QVERIFY(stuckText(job, job.stuck[1])
                    .ends_with("rank 1 waits meanwhile in all_reduce number 9 of group 2 (g2)"));
    }

    // Each waits where the other is not.
    void ranksThatWaitForEachOther() {
        const std::vector<std::string> groups{"[0, 1]", "[0, 1]"};
        const Made first{.number = 1, .state = "scheduled", .group = "0"};
        const Made second{.number = 1, .state = "scheduled", .group = "1"};
        const FlightJob job = jobOf({dump(0, {first}, 0, groups), dump(1, {second}, 0, groups)});
        QCOMPARE(job.stuck.size(), std::size_t{2});
        QVERIFY(job.stuck[0].inCycle && job.stuck[1].inCycle);
        QVERIFY(stuckText(job, job.stuck[0]).ends_with("the ranks wait for each other"));
    }

    // Ranks 0 to 2 wait in a ring; rank 3 waits for it and is not part of it.
    void ringsOfSeveralGroups() {
        const std::vector<std::string> groups{"[0, 1]", "[1, 2]", "[2, 0]", "[3, 0]"};
        const auto waiting = [&](std::int64_t rank, const char* group) {
            return dump(rank, {{.number = 1, .state = "scheduled", .group = group}}, 0, groups);
        };
        const FlightJob job =
            jobOf({waiting(0, "0"), waiting(1, "1"), waiting(2, "2"), waiting(3, "3")});
        QCOMPARE(job.stuck.size(), std::size_t{4});
        for (const Stuck& stuck : job.stuck) {
            QCOMPARE(stuck.because.size(), std::size_t{1});
            QCOMPARE(stuck.inCycle, job.groups[stuck.group].name != "3");
        }
    }

    // Rank 1 waits in many groups, and rank 0 for it in another.
    void someOfManyCausesAreNamed() {
        constexpr std::size_t kGroups = 30;
        std::vector<std::string> groups{"[0, 1]"};
        std::vector<Made> calls;
        for (std::size_t g = 1; g < kGroups; ++g) {
            groups.emplace_back("[1, 2]");
            calls.push_back({.number = 1, .state = "scheduled", .group = std::to_string(g)});
        }
        const Made late{.number = 1, .state = "scheduled", .group = "0"};
        const FlightJob job =
            jobOf({dump(0, {late}, 0, groups), dump(1, calls, 0, groups), dump(2, {}, 0, groups)});
        QCOMPARE(job.stuck.size(), kGroups);
        const Stuck& last = job.stuck.back();
        QCOMPARE(job.groups[last.group].name, std::string("0"));
        QCOMPARE(last.because, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7}));
        QVERIFY(last.hasMoreCauses && !last.inCycle);
        QVERIFY(stuckText(job, last).ends_with("; others wait elsewhere"));
    }

    void overwrittenEntriesAreNoAbsence() {
        const Made later{.number = 50};
        const FlightJob job =
            jobOf({dump(0, {kDone, kOpen}), dump(1, {later}, 49), dump(2, {kDone, kOpen})});
        QCOMPARE(job.stuck.size(), std::size_t{1});
        QVERIFY(job.stuck[0].absent.empty());
        QCOMPARE(ranksOf(job, job.stuck[0].passed), Ranks{1});
    }

    void ranksWithoutADump() {
        const FlightJob job = jobOf({dump(0, {kDone, kOpen}), dump(2, {kDone, kOpen})});
        QCOMPARE(job.missing, Ranks{1});
        QCOMPARE(job.stuck[0].why, Why::NoDump);
        QCOMPARE(job.stuck[0].noDump, Ranks{1});
        QVERIFY(stuckText(job, job.stuck[0]).ends_with("of rank 1 there is no dump"));
    }

    void allCame() {
        Made runs = kOpen;
        runs.state = "started";
        const FlightJob running =
            jobOf({dump(0, {kDone, runs}), dump(1, {kDone, runs}), dump(2, {kDone, runs})});
        QCOMPARE(running.stuck[0].why, Why::Running);
        const FlightJob queued =
            jobOf({dump(0, {kDone, runs}), dump(1, {kDone, kOpen}), dump(2, {kDone, runs})});
        QCOMPARE(queued.stuck[0].why, Why::NotStarted);
        QVERIFY(stuckText(queued, queued.stuck[0])
                    .ends_with("; rank 1 has it only in the queue, behind other GPU work"));
    }

    // A row for each rank, also without a dump; a column for each number that anybody tells of.
    void ranksByNumbers() {
        Made begun = kOpen;
        begun.state = "started";
        const FlightJob job = jobOf({dump(0, {kDone, kOpen}, 0, {"[0, 1, 2, 3, 4]"}),
                                     dump(1, {kDone}, 0, {"[0, 1, 2, 3, 4]"}),
                                     dump(3, {begun}, 1, {"[0, 1, 2, 3, 4]"}),
                                     dump(4, {{.number = 1, .input = "[[7]]", .output = "[[7]]"}},
                                          0, {"[0, 1, 2, 3, 4]"})});
        const CallGrid grid(job, 0);
        QCOMPARE(grid.ranks(), (Ranks{0, 1, 2, 3, 4}));
        QCOMPARE(grid.numbers(), (std::vector<std::int64_t>{1, 2}));
        const std::vector<std::array<Fate, 2>> fates{{Fate::Completed, Fate::Scheduled},
                                                     {Fate::Completed, Fate::NeverCame},
                                                     {Fate::NoDump, Fate::NoDump},
                                                     {Fate::Overwritten, Fate::Started},
                                                     {Fate::Completed, Fate::NeverCame}};
        for (std::size_t row = 0; row < fates.size(); ++row) {
            QCOMPARE(grid.fate(row, 0), fates[row][0]);
            QCOMPARE(grid.fate(row, 1), fates[row][1]);
        }
        QCOMPARE(grid.stuck().front().column, std::size_t{1});
        QVERIFY(grid.differs(0) && !grid.differs(1));
        const auto told = [&](std::size_t row, std::size_t column) {
            return fmt::format("{}", fmt::join(describeCall(job, grid, row, column), "|"));
        };
        const std::string absent = told(1, 1);
        QVERIFY2(absent.starts_with("The rank never came. Its last call in this group was "
                                    "all_reduce number 1, completed.|all_reduce number 2 of"),
                 absent.c_str());
        QVERIFY(absent.find("Its last call came from\n") != std::string::npos);
        QVERIFY(absent.find("train.py:101 step") != std::string::npos);
        QVERIFY(told(4, 0).find("differs in size") != std::string::npos);
        QVERIFY(told(0, 1).starts_with("The rank waits in it"));
        QVERIFY(told(0, 1).find("Input [1024] Float") != std::string::npos);
        QCOMPARE(told(2, 0).substr(0, 31), std::string("There is no dump of this rank.|"));
    }

    void callsBehindTheStuckOne() {
        Made third = kOpen;
        third.number = 3;
        Made fourth = kOpen;
        fourth.number = 4;
        const FlightJob job = jobOf({dump(0, {kDone, kOpen, third, fourth}), dump(1, {kDone}),
                                     dump(2, {kDone, kOpen, third})});
        QCOMPARE(job.stuck.size(), std::size_t{1});
        QCOMPARE(job.stuck[0].number, 2);
        QCOMPARE(job.stuck[0].queued, std::size_t{2});
    }

    void messages() {
        const Made sent{.kind = "send 0->1", .pointToPoint = true};
        Made awaited{.kind = "recv 1<-0", .pointToPoint = true};
        const FlightJob good = jobOf({dump(0, {sent}), dump(1, {awaited}), dump(2, {})});
        QVERIFY(good.stuck.empty());
        awaited.state = "scheduled";
        const FlightJob missing = jobOf(
            {dump(0, {sent}),
             dump(1, {kDone, {.kind = "recv 1<-0", .pointToPoint = true}, awaited}), dump(2, {})});
        QCOMPARE(missing.stuck.size(), std::size_t{1});
        QCOMPARE(missing.stuck[0].why, Why::Absent);
        QCOMPARE(ranksOf(missing, missing.stuck[0].absent), Ranks{0});
        QVERIFY(
            stuckText(missing, missing.stuck[0]).starts_with("recv 0->1 of group 0 (g0) is stuck"));
        // Both ends wait: one line, and another amount is said.
        Made small = sent;
        small.state = "scheduled";
        small.input = small.output = "[[3]]";
        const FlightJob differs = jobOf({dump(0, {small}), dump(1, {awaited}), dump(2, {})});
        QCOMPARE(differs.stuck.size(), std::size_t{1});
        QCOMPARE(differs.stuck[0].why, Why::Mismatch);
    }

    // A column for each message, as they were called; whoever has no part in it has no fate either.
    void messagesByTheirOrder() {
        const Made sent{.kind = "send 0->1", .pointToPoint = true};
        const Made received{.kind = "recv 1<-0", .pointToPoint = true};
        Made awaited = received;
        awaited.state = "scheduled";
        const Made back{.kind = "send 1->2", .pointToPoint = true};
        const FlightJob job =
            jobOf({dump(0, {kDone, sent}), dump(1, {kDone, received, awaited, back}),
                   dump(2, {{.number = 50}}, 49)});
        const CallGrid grid(job, 0, CallKind::Messages);
        QCOMPARE(grid.columns(), std::size_t{3});
        QCOMPARE(grid.columnLabel(0), std::string("0→1"));
        QCOMPARE(grid.columnTitle(1), std::string("message 2 from rank 0 to rank 1"));
        QCOMPARE(grid.columnTitle(2), std::string("message 1 from rank 1 to rank 2"));
        const std::vector<std::array<Fate, 3>> fates{
            {Fate::Completed, Fate::NeverCame, Fate::Apart},
            {Fate::Completed, Fate::Scheduled, Fate::Completed},
            {Fate::Apart, Fate::Apart, Fate::Overwritten}};
        for (std::size_t row = 0; row < fates.size(); ++row) {
            for (std::size_t column = 0; column < 3; ++column) {
                QCOMPARE(grid.fate(row, column), fates[row][column]);
            }
        }
        QCOMPARE(grid.stuck().size(), std::size_t{1});
        QCOMPARE(grid.stuck().front().column, std::size_t{1});
        QVERIFY(!grid.differs(1));
        const auto told = [&](std::size_t row, std::size_t column) {
            return fmt::format("{}", fmt::join(describeCall(job, grid, row, column), "|"));
        };
        QVERIFY2(
            told(0, 1).starts_with("The rank never came. Its last call in this group was send"),
            told(0, 1).c_str());
        QVERIFY(told(0, 1).find("recv 0->1 of group 0 (g0) is stuck") != std::string::npos);
        QVERIFY(told(2, 0).starts_with("The rank does not take part in this message."));
        // What was called in between is not among the collectives.
        QCOMPARE(CallGrid(job, 0).numbers(), (std::vector<std::int64_t>{1, 50}));
        // Both wait, with different amounts.
        Made small = sent;
        small.state = "scheduled";
        small.input = small.output = "[[3]]";
        const FlightJob differs = jobOf({dump(0, {small}), dump(1, {awaited}), dump(2, {})});
        QVERIFY(CallGrid(differs, 0, CallKind::Messages).differs(0));
    }

    // Entries alone, numbers by their older name, nothing about groups.
    void firstVersion() {
        const auto old = [](std::int64_t rank, int last, const char* state) {
            std::string text = "[";
            for (int n = 1; n <= last; ++n) {
                text += fmt::format(
                    R"({}{{"record_id": {}, "pg_id": 3, "seq_id": {}, "profiling_name": "nccl:all_reduce",
                        "state": "{}", "input_sizes": [[4]], "output_sizes": [[4]]}})",
                    n == 1 ? "" : ", ", n - 1, n, n == last ? state : "completed");
            }
            return dumpFrom(text + "]", rank);
        };
        const FlightJob job = jobOf({old(0, 4, "scheduled"), old(1, 3, "completed")});
        QCOMPARE(job.groups.size(), std::size_t{1});
        QCOMPARE(job.groups[0].name, std::string("3"));
        QVERIFY(!job.groups[0].ranksKnown);
        QCOMPARE(job.groups[0].ranks, (Ranks{0, 1}));
        QCOMPARE(job.stuck[0].number, 4);
        QCOMPARE(ranksOf(job, job.stuck[0].absent), Ranks{1});
    }

    // What the status says counts where the entries are overwritten; its numbers may be texts.
    void statusOfGroups() {
        const Dump quiet = dumpFrom(
            R"({"version": "2.4", "pg_config": {"0": {"name": "0", "desc": "d", "ranks": "[0, 1]"}},
                "pg_status": {"7": {"last_enqueued_collective": "12", "last_completed_collective": "12",
                                    "last_started_collective": "-1"}},
                "entries": [{"record_id": 40, "pg_id": 7, "process_group": ["0", "d"], "is_p2p": true,
                             "profiling_name": "nccl:send 1->0", "collective_seq_id": 12,
                             "state": "completed"}]})",
            1);
        QCOMPARE(quiet.groups[0].lastEnqueued, 12);
        const FlightJob job =
            jobOf({dump(0, {{.number = 13, .state = "scheduled"}}, 12, {"[0, 1]"}), quiet});
        QCOMPARE(ranksOf(job, job.stuck[0].absent), Ranks{1});
        const FlightJob there =
            jobOf({dump(0, {{.number = 12, .state = "scheduled"}}, 12, {"[0, 1]"}), quiet});
        QVERIFY(there.stuck[0].absent.empty());
    }

    void timedOut() {
        const Dump late = dumpFrom(
            R"({"version": "2.10", "entries": [{"profiling_name": "nccl:all_reduce", "retired": true,
                "state": "started", "collective_seq_id": 1, "process_group": ["0", ""]}]})",
            0);
        QCOMPARE(late.entries[0].state, State::TimedOut);
    }

    void whatIsNoDump() {
        for (const auto& [text, said] : std::initializer_list<std::pair<const char*, const char*>>{
                 {"5", "no dict"},
                 {"{\"a\": 1}", "no 'entries'"},
                 {"[{\"state\": \"completed\"}]", "no 'profiling_name'"},
                 {"{\"entries\": [7]}", "no 'profiling_name'"}}) {
            const auto document = readJsonDocument(text);
            QVERIFY(document);
            const auto dump = dumpOf(*document);
            QVERIFY(!dump);
            QVERIFY2(dump.error().message.find(said) != std::string::npos,
                     dump.error().message.c_str());
        }
    }

    void ranksInNames() {
        QCOMPARE(rankInName("/tmp/nccl_trace_rank_12"), 12);
        QCOMPARE(rankInName("nccl_hang_rank0.pickle"), 0);
        QCOMPARE(rankInName("/a3/dump7.json"), 7);
        QCOMPARE(rankInName("rank3_2026.pickle"), 3);
        QCOMPARE(rankInName("/a3/dump.json"), -1);
        QVERIFY(looksLikeDump(" {\n \"pg_config\": {}"));
        QVERIFY(!looksLikeDump("{\"schemaVersion\": 1, \"version\": 2"));
    }

    void picklesOfMemoryAreNoDumps() {
        using namespace std::string_view_literals;
        QVERIFY(looksLikeDump("\x80\x02}(X\x07\0\0\0versionq\0"sv));
        QVERIFY(looksLikeDump("\x80\x04\x95\x10\0\0\0\0\0\0\0]\x94}\x94(\x8c\x09record_id"sv));
        QVERIFY(!looksLikeDump("\x80\x02}q\0(X\x08\0\0\0segmentsq\x01"sv));
        QVERIFY(!looksLikeDump("\x80\x04\x95\x10\0\0\0\0\0\0\0}\x94(\x8c\x08segments\x94]"sv));
        // Protocols 0 and 1, whose texts are lines.
        QVERIFY(!looksLikeDump("(dp0\nVsegments\np1\n(lp2\n"sv));
        QVERIFY(!looksLikeDump("(dVdevice_traces\n(l"sv));
        QVERIFY(!looksLikeDump("(dp0\nS'segments'\np1\n"sv));
        QVERIFY(!looksLikeDump("}(X\x08\0\0\0segments]"sv));
        QVERIFY(looksLikeDump("(dp0\nVversion\np1\nV2.4\n"sv));
        QVERIFY(looksLikeDump("(dp0\nVsegm"sv));
    }
};

QTEST_APPLESS_MAIN(FlightTest)
#include "FlightTest.moc"
