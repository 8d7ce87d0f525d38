// SPDX-License-Identifier: Apache-2.0
// Perfetto's packets: clocks that count on, what nests at one time, counters and processes that
// share a name or a number.
#include <QtTest>
#include <fstream>

#include "core/cut/Cut.h"
#include "core/json/Json.h"
#include "core/query/LaunchLinks.h"
#include "tests/core/import/PerfettoFixture.h"
#include "tests/support/Mutator.h"
#include "tests/support/TraceText.h"
#include "tests/support/WholeCut.h"

using namespace kinetoscope;
using namespace kinetoscope::trace;
using namespace kinetoscope::test::perfetto;
using test::importText;
using test::Proto;

namespace {

constexpr std::int64_t kSequenceClock = 64;

Proto counterTrack(std::int64_t uuid, std::int64_t parent, std::string_view name,
                   const Proto& about = {}) {
    return Proto().message(
        60, Proto().number(1, uuid).text(2, name).number(5, parent).message(8, about));
}

Proto sample(std::int64_t track, std::int64_t value) {
    return slice(CounterEvent, track).number(30, value);
}

// Sets a clock of sequence 1 that counts from packet to packet.
Proto startOfClock(const Proto& snapshot) {
    return packetAt(0)
        .number(13, 1)
        .message(6, snapshot)
        .message(59, Proto().number(58, kSequenceClock));
}

std::string slicesOf(const Trace& trace) {
    std::string text;
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        text += std::string(trace.name(slice)) + " " + std::to_string(trace.start(slice)) + "+" +
                std::to_string(trace.duration(slice)) + "; ";
    }
    return text;
}

}  // namespace

class PerfettoTracksTest final : public QObject {
    Q_OBJECT

private slots:
    void everyPacketMovesItsClockOn();
    void snapshotsWithoutBoottimeAreChained();
    void unixTimeOfALaterSnapshot();
    void sliceWithoutLengthInAnother();
    void countersOfOneNameStayApart();
    void groupsAreNotCalledAfterProcesses();
    void longNamesOfParentsAreCut();
    void clearedStateStartsCountersAgain();
    void correlationsOfProcessesStayApart();
    void correlationsOfProcessesThatLaunchNothing();
    void fileWithoutAnyPacketIsRefused();
    void anyBytesEndInATraceOrAMessage();
};

void PerfettoTracksTest::everyPacketMovesItsClockOn() {
    Packets packets;
    packets.add(startOfClock(Proto()
                                 .message(1, clockOf(6, 1'000))
                                 .message(1, clockOf(kSequenceClock, 1'000).number(3, 1))));
    packets.add(threadTrack(1, 10, 11, "main"));
    packets.add(packetAt(1'000).message(11, slice(BeginEvent, 1, "step")));
    packets.add(packetAt(4'000).message(60, Proto().number(1, 2).number(5, 1).text(2, "more")));
    packets.add(packetAt(0).message(11, slice(InstantEvent, 2, "on a new track")));
    packets.add(packetAt(500));
    packets.add(packetAt(500).message(11, slice(EndEvent, 1)));
    const auto trace = packets.trace();
    QVERIFY(trace);
    QCOMPARE(slicesOf(*trace), "step 1000+5000; ");
    QCOMPARE(trace->instants()[0].time, 5'000);
    QVERIFY(trace->log().empty());
}

void PerfettoTracksTest::snapshotsWithoutBoottimeAreChained() {
    Packets packets;
    packets.add(packetAt(0, 9).message(
        6, Proto().message(1, clockOf(6, 50'000)).message(1, clockOf(3, 20'000))));
    packets.add(startOfClock(Proto()
                                 .message(1, clockOf(3, 21'000))
                                 .message(1, clockOf(kSequenceClock, 7).number(3, 1))));
    packets.add(packetAt(100).message(11, slice(InstantEvent, 4, "by the chain")));
    packets.add(packetAt(52'000).number(58, 6).message(11, slice(InstantEvent, 4, "boot")));
    const auto trace = packets.trace();
    QVERIFY(trace);
    QCOMPARE(trace->instants()[0].time, 1'100);
    QCOMPARE(trace->instants()[1].time, 2'000);
}

void PerfettoTracksTest::unixTimeOfALaterSnapshot() {
    Packets packets;
    packets.add(packetAt(5'000).message(6, Proto().message(1, clockOf(6, 5'000))));
    packets.add(packetAt(6'000).message(
        6, Proto().message(1, clockOf(6, 6'000)).message(1, clockOf(1, 1'000'000))));
    packets.add(packetAt(7'000).message(11, slice(InstantEvent, 4, "here")));
    const auto trace = packets.trace();
    QVERIFY(trace);
    QCOMPARE(trace->info().baseTimeNs.value(), 999'000);
    QCOMPARE(trace->instants()[0].time, 2'000);
}

void PerfettoTracksTest::sliceWithoutLengthInAnother() {
    Packets packets;
    packets.sliceAt(900, 1'000, 3, "late");  // not in order
    packets.add(packetAt(50).message(11, slice(BeginEvent, 3, "around")));
    for (const std::string_view name : {"outer", "inner"}) {
        packets.add(packetAt(100).message(11, slice(BeginEvent, 3, name)));
    }
    for (const std::uint64_t time : {100U, 100U, 600U}) {
        packets.add(packetAt(time).message(11, slice(EndEvent, 3)));
    }
    const auto trace = packets.trace();
    QVERIFY(trace);
    QCOMPARE(slicesOf(*trace), "around 0+550; outer 50+0; inner 50+0; late 850+100; ");
}

void PerfettoTracksTest::countersOfOneNameStayApart() {
    Packets packets;
    packets.add(threadTrack(1, 10, 11, "A")).add(threadTrack(2, 10, 12, "B"));
    packets.add(counterTrack(21, 1, "queue depth")).add(counterTrack(22, 2, "queue depth"));
    packets.add(counterTrack(23, 2, "queue depth")).add(counterTrack(24, 2, "other"));
    for (const std::int64_t track : {21, 22, 23, 24}) {
        packets.add(packetAt(100).message(11, sample(track, track)));
    }
    QTemporaryDir folder;
    const std::string path = folder.filePath("run.pftrace").toStdString();
    std::ofstream(path, std::ios::binary) << packets.bytes();
    const auto trace = import::loadTrace(path);
    QVERIFY(trace);
    std::string found;
    std::string worded;
    for (const CounterSample& counter : (*trace)->counters()) {
        found += (*trace)->rowIdText((*trace)->tracks()[counter.track].tid) + "; ";
        const auto text = (*trace)->eventText()->event(counter.offset);
        QVERIFY(text);
        worded += (*json::parseJson(*text))["name"].get<std::string>() + "; ";
    }
    QCOMPARE(found, "queue depth (A); queue depth (B); queue depth (B 23); other; ");
    QCOMPARE(worded, found);
}

void PerfettoTracksTest::groupsAreNotCalledAfterProcesses() {
    Packets packets;
    packets.add(packetAt(0).message(
        60, Proto().number(1, 10).message(3, Proto().number(1, 0).text(6, "python"))));
    packets.add(packetAt(0).message(60, Proto().number(1, 30).text(2, "Spans")));
    packets.add(packetAt(0).message(60, Proto().number(1, 31).number(5, 30).text(2, "row")));
    packets.sliceAt(100, 200, 31, "in a group").sliceAt(100, 200, 10, "in a process");
    const auto trace = packets.trace();
    QVERIFY(trace);
    for (const Process& process : trace->processes()) {
        QCOMPARE(trace->rowIdText(process.pid), process.pid.isText ? "Spans" : "0");
        QCOMPARE(trace->text(process.name), process.pid.isText ? "" : "python");
    }
    QCOMPARE(trace->processes().size(), 2U);
}

void PerfettoTracksTest::longNamesOfParentsAreCut() {
    std::string longName = "x";
    while (longName.size() < 1'000) {
        longName += "é";
    }
    Packets packets;
    packets.add(threadTrack(1, 10, 11, longName)).add(threadTrack(2, 10, 12, "B"));
    for (const std::int64_t track : {21, 22, 23}) {
        packets.add(counterTrack(track, track == 23 ? 2 : 1, "load"));
        packets.add(packetAt(100).message(11, sample(track, track)));
    }
    packets.sliceAt(100, 200, 1, "whole");
    const auto trace = packets.trace();
    QVERIFY(trace);
    std::string found;
    for (const CounterSample& counter : trace->counters()) {
        found += trace->rowIdText(trace->tracks()[counter.track].tid) + "; ";
    }
    const std::string begin = longName.substr(0, 199) + "…";
    QCOMPARE(found, "load (" + begin + "); load (" + begin + " 22); load (B); ");
    QCOMPARE(trace->text(trace->tracks()[trace->trackOf(0)].name), longName);
}

void PerfettoTracksTest::clearedStateStartsCountersAgain() {
    Packets packets;
    packets.add(counterTrack(9, 0, "count", Proto().number(5, 1)));
    packets.add(packetAt(100).number(13, 1).message(11, sample(9, 5)));
    packets.add(packetAt(200).message(11, sample(9, 5)));
    packets.add(packetAt(250, 2).number(13, 1));  // of another sequence
    packets.add(packetAt(260).message(11, sample(9, 1)));
    packets.add(packetAt(300).number(13, 1).message(11, sample(9, 12)));
    const auto trace = packets.trace();
    QVERIFY(trace);
    std::vector<double> values;
    for (const CounterSample& counter : trace->counters()) {
        values.push_back(counter.value);
    }
    QCOMPARE(values, (std::vector<double>{5, 10, 11, 12}));
}

// The numbers of rocprofv3 count the calls of one process.
void PerfettoTracksTest::correlationsOfProcessesStayApart() {
    Packets packets;
    const auto add = [&](std::uint64_t time, const Proto& begin, std::int64_t track) {
        packets.add(packetAt(time).message(11, begin));
        packets.add(packetAt(time + 40).message(11, slice(EndEvent, track)));
    };
    const auto numbered = [](std::int64_t track, std::string_view name, std::string_view category) {
        return slice(BeginEvent, track, name, category).message(4, annotation("corr_id", 1));
    };
    for (const std::int64_t process : {1, 2}) {
        packets.add(Proto().message(
            60, Proto().number(1, process).message(3, Proto().number(1, 100 * process))));
        packets.add(threadTrack(10 + process, 100 * process, 101, "main"));
        packets.add(Proto().message(60, Proto()
                                            .number(1, 20 + process)
                                            .number(5, process)
                                            .text(2, "COMPUTE AGENT [4] STREAM [1] (GPU)")));
    }
    add(0, numbered(11, "launch A", "hip_api"), 11);
    add(50, numbered(12, "launch B", "hip_api"), 12);
    add(200, numbered(21, "A", "kernel_dispatch"), 21);
    add(300, numbered(22, "B", "kernel_dispatch"), 22);
    // Flows are numbered across processes.
    add(400, slice(BeginEvent, 11, "launch C", "hip_api").fixed(47, 7), 11);
    add(500, slice(BeginEvent, 22, "C", "kernel_dispatch").fixed(47, 7), 22);
    QTemporaryDir folder;
    const std::string path = folder.filePath("run.pftrace").toStdString();
    std::ofstream(path, std::ios::binary) << packets.bytes();
    const auto launches = [](const Trace& trace) {
        std::string found;
        const query::LaunchLinks links(trace);
        for (std::size_t i = 0; i < trace.gpuOperations().size(); ++i) {
            const SliceId call = links.apiCall(static_cast<std::uint32_t>(i));
            found += std::string(trace.name(trace.gpuOperations()[i].slice)) + " by " +
                     (call == kNoSlice ? "none" : std::string(trace.name(call))) + "; ";
        }
        return found;
    };
    const auto trace = import::loadTrace(path);
    QVERIFY(trace);
    QCOMPARE(launches(**trace), "A by launch A; B by launch B; C by launch C; ");
    const auto again = test::readWholeCut(**trace);
    QCOMPARE(launches(*again), "A by launch A; B by launch B; C by launch C; ");
}

// Rows of GPUs that stand in a process of their own.
void PerfettoTracksTest::correlationsOfProcessesThatLaunchNothing() {
    Packets packets;
    packets.add(threadTrack(11, 100, 101, "main")).add(threadTrack(12, 200, 201, "main"));
    packets.add(threadTrack(21, 300, 301, "COMPUTE AGENT [4] STREAM [1] (GPU)"));
    for (const std::int64_t call : {11, 12}) {
        packets.add(packetAt(100).message(
            11,
            slice(BeginEvent, call, "launch", "hip_api").message(4, annotation("corr_id", call))));
        packets.add(packetAt(140).message(11, slice(EndEvent, call)));
        packets.add(packetAt(static_cast<std::uint64_t>(100 * call))
                        .message(11, slice(BeginEvent, 21, "kernel", "kernel_dispatch")
                                         .message(4, annotation("corr_id", call))));
        packets.add(
            packetAt(static_cast<std::uint64_t>(100 * call + 40)).message(11, slice(EndEvent, 21)));
    }
    const auto trace = packets.trace();
    QVERIFY(trace);
    QCOMPARE(trace->gpuOperations().size(), 2U);
    QVERIFY(query::LaunchLinks(*trace).apiCall(0) != kNoSlice);
    QVERIFY(query::LaunchLinks(*trace).apiCall(1) != kNoSlice);
}

void PerfettoTracksTest::fileWithoutAnyPacketIsRefused() {
    const std::string whole =
        Packets().add(packetAt(5).message(11, slice(InstantEvent, 4, "cut"))).bytes();
    const std::string unpackable = Packets().add(packetAt(5).text(50, "no deflate")).bytes();
    for (const std::string& bytes : {whole.substr(0, whole.size() - 2), unpackable}) {
        const auto trace = importText(bytes);
        QVERIFY(!trace);
        QVERIFY2(trace.error().message.find("no packet can be read") != std::string::npos,
                 trace.error().message.c_str());
    }
    Packets others;
    others.add(Proto().number(10, 1).message(89, Proto().number(1, 1'234)));
    const auto empty = importText(others.bytes());
    QVERIFY(empty);
    QCOMPARE((*empty)->sliceCount(), 0U);
}

void PerfettoTracksTest::anyBytesEndInATraceOrAMessage() {
    Packets packets;
    packets.add(startOfClock(
        Proto().message(1, clockOf(6, 1'000)).message(1, clockOf(kSequenceClock, 7).number(3, 1))));
    packets.add(startOfClock(Proto().message(1, clockOf(kSequenceClock, 9).number(4, 1'000))));
    for (const std::int64_t track : {1, 2}) {
        packets.add(threadTrack(track, track, 11, "main"));
        packets.add(counterTrack(20 + track, track, "count", Proto().number(5, 1)));
        packets.add(packetAt(5).message(11, sample(20 + track, 3)));
        for (const auto& [name, category] :
             {std::pair("launch", "hip_api"), {"kernel", "kernel_dispatch"}}) {
            packets.add(packetAt(50).number(58, 6).message(
                11, slice(BeginEvent, track, name, category).message(4, annotation("corr_id", 1))));
        }
        for (const std::uint64_t time : {50U, 20U}) {
            packets.add(packetAt(time).number(58, 6).message(11, slice(EndEvent, track)));
        }
    }
    test::Mutator mutator(20261127);
    std::size_t read = 0;
    const std::size_t count = test::mutations(400);
    for (std::size_t round = 0; round < count; ++round) {
        const auto trace = importText(mutator.bytes(packets.bytes()), 4096);
        read += trace ? 1U : 0U;
        QVERIFY(trace ? (*trace)->log().skipped <= (*trace)->log().events
                      : !trace.error().message.empty());
    }
    QVERIFY(read > 100);
}

QTEST_APPLESS_MAIN(PerfettoTracksTest)
#include "PerfettoTracksTest.moc"
