// SPDX-License-Identifier: Apache-2.0
// What is read from Perfetto's packets is in a cut of them, too.
#include <fmt/format.h>

#include <QtTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/analysis/WindowScope.h"
#include "core/cut/Cut.h"
#include "tests/core/import/PerfettoFixture.h"
#include "tests/support/MemoryFiles.h"

using namespace kinetoscope;
using namespace kinetoscope::trace;
using namespace kinetoscope::test::perfetto;
using test::Proto;

namespace {

std::string cutOf(const std::string& bytes, const char* window = "trace") {
    const test::MemoryFile input(bytes);
    const auto trace = import::loadTrace(input.path());
    if (!trace) {
        return trace.error().message;
    }
    test::Pipe pipe;
    cut::CutOptions options;
    options.window = analysis::parseWindow(window).value();
    options.output = pipe.path();
    const auto summary = cut::cutTrace(**trace, options);
    const std::string written = pipe.content();
    return summary ? written : summary.error().message;
}

std::string rowOf(const Trace& trace, TrackId id) {
    const Track& track = trace.tracks()[id];
    return fmt::format("{}/{}", trace.rowIdText(trace.processes()[track.process].pid),
                       trace.rowIdText(track.tid));
}

using Describe = std::string (*)(const Trace& trace);

std::string slicesOf(const Trace& trace) {
    std::string text;
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        text += fmt::format("{} ({}) {} on {}; ", trace.name(slice),
                            trace.categoryText(trace.categoryId(slice)), trace.start(slice),
                            rowOf(trace, trace.trackIds()[slice]));
    }
    return text;
}

std::string countersOf(const Trace& trace) {
    std::string text;
    for (const CounterSample& sample : trace.counters()) {
        text += fmt::format("{}{} {}: {}; ", rowOf(trace, sample.track), trace.text(sample.series),
                            sample.time, sample.value);
    }
    return text;
}

std::string flowsOf(const Trace& trace) {
    std::string text;
    for (const FlowPoint& flow : trace.flows()) {
        text += fmt::format("{}{} {} ({}) {} on {}; ", flow.phase, flow.id, trace.text(flow.name),
                            trace.categoryText(flow.category), flow.time, rowOf(trace, flow.track));
    }
    return text;
}

std::string described(std::string_view text, Describe describe) {
    const auto trace = test::importText(text);
    return trace ? describe(**trace) : trace.error().message;
}

Proto spec(std::int64_t id, std::string_view text) {
    return Proto().number(1, id).text(2, text);
}

Proto counterTrack(std::int64_t uuid, std::string_view name, const Proto& about = {}) {
    return Proto().message(60, Proto().number(1, uuid).text(2, name).message(8, about));
}

Proto sample(std::int64_t track, std::int64_t value) {
    return slice(CounterEvent, track).number(30, value);
}

void addInterned(Packets& packets, std::uint64_t time) {
    packets.add(packetAt(time).message(11, slice(BeginEvent, 5).number(10, 1).number(3, 1)));
    packets.add(packetAt(time + 5).message(11, slice(EndEvent, 5)));
}

Packets withFlows() {
    Packets packets;
    packets.add(threadTrack(1, 100, 101, "A")).add(threadTrack(2, 100, 102, "B"));
    const auto add = [&](std::uint64_t time, const Proto& begin, std::int64_t track) {
        packets.add(packetAt(time).message(11, begin));
        packets.add(packetAt(time + 5).message(11, slice(EndEvent, track)));
    };
    add(10, slice(BeginEvent, 1, "a", "user").fixed(47, 78).fixed(47, 77), 1);
    add(20, slice(BeginEvent, 2, "b", "user").fixed(47, 77), 2);
    add(30, slice(BeginEvent, 1, "c", "user").fixed(48, 77), 1);
    add(40, slice(BeginEvent, 2, "d", "user").fixed(48, 78), 2);
    return packets;
}

}  // namespace

class PerfettoCutTest final : public QObject {
    Q_OBJECT

private slots:
    void idsMeanWhatTheyMeantAtTheirTime();
    void rowsAreThoseOfTheirTime();
    void countersAreAsRead();
    void countersOfGpusAreAsRead();
    void flowsAreKept();
    void flowsOutsideAreNot();
    void annotationsOfOneNameAreKept();
};

void PerfettoCutTest::idsMeanWhatTheyMeantAtTheirTime() {
    const auto told = [](std::string_view name, std::string_view category) {
        return Proto().number(10, 1).message(
            12, Proto().message(2, spec(1, name)).message(1, spec(1, category)));
    };
    const Proto cleared = Proto().number(10, 1).number(13, 1);
    Packets packets;
    packets.add(cleared).add(told("first", "cpu_op"));
    addInterned(packets, 10);
    packets.add(told("second", "kernel"));  // in one generation
    addInterned(packets, 20);
    packets.add(cleared);  // and not told again
    addInterned(packets, 30);
    packets.add(told("second", "kernel"));
    addInterned(packets, 40);
    packets.add(cleared).add(told("second", "kernel"));
    addInterned(packets, 50);
    const std::string read = described(packets.bytes(), slicesOf);
    QCOMPARE(read,
             "first (cpu_op) 0 on tracks/5; second (kernel) 10 on 0/5; "
             " () 20 on tracks/5; second (kernel) 30 on 0/5; second (kernel) 40 on 0/5; ");
    QCOMPARE(described(cutOf(packets.bytes()), slicesOf), read);
}

// The default track of a sequence may become another one.
void PerfettoCutTest::rowsAreThoseOfTheirTime() {
    const auto defaultTrack = [](std::int64_t uuid) {
        return Proto().number(10, 1).number(13, 1).message(
            59, Proto().message(11, Proto().number(11, uuid)));
    };
    const auto add = [](Packets& packets, std::uint64_t time, std::string_view name) {
        packets.add(packetAt(time).message(11, Proto().number(9, BeginEvent).text(23, name)));
        packets.add(packetAt(time + 5).message(11, Proto().number(9, EndEvent)));
    };
    Packets packets;
    packets.add(threadTrack(1, 100, 101, "A")).add(threadTrack(2, 100, 102, "B"));
    packets.add(defaultTrack(1));
    add(packets, 10, "a");
    packets.add(defaultTrack(2));
    add(packets, 20, "b");
    const std::string read = described(packets.bytes(), slicesOf);
    QCOMPARE(read, "a () 0 on 100/101; b () 10 on 100/102; ");
    QCOMPARE(described(cutOf(packets.bytes()), slicesOf), read);
}

void PerfettoCutTest::countersAreAsRead() {
    Packets packets;
    packets.add(threadTrack(1, 100, 101, "main"));
    packets.add(counterTrack(7, "sum", Proto().number(5, 1)));
    packets.add(counterTrack(8, "kilobytes", Proto().number(4, 1'000)));
    for (const std::int64_t value : {5, 6, 7}) {
        const auto time = static_cast<std::uint64_t>(10 * value);
        packets.add(packetAt(time).message(11, sample(7, value)));
        packets.add(packetAt(time).message(11, sample(8, value)));
    }
    packets.add(packetAt(90).message(11, sample(1, 3)));  // on a row of slices
    packets.add(packetAt(95).message(11, sample(9, 4)));  // on an unknown row
    packets.sliceAt(50, 60, 1, "op", "cpu_op");
    const std::string read = described(packets.bytes(), countersOf);
    QCOMPARE(read,
             "tracks/sum 0: 5; tracks/kilobytes 0: 5000; tracks/sum 10: 11; "
             "tracks/kilobytes 10: 6000; tracks/sum 20: 18; tracks/kilobytes 20: 7000; "
             "100/main (1) 40: 3; tracks/counter (9) 45: 4; ");
    QCOMPARE(described(cutOf(packets.bytes()), countersOf), read);
}

void PerfettoCutTest::countersOfGpusAreAsRead() {
    const auto value = [](std::int64_t counter, std::int64_t number) {
        return Proto().number(1, counter).number(2, number);
    };
    const Proto about = Proto().message(1, spec(1, "SM busy")).message(1, spec(2, "DRAM busy"));
    Packets packets;
    packets.add(packetAt(10).message(
        52,
        Proto().message(1, about).message(2, value(1, 42)).message(2, value(2, 7)).number(3, 1)));
    const Proto noNumber = Proto().number(1, 2).real(3, -INFINITY);
    packets.add(packetAt(20).message(
        52, Proto().message(2, value(1, 43)).message(2, noNumber).number(3, -1)));
    packets.sliceAt(10, 40, 5, "op", "cpu_op");
    const std::string read = described(packets.bytes(), countersOf);
    QCOMPARE(read, "1/SM busy 0: 42; 1/DRAM busy 0: 7; 0/SM busy 10: 43; ");
    QCOMPARE(described(cutOf(packets.bytes()), countersOf), read);
    // Details show a packet as one event.
    const test::MemoryFile file(packets.bytes());
    const auto trace = import::loadTrace(file.path());
    QVERIFY(trace);
    const auto text = (*trace)->eventText()->event((*trace)->counters()[0].offset);
    QVERIFY(text);
    QCOMPARE(*text, R"({"ph": "C", "name": "GPU counters", "pid": 1, "ts": 0.000, )"
                    R"("args": {"SM busy": 42, "DRAM busy": 7}})");
}

void PerfettoCutTest::flowsAreKept() {
    const std::string read = described(withFlows().bytes(), flowsOf);
    QCOMPARE(read,
             "s1 flow (flow) 0 on 100/101; t1 flow (flow) 10 on 100/102; "
             "f1 flow (flow) 20 on 100/101; s2 flow (flow) 0 on 100/101; "
             "f2 flow (flow) 30 on 100/102; ");
    QCOMPARE(described(cutOf(withFlows().bytes()), flowsOf), read);
}

// An arrow needs both of its ends.
void PerfettoCutTest::flowsOutsideAreNot() {
    QCOMPARE(described(cutOf(withFlows().bytes(), "0ns..22ns"), flowsOf),
             "s1 flow (flow) 0 on 100/101; t1 flow (flow) 10 on 100/102; "
             "f1 flow (flow) 20 on 100/101; ");
}

void PerfettoCutTest::annotationsOfOneNameAreKept() {
    const Proto twice =
        Proto().text(10, "both").message(11, annotation("in", 1)).message(11, annotation("in", 2));
    Packets packets;
    packets.add(packetAt(10).message(11, slice(BeginEvent, 5, "op", "cpu_op")
                                             .message(4, annotation("x", 1))
                                             .message(4, annotation("x (2)", 2))
                                             .message(4, annotation("x", 3))
                                             .message(4, twice)));
    packets.add(packetAt(20).message(11, slice(EndEvent, 5)));
    packets.add(packetAt(30).message(
        53, Proto().number(2, 5).message(6, extra("y", "1")).message(6, extra("y", "2"))));
    std::vector<std::string> arguments;
    const auto cut = nlohmann::ordered_json::parse(cutOf(packets.bytes()));
    for (const auto& event : cut["traceEvents"]) {
        if (event["ph"] == "X") {
            arguments.push_back(event["args"].dump());
        }
    }
    const std::vector<std::string> expected{
        R"json({"x":1,"x (2)":2,"x (3)":3,"both":{"in":1,"in (2)":2}})json",
        R"json({"device":0,"stream":0,"y":"1","y (2)":"2"})json"};
    QCOMPARE(arguments, expected);
}

QTEST_APPLESS_MAIN(PerfettoCutTest)
#include "PerfettoCutTest.moc"
