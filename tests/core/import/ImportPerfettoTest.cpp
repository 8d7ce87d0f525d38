// SPDX-License-Identifier: Apache-2.0
// Perfetto's packets: what its SDK, rocprofv3 and PyTorch write, in any order, interned, compressed
// and damaged.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <ranges>

#include "core/cut/Cut.h"
#include "core/import/perfetto/Pairing.h"
#include "core/json/Json.h"
#include "core/query/LaunchFlow.h"
#include "core/query/LaunchLinks.h"
#include "tests/core/import/PerfettoFixture.h"
#include "tests/support/Deflated.h"
#include "tests/support/MemoryFiles.h"
#include "tests/support/Mutator.h"
#include "tests/support/TraceText.h"
#include "tests/support/WholeCut.h"

using namespace kinetoscope;
using namespace kinetoscope::trace;
using namespace kinetoscope::test::perfetto;
using test::importText;
using test::Proto;

class ImportPerfettoTest final : public QObject {
    Q_OBJECT

private slots:
    void beginsAndEndsInAnyOrderNest();
    void namesAreInterned();
    void clearedStateForgetsNames();
    void eventsAreWordedByTheNamesOfTheirTime();
    void namesThatAreNotUtf8();
    void packetsOfTwoKindsAreOne();
    void flowsJoinEvents();
    void lostStateIsCounted();
    void clocksAreBroughtTogether();
    void tracksOfThreadsAndProcesses();
    void countersAndInstants();
    void rocprofsKernelsAndCalls();
    void rocprofSysJoinsByFlows();
    void stagesOfGpusAsPyTorchWritesThem();
    void compressedPackets();
    void olderWritersThreads();
    void endsAtTheTimeOfBeginnings();
    void damagedPacketsAreSkipped();
    void eventsAreWordedAndCut();
    void anyBytesEndInATraceOrAMessage();
};

namespace {

// Of the packets as a file; what its event says beside it.
std::pair<std::shared_ptr<const Trace>, nlohmann::json> firstInstant(const Packets& packets) {
    const test::MemoryFile file(packets.bytes());
    const auto trace = import::loadTrace(file.path()).value();
    const auto event = trace->eventText()->event(trace->instants()[0].offset).value();
    return {trace, json::parseJson(event).value()};
}

}  // namespace

void ImportPerfettoTest::beginsAndEndsInAnyOrderNest() {
    Packets packets;
    packets.add(packetAt(400).message(11, slice(EndEvent, 9)));
    packets.add(packetAt(100).message(11, slice(BeginEvent, 9, "outer", "cpu_op")));
    packets.add(packetAt(300).message(11, slice(EndEvent, 9)));
    packets.add(packetAt(200).message(11, slice(BeginEvent, 9, "inner", "made up")));
    packets.add(packetAt(500).message(11, slice(EndEvent, 9)));
    packets.add(packetAt(150).message(11, slice(BeginEvent, 8, "open")));
    const auto trace = packets.trace();
    QVERIFY(trace);
    QCOMPARE(trace->info().format, "Perfetto");
    QCOMPARE(trace->sliceCount(), 3U);
    QCOMPARE(trace->name(0), "outer");
    QCOMPARE(trace->start(0), 0);
    QCOMPARE(trace->duration(0), 300);
    QCOMPARE(trace->category(0), Category::CpuOp);
    QCOMPARE(trace->name(1), "inner");
    QCOMPARE(trace->start(1), 100);
    QCOMPARE(trace->duration(1), 100);
    QCOMPARE(trace->categoryText(trace->categoryId(1)), "made up");
    QCOMPARE(trace->end(2), 400);  // to the last edge
    QCOMPARE(trace->log().find("unmatched_end")->count, 1U);
    QCOMPARE(trace->log().find("unfinished_begin")->count, 1U);
    QCOMPARE(trace->log().events, 6U);
}

void ImportPerfettoTest::namesAreInterned() {
    const auto trace = pytorch().trace();
    QVERIFY(trace);
    QCOMPARE(trace->name(0), "cudaLaunchKernel");
    QCOMPARE(trace->category(0), Category::Runtime);
    QCOMPARE(trace->correlation(0), 33);
    QCOMPARE(trace->externalId(0), 5);
    QCOMPARE(trace->duration(0), 100);
}

void ImportPerfettoTest::clearedStateForgetsNames() {
    const auto named = [](std::string_view name) {
        return Proto().message(2, Proto().number(1, 1).text(2, name));
    };
    const Proto event = Proto().number(9, InstantEvent).number(11, 4).number(10, 1);
    Packets packets;
    packets.add(packetAt(1).number(13, 1).message(12, named("one")).message(11, event));
    packets.add(packetAt(2).number(13, 1).message(11, event));
    packets.add(packetAt(3).message(12, named("two")).message(11, event));
    packets.add(packetAt(4, 2).number(13, 1).message(11, event));
    const auto trace = packets.trace();
    QVERIFY(trace);
    QCOMPARE(trace->instants().size(), 4U);
    QCOMPARE(trace->text(trace->instants()[0].name), "one");
    QCOMPARE(trace->text(trace->instants()[1].name), "");
    QCOMPARE(trace->text(trace->instants()[2].name), "two");
    QCOMPARE(trace->text(trace->instants()[3].name), "");  // another sequence
}

// The event says what the slice is called, also where bytes are missing from a letter.
void ImportPerfettoTest::namesThatAreNotUtf8() {
    Packets packets;
    packets.add(packetAt(1).message(11, slice(InstantEvent, 4, "a\xea\xaf\xe3 b")));
    const auto [trace, event] = firstInstant(packets);
    QCOMPARE(trace->text(trace->instants()[0].name), "a\ufffd\ufffd\ufffd b");
    QCOMPARE(event["name"], "a\ufffd\ufffd\ufffd b");
}

// Damaged ones, for the events of a packet exclude each other.
void ImportPerfettoTest::packetsOfTwoKindsAreOne() {
    Packets packets;
    packets.add(packetAt(1)
                    .message(11, slice(InstantEvent, 4, "here"))
                    .message(52, Proto().message(2, Proto().number(1, 1).number(2, 5))));
    const auto [trace, event] = firstInstant(packets);
    QCOMPARE(trace->counters().size(), 0U);
    QCOMPARE(event["name"], "here");
    QCOMPARE(event["ph"], "i");
}

// A number gets another text behind a clearing; the events before keep theirs.
void ImportPerfettoTest::eventsAreWordedByTheNamesOfTheirTime() {
    const auto interned = [](std::string_view name, std::string_view key) {
        return Proto()
            .message(2, Proto().number(1, 1).text(2, name))
            .message(3, Proto().number(1, 1).text(2, key));
    };
    const Proto event =
        slice(InstantEvent, 4).number(10, 1).message(4, Proto().number(1, 1).number(4, 7));
    Packets packets;
    for (const auto& [time, name, key] : {std::tuple(1, "one", "first"),
                                          {2, "two", "second"},
                                          {3, "two", "second"},
                                          {4, "three", "third"}}) {
        packets.add(packetAt(static_cast<std::uint64_t>(time))
                        .number(13, 1)
                        .message(12, interned(name, key))
                        .message(11, event));
    }
    const test::MemoryFile file(packets.bytes());
    const auto trace = import::loadTrace(file.path());
    QVERIFY(trace);
    QCOMPARE((*trace)->instants().size(), 4U);
    const auto worded = [&](std::size_t instant) {
        const auto text = (*trace)->eventText()->event((*trace)->instants()[instant].offset);
        const auto json = text ? json::parseJson(*text) : tl::unexpected(text.error());
        return json ? (*json)["name"].dump() + (*json)["args"].dump() : json.error().message;
    };
    QCOMPARE(worded(0), R"("one"{"first":7})");
    QCOMPARE(worded(1), R"("two"{"second":7})");
    QCOMPARE(worded(2), R"("two"{"second":7})");
    QCOMPARE(worded(3), R"("three"{"third":7})");
}

void ImportPerfettoTest::flowsJoinEvents() {
    constexpr std::uint64_t kFirst = 0xfedcba9876543210;
    const auto begin = [](std::int64_t track, std::string_view name) {
        return slice(BeginEvent, track, name);
    };
    Packets packets;
    // In the order of the file the end of an arrow comes first.
    packets.add(packetAt(300).message(11, begin(8, "taken").fixed(48, kFirst)));
    packets.add(packetAt(400).message(11, slice(EndEvent, 8)));
    packets.add(packetAt(100).message(11, begin(7, "sent").fixed(47, kFirst).number(36, 5)));
    packets.add(packetAt(200).message(11, slice(EndEvent, 7)));
    packets.add(packetAt(250).message(11, slice(InstantEvent, 9, "passed on").fixed(47, kFirst)));
    // The number again, behind the end; an old field; one that leads to nothing.
    packets.add(packetAt(500).message(11, begin(7, "sent again").fixed(47, kFirst)));
    packets.add(packetAt(600).message(11, slice(EndEvent, 7)));
    packets.add(packetAt(700).message(11, begin(8, "taken again").fixed(47, kFirst).number(42, 5)));
    packets.add(packetAt(800).message(11, slice(EndEvent, 8)));
    packets.add(packetAt(900).message(11, slice(InstantEvent, 8, "alone").fixed(47, 99)));
    // A launch, which its correlation tells.
    for (const std::int64_t track : {7, 8}) {
        packets.add(packetAt(950).message(11, slice(InstantEvent, track)
                                                  .number(9, BeginEvent)
                                                  .message(4, annotation("corr_id", 12))
                                                  .fixed(47, 12)));
        packets.add(packetAt(960).message(11, slice(EndEvent, track)));
    }
    const auto trace = packets.trace();
    QVERIFY(trace);
    std::string found;
    for (const FlowPoint& flow : trace->flows()) {
        found += std::to_string(flow.id) + flow.phase + std::to_string(flow.time) + " ";
    }
    QCOMPARE(found, "1s0 1f600 2s0 2t150 2f200 3s400 3f600 ");
    QCOMPARE(trace->text(trace->flows()[0].name), "flow");
    QCOMPARE(trace->counts().launchFlows, 2U);
    query::LaneIndex index(trace);
    const auto sent = std::ranges::find_if(std::views::iota(SliceId{0}, SliceId{6}),
                                           [&](SliceId one) { return trace->name(one) == "sent"; });
    const auto arrows = query::arrowsOf(index, *sent);
    QCOMPARE(arrows.size(), 2U);
    QCOMPARE(trace->name(arrows[0].to), "taken");
    QCOMPARE(trace->name(arrows[1].to), "taken again");
}

void ImportPerfettoTest::lostStateIsCounted() {
    const Proto event = slice(InstantEvent, 4, "a");
    Packets packets;
    packets.add(packetAt(1).number(13, 2).message(11, event));
    packets.add(packetAt(2).number(13, 1).message(11, event));
    packets.add(packetAt(3).number(13, 2).message(11, event));
    packets.add(packetAt(4).number(13, 2).number(42, 1).message(11, event));
    const auto trace = packets.trace();
    QVERIFY(trace);
    QCOMPARE(trace->instants().size(), 2U);
    QCOMPARE(trace->log().find("lost_state")->count, 2U);
    QCOMPARE(trace->log().skipped, 2U);
}

void ImportPerfettoTest::clocksAreBroughtTogether() {
    Packets packets;
    // MONOTONIC is 1000 behind; clock 64 of sequence 1 counts microseconds since its last packet.
    packets.add(
        packetAt(5'000).message(6, Proto()
                                       .message(1, clockOf(6, 5'000))
                                       .message(1, clockOf(3, 4'000))
                                       .message(1, clockOf(1, 1'000'000'000'000))
                                       .message(1, clockOf(64, 9).number(3, 1).number(4, 1'000))));
    packets.add(packetAt(6'000).message(11, slice(InstantEvent, 4, "boot")));
    packets.add(packetAt(6'500).number(58, 3).message(11, slice(InstantEvent, 4, "monotonic")));
    packets.add(packetAt(2).number(58, 64).message(11, slice(InstantEvent, 4, "first")));
    packets.add(Proto().number(8, 0).number(10, 1).message(59, Proto().number(58, 64)));
    packets.add(packetAt(3).message(11, slice(InstantEvent, 4, "second")));
    const auto trace = packets.trace();
    QVERIFY(trace);
    QCOMPARE(trace->instants().size(), 4U);
    QCOMPARE(trace->instants()[0].time, 1'000);
    QCOMPARE(trace->instants()[1].time, 2'500);
    QCOMPARE(trace->instants()[2].time, 2'000);
    QCOMPARE(trace->instants()[3].time, 5'000);
    QCOMPARE(trace->info().baseTimeNs.value(), 1'000'000'000'000);
}

void ImportPerfettoTest::tracksOfThreadsAndProcesses() {
    Packets packets;
    packets.add(Proto().message(
        60, Proto().number(1, 10).message(3, Proto().number(1, 4711).text(6, "trainer"))));
    packets.sliceAt(1, 2, 20, "on a thread")
        .sliceAt(1, 2, 30, "named")
        .sliceAt(1, 2, 77, "unknown");
    packets.sliceAt(1, 2, 40, "beside the thread");
    packets.add(threadTrack(20, 4711, 4712, "main"));  // behind its events
    packets.add(Proto().message(60, Proto().number(1, 30).number(5, 10).text(2, "requests")));
    packets.add(Proto().message(60, Proto().number(1, 40).number(5, 20).text(2, "more")));
    const auto trace = packets.trace();
    QVERIFY(trace);
    const auto row = [&](SliceId slice) { return trace->tracks()[trace->trackOf(slice)]; };
    QCOMPARE(trace->processes()[row(0).process].pid.value, 4711);
    QCOMPARE(trace->text(trace->processes()[row(0).process].name), "trainer");
    QCOMPARE(row(0).tid.value, 4712);
    QCOMPARE(trace->text(row(0).name), "main");
    QCOMPARE(trace->processes()[row(1).process].pid.value, 4711);
    QCOMPARE(trace->text(row(1).name), "requests");
    QVERIFY(trace->processes()[row(2).process].pid.isText);
    QCOMPARE(trace->trackOf(3), trace->trackOf(0));
}

void ImportPerfettoTest::countersAndInstants() {
    Packets packets;
    const auto counter = [](std::int64_t uuid, std::string_view name, const Proto& about) {
        return Proto().message(60, Proto().number(1, uuid).text(2, name).message(8, about));
    };
    packets.add(counter(5, "bytes", Proto().number(4, 1024)));
    packets.add(counter(6, "sum", Proto().number(5, 1)));
    packets.add(packetAt(10).message(11, slice(CounterEvent, 5).number(30, 3)));
    packets.add(packetAt(20).message(11, slice(CounterEvent, 5).real(44, 0.5)));
    packets.add(packetAt(10).message(11, slice(CounterEvent, 6).number(30, 7)));
    packets.add(packetAt(20).message(11, slice(CounterEvent, 6).number(30, -2)));
    packets.add(packetAt(12).message(11, slice(CounterEvent, 6).real(44, NAN)));
    packets.add(packetAt(30).message(11, slice(CounterEvent, 6)));
    packets.add(packetAt(30).message(11, slice(InstantEvent, 9, "here")));
    const auto trace = packets.trace();
    QVERIFY(trace);
    QCOMPARE(trace->counters().size(), 4U);
    QCOMPARE(trace->counters()[0].value, 3072.0);
    QCOMPARE(trace->counters()[1].value, 512.0);
    QCOMPARE(trace->counters()[3].value, 5.0);
    const Track& row = trace->tracks()[trace->counters()[0].track];
    QVERIFY(row.kind == TrackKind::Counter);
    QCOMPARE(trace->rowIdText(row.tid), "bytes");
    QCOMPARE(trace->log().find("counter_without_value")->count, 2U);
    QCOMPARE(trace->log().skipped, 2U);
    QCOMPARE(trace->instants()[0].time, 20);
}

void ImportPerfettoTest::rocprofsKernelsAndCalls() {
    Packets packets;
    const auto named = [](std::int64_t uuid, std::string_view name) {
        return Proto().number(79, 900).message(60, Proto().number(1, uuid).text(2, name));
    };
    packets.add(named(1, "THREAD 1 (901)"));
    packets.add(named(2, "COMPUTE AGENT [4] STREAM [3] (GPU)"));
    packets.add(named(3, "COPY to AGENT [5] STREAM [0] (GPU)"));
    Proto call =
        slice(BeginEvent, 1, "hipLaunchKernel", "hip_api").message(4, annotation("corr_id", 12));
    packets.add(packetAt(100).message(11, call)).add(packetAt(150).message(11, slice(EndEvent, 1)));
    Proto kernel = slice(BeginEvent, 2, "axpy(float*)", "kernel_dispatch");
    kernel.message(4, annotation("corr_id", 12)).message(4, annotation("group_segment_size", 64));
    packets.add(packetAt(200).message(11, kernel))
        .add(packetAt(230).message(11, slice(EndEvent, 2)));
    Proto copy = slice(BeginEvent, 3, "MEMORY_COPY_HOST_TO_DEVICE", "memory_copy");
    copy.message(4, annotation("copy_bytes", 1 << 20));
    packets.add(packetAt(160).message(11, copy)).add(packetAt(190).message(11, slice(EndEvent, 3)));
    const auto trace = packets.trace();
    QVERIFY(trace);
    QCOMPARE(trace->category(0), Category::Runtime);
    QCOMPARE(trace->correlation(0), 12);
    const auto operations = trace->gpuOperations();
    QCOMPARE(operations.size(), 2U);
    QCOMPARE(operations[0].gpu, 4);
    QCOMPARE(operations[0].stream, 3);
    QCOMPARE(operations[0].sharedBytes, 64U);
    QCOMPARE(trace->correlation(operations[0].slice), 12);
    QCOMPARE(trace->category(operations[0].slice), Category::Kernel);
    QCOMPARE(operations[1].gpu, 5);
    QCOMPARE(operations[1].bytes, 1U << 20U);
    const Track& row = trace->tracks()[trace->trackOf(operations[0].slice)];
    QCOMPARE(trace->processes()[row.process].pid.value, 4);
    QCOMPARE(trace->processes()[trace->tracks()[trace->trackOf(0)].process].pid.value, 900);
}

void ImportPerfettoTest::rocprofSysJoinsByFlows() {
    Packets packets;
    const auto named = [](std::int64_t uuid, std::string_view name) {
        return Proto().number(79, 900).message(60, Proto().number(1, uuid).text(2, name));
    };
    packets.add(threadTrack(1, 900, 901, "main"));
    packets.add(named(2, "GPU Kernel Dispatch [1] Queue 3"));
    packets.add(named(3, "GPU Memory Copy to Agent [2] Thread 0"));
    packets.add(packetAt(100).message(
        11, slice(BeginEvent, 1, "hipLaunchKernel", "rocm_hip_api").fixed(47, 0xabcdef0123456789)));
    packets.add(packetAt(150).message(11, slice(EndEvent, 1)));
    packets.add(packetAt(200).message(
        11, slice(BeginEvent, 2, "gemm", "rocm_kernel_dispatch").fixed(47, 0xabcdef0123456789)));
    packets.add(packetAt(230).message(11, slice(EndEvent, 2)));
    packets.add(packetAt(240).message(11, slice(BeginEvent, 3, "copy", "rocm_memory_copy")
                                              .message(4, annotation("stream_id", 5))
                                              .message(4, annotation("bytes", 64))));
    packets.add(packetAt(250).message(11, slice(EndEvent, 3)));
    const auto trace = packets.trace();
    QVERIFY(trace);
    const auto operations = trace->gpuOperations();
    QCOMPARE(operations.size(), 2U);
    QVERIFY(operations[0].gpu == 1 && operations[0].stream == 3);
    QVERIFY(operations[1].gpu == 2 && operations[1].stream == 5 && operations[1].bytes == 64);
    QCOMPARE(trace->name(query::LaunchLinks(*trace).apiCall(0)), "hipLaunchKernel");
    QVERIFY(trace->flows().empty());
}

void ImportPerfettoTest::stagesOfGpusAsPyTorchWritesThem() {
    const auto trace = pytorch().trace();
    QVERIFY(trace);
    QCOMPARE(trace->info().baseTimeNs.value(), 1'700'000'000'000'000'000);
    QCOMPARE(trace->gpuOperations().size(), 2U);
    const GpuOperation& kernel = trace->gpuOperations()[0];
    QCOMPARE(trace->name(kernel.slice), "gemm<float>()");
    QCOMPARE(trace->start(kernel.slice), 300);
    QCOMPARE(trace->duration(kernel.slice), 50);
    QCOMPARE(trace->correlation(kernel.slice), 33);
    QCOMPARE(kernel.gpu, 3);
    QCOMPARE(kernel.stream, 7);
    QCOMPARE(kernel.grid, (std::array<std::uint32_t, 3>{8, 4, 1}));
    QCOMPARE(kernel.block, (std::array<std::uint16_t, 3>{256, 1, 1}));
    QCOMPARE(kernel.registers, 40);
    QCOMPARE(kernel.sharedBytes, 512U);
    const GpuOperation& copy = trace->gpuOperations()[1];
    QCOMPARE(trace->category(copy.slice), Category::GpuMemcpy);
    QCOMPARE(copy.bytes, 4096U);
    QCOMPARE(copy.stream, 7);
    QCOMPARE(trace->category(3), Category::GpuUserAnnotation);
    QCOMPARE(trace->name(3), "gemm");
    QVERIFY(trace->log().empty());
}

void ImportPerfettoTest::compressedPackets() {
    Packets inside;
    inside.sliceAt(100, 200, 4, "packed");
    const std::string packed = test::deflated(inside.bytes());
    Packets packets;
    packets.sliceAt(50, 60, 4, "plain");
    packets.add(Proto().text(50, packed))
        .add(Proto().text(50, packed.substr(0, packed.size() / 2)));
    packets.add(Proto().text(50, "no deflate"));
    const test::MemoryFile file(packets.bytes());
    const auto trace = import::loadTrace(file.path());
    QVERIFY(trace);
    QVERIFY((*trace)->sliceCount() >= 2);
    QCOMPARE((*trace)->name(1), "packed");
    QCOMPARE((*trace)->duration(1), 100);
    // The cut one has a part that is read, and which ends inside of a packet.
    QVERIFY((*trace)->log().find("malformed_event")->count >= 2);
    // Behind the text, where it is found again.
    QVERIFY((*trace)->offset(1) >= packets.bytes().size());
    const auto text = (*trace)->eventText()->event((*trace)->offset(1));
    QVERIFY2(text, text ? "" : text.error().message.c_str());
    QVERIFY(text->find("packed") != std::string::npos);
}

void ImportPerfettoTest::olderWritersThreads() {
    Packets packets;
    packets.add(Proto().number(10, 3).number(13, 1).message(
        44, Proto().number(1, 4711).number(2, 4713).number(6, 1'000)));
    packets.add(Proto().number(10, 3).message(
        11,
        Proto().number(1, 5).text(23, "whole").message(6, Proto().number(2, 'X').number(3, 7))));
    packets.add(Proto().number(10, 3).message(
        11, Proto().number(1, 5).text(23, "async").message(6, Proto().number(2, 'b'))));
    packets.add(Proto().number(10, 3).message(
        11,
        Proto()
            .number(1, 5)
            .text(23, "other thread")
            .message(6, Proto().number(2, 'X').number(3, 7).number(18, 5000).number(19, 5001))));
    const auto trace = packets.trace();
    QVERIFY(trace);
    QCOMPARE(trace->sliceCount(), 2U);
    QCOMPARE(trace->name(0), "whole");
    QCOMPARE(trace->duration(0), 7'000);
    const auto row = [&](SliceId slice) { return trace->tracks()[trace->trackOf(slice)]; };
    QCOMPARE(row(0).tid.value, 4713);
    QCOMPARE(trace->name(1), "other thread");
    QCOMPARE(row(1).tid.value, 5001);
    QCOMPARE(trace->processes()[row(1).process].pid.value, 5000);
    QCOMPARE(trace->log().find("unknown_phase")->count, 1U);
}

void ImportPerfettoTest::endsAtTheTimeOfBeginnings() {
    using import::perfetto::Edge;
    const auto edgeAt = [](TimeNs time, std::uint32_t order, bool begin) {
        Edge edge;
        edge.time = time;
        edge.order = order;
        edge.begin = begin;
        edge.offset = order;
        return edge;
    };
    // All beginnings, then all ends, as a writer after the fact has them.
    std::vector<Edge> later{edgeAt(0, 0, true),   edgeAt(10, 1, true),  edgeAt(15, 2, true),
                            edgeAt(15, 3, false), edgeAt(10, 4, false), edgeAt(20, 5, false)};
    const auto pairs = import::perfetto::pairEdges(later).pairs;
    QCOMPARE(pairs.size(), 3U);
    QCOMPARE(pairs[0].end, 10);
    QCOMPARE(pairs[1].end, 20);
    QCOMPARE(pairs[2].end, 15);
    // In order: what takes no time, and what follows at once.
    std::vector<Edge> live{edgeAt(0, 0, true),  edgeAt(5, 1, true), edgeAt(5, 2, false),
                           edgeAt(9, 3, false), edgeAt(9, 4, true), edgeAt(12, 5, false)};
    const auto inOrder = import::perfetto::pairEdges(live).pairs;
    QCOMPARE(inOrder[0].end, 9);
    QCOMPARE(inOrder[1].end, 5);
    QCOMPARE(inOrder[2].end, 12);
}

void ImportPerfettoTest::damagedPacketsAreSkipped() {
    Packets before;
    before.sliceAt(1, 2, 4, "before").sliceAt(3, 4, 4, "before");
    Packets behind;
    behind.sliceAt(5, 6, 4, "behind").sliceAt(7, 8, 4, "behind");
    const auto noise = importText(before.bytes() + "\xff\xff\xff no packet" + behind.bytes());
    QVERIFY(noise);
    QCOMPARE((*noise)->sliceCount(), 4U);
    QCOMPARE((*noise)->log().find("malformed_event")->count, 1U);
    QCOMPARE((*noise)->log().find("malformed_event")->firstOffset, before.bytes().size());
    const auto cut =
        importText(std::string_view(before.bytes()).substr(0, before.bytes().size() - 3));
    QVERIFY(cut);
    QCOMPARE((*cut)->log().find("truncated_text")->count, 1U);
    QCOMPARE((*cut)->sliceCount(), 2U);
    Packets inner;
    inner.sliceAt(1, 2, 4, "good")
        .add(packetAt(9).text(11, "\x5a\x7f\x01"))
        .sliceAt(3, 4, 4, "good");
    const auto damaged = inner.trace();
    QVERIFY(damaged);
    QCOMPARE(damaged->sliceCount(), 2U);
    QCOMPARE(damaged->log().find("malformed_event")->count, 1U);
}

void ImportPerfettoTest::eventsAreWordedAndCut() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("run.pftrace").toStdString();
    std::ofstream(path, std::ios::binary) << pytorch().bytes();
    const auto trace = import::loadTrace(path);
    QVERIFY(trace);
    const SliceId kernel = (*trace)->gpuOperations()[0].slice;
    const auto text = (*trace)->eventText()->event((*trace)->offset(kernel));
    QVERIFY2(text, text ? "" : text.error().message.c_str());
    const auto worded = json::parseJsonObject(*text);
    QVERIFY2(worded, text->c_str());
    QCOMPARE((*worded)["cat"], "kernel");
    QCOMPARE((*worded)["args"]["correlation"], 33);
    QCOMPARE((*worded)["args"]["grid"][1], 4);
    const auto again = test::readWholeCut(**trace);
    QCOMPARE(again->sliceCount(), 4U);
    QCOMPARE(again->gpuOperations().size(), 2U);
    QCOMPARE(again->gpuOperations()[0].registers, 40);
    QCOMPARE(again->correlation(again->gpuOperations()[0].slice), 33);
}

void ImportPerfettoTest::anyBytesEndInATraceOrAMessage() {
    test::Mutator mutator(20261123);
    const std::string good = pytorch().bytes();
    std::size_t read = 0;
    const std::size_t count = test::mutations(400);
    for (std::size_t round = 0; round < count; ++round) {
        const auto trace = importText(mutator.bytes(good), 4096);
        if (trace) {
            ++read;
            QVERIFY((*trace)->log().skipped <= (*trace)->log().events);
        } else {
            QVERIFY(!trace.error().message.empty());
        }
    }
    QVERIFY(read > 100);
}

QTEST_APPLESS_MAIN(ImportPerfettoTest)
#include "ImportPerfettoTest.moc"
