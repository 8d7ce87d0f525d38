// SPDX-License-Identifier: Apache-2.0
// Small files that speak of much: they take time and memory of their own size.
#include <fmt/format.h>
#include <sys/resource.h>

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "core/convert/KinetoWriter.h"
#include "core/cut/Cut.h"
#include "core/import/execution/ExecutionTrace.h"
#include "core/import/execution/JoinedTrace.h"
#include "core/import/load/LoadTrace.h"
#include "core/import/source/Expansion.h"
#include "tests/core/import/PerfettoFixture.h"
#include "tests/support/Deflated.h"
#include "tests/support/MemoryFiles.h"
#include "tests/support/ProtoBytes.h"
#include "tests/support/SampleCapture.h"
#include "tests/support/TraceText.h"
#include "tests/support/WholeCut.h"

using namespace kinetoscope;
using namespace kinetoscope::trace;
using test::Proto;

class ImportSizeTest final : public QObject {
    Q_OBJECT

private slots:
    void packetsThatAreNotCompressed();
    void packetsInsideOfPackets();
    void brokenFramesHaveNoText();
    void idsFarFromOthers();
    void treesOfManyLaunchesAndLongNames();
    void recordsOfOneLongName();
    void cutOfLinesOfALongPlane();
    void threadsOfALongPlaneInJson();
    void inputsOfOneIdAreReadOnce();
    void writtenEventsOfOneLongName();
};

namespace {

// The most that this process has had at once.
std::int64_t peakBytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * std::int64_t{1024};
}

std::shared_ptr<const Trace> traceOf(std::string_view text) {
    const auto trace = test::importText(text);
    return trace ? *trace : nullptr;
}

std::string joinedBy(const char* comma, std::size_t count, const auto& element) {
    std::string list;
    for (std::size_t i = 0; i < count; ++i) {
        list += (i == 0 ? "" : comma) + element(i);
    }
    return list;
}

}  // namespace

void ImportSizeTest::packetsThatAreNotCompressed() {
    test::perfetto::Packets packets;
    packets.sliceAt(1000, 2000, 5, "a", "cpu_op");
    packets.add(test::perfetto::packetAt(3000).text(50, std::string(17U << 20U, 'x')));
    const auto trace = traceOf(packets.bytes());
    QCOMPARE(trace->sliceCount(), 1U);
    QCOMPARE(trace->log().find("malformed_event")->count, 1U);
}

// A kilobyte of packets in packets may say gigabytes.
void ImportSizeTest::packetsInsideOfPackets() {
    std::string small;  // packets with a time and nothing else
    for (int i = 0; i < 1 << 18; ++i) {
        small += std::string_view("\x0a\x02\x40\x00", 4);
    }
    test::perfetto::Packets inside;
    for (int i = 0; i < 16; ++i) {
        inside.add(Proto().text(50, test::deflated(small)));
    }
    test::perfetto::Packets packets;
    packets.sliceAt(1000, 2000, 5, "a", "cpu_op");
    packets.add(Proto().text(50, test::deflated(inside.bytes())));
    QVERIFY(packets.bytes().size() < 4096);
    const auto whole = traceOf(packets.bytes());
    QCOMPARE(whole->sliceCount(), 1U);
    QVERIFY(whole->log().find("expands_too_far") == nullptr);

    const import::source::ExpansionLimit usual = import::source::expansionLimit();
    const auto restore = qScopeGuard([&] { import::source::expansionLimit() = usual; });
    import::source::expansionLimit().freeBytes = 3U << 20U;
    const auto part = traceOf(packets.bytes());
    QCOMPARE(part->sliceCount(), 1U);
    const ImportIssue* issue = part->log().find("expands_too_far");
    QVERIFY(issue != nullptr && issue->example.find("--max-expansion") != std::string::npos);
    QCOMPARE(issue->count, 13U);  // three of them fit, and the one that passes the limit
    import::source::expansionLimit().factor = 0.0;
    QVERIFY(traceOf(packets.bytes())->log().find("expands_too_far") == nullptr);
}

void ImportSizeTest::brokenFramesHaveNoText() {
    using namespace std::string_view_literals;
    test::perfetto::Packets packets;
    packets.sliceAt(1000, 2000, 5, "a", "cpu_op");
    for (int i = 0; i < 10'000; ++i) {
        packets.add(Proto().text(133, "\x28\xb5\x2f\xfd\x00\x58"sv));
    }
    const std::int64_t before = peakBytes();
    QCOMPARE(traceOf(packets.bytes())->sliceCount(), 1U);
    QVERIFY(peakBytes() - before < 200'000'000);
}

// Ids begin at 1 in most files. Each of these tables has one that does not.
void ImportSizeTest::idsFarFromOthers() {
    const std::int64_t before = peakBytes();
    test::perfetto::Packets packets;
    packets.sliceAt(1000, 2000, 5, "a", "cpu_op");
    for (int sequence = 2; sequence < 8'000; ++sequence) {
        Proto interned;
        for (const std::uint32_t table : {1U, 2U, 3U, 24U, 29U}) {
            interned.message(table, Proto().number(1, 4095));
        }
        packets.add(Proto().number(10, sequence).message(12, interned));
    }
    QCOMPARE(traceOf(packets.bytes())->sliceCount(), 1U);
    Proto space;
    const Proto line = Proto().text(2, "t").message(4, Proto().number(1, 1).number(3, 1000));
    space.message(1, Proto().text(2, "/host:CPU").message(3, line));
    for (int plane = 0; plane < 20'000; ++plane) {
        const Proto id = Proto().number(1, 4095);
        space.message(1, Proto().text(2, "p").message(4, id).message(5, id));
    }
    QCOMPARE(traceOf(space.bytes())->sliceCount(), 1U);
    QVERIFY(peakBytes() - before < 300'000'000);
}

void ImportSizeTest::treesOfManyLaunchesAndLongNames() {
    const std::string name(2'000, 'k');
    const std::string tree =
        R"([{"children": [{"children": [], "frame": {"name": ")" + name +
        R"("}, "metrics": {"count": 500000, "device_id": "0", "device_type": "CUDA", )"
        "\"time (ns)\": 900000"
        R"(}}], "frame": {"name": "ROOT"}, "metrics": {}},)"
        R"( {"CUDA": {"0": {"arch": "90", "num_sms": 132}}}])";
    const auto trace = traceOf(tree);
    QVERIFY(trace != nullptr);
    QCOMPARE(trace->sliceCount(), 1U);
    QVERIFY(trace->log().find("sums_as_one") != nullptr);
}

void ImportSizeTest::recordsOfOneLongName() {
    const auto document = [](std::size_t nameBytes, std::size_t count) {
        return R"({"rocprofiler-sdk-tool": [{"metadata": {"pid": 77}, "kernel_symbols": [)"
               R"({"kernel_id": 1, "formatted_kernel_name": ")" +
               std::string(nameBytes, 'k') + R"("}], "buffer_records": {"kernel_dispatch": [)" +
               joinedBy(",", count,
                        [](std::size_t i) {
                            return fmt::format(R"({{"kind": 0, "start_timestamp": {}, )"
                                               R"("end_timestamp": {}, "dispatch_info": )"
                                               R"({{"kernel_id": 1}}}})",
                                               i * 10, i * 10 + 5);
                        }) +
               "]}}]}";
    };
    const auto whole = traceOf(document(1'000, 300));
    QCOMPARE(whole->sliceCount(), 300U);
    QVERIFY(whole->log().find("too_many_slices") == nullptr);
    const auto part = traceOf(document(1'000'000, 300));
    QVERIFY(part->sliceCount() > 200 && part->sliceCount() < 300);
    QVERIFY(part->log().find("too_many_slices") != nullptr);
    QCOMPARE(part->log().skipped, 300 - part->sliceCount());
}

// Every line is worded with its process only once.
void ImportSizeTest::cutOfLinesOfALongPlane() {
    Proto plane;
    plane.text(2, "/host:CPU " + std::string(200, 'x'));
    plane.message(
        3, Proto().text(2, "t").message(4, Proto().number(1, 1).number(2, 0).number(3, 1000)));
    for (int line = 0; line < 400; ++line) {
        plane.message(3, Proto());
    }
    const test::MemoryFile file(Proto().message(1, plane).bytes());
    const auto trace = import::loadTrace(file.path());
    QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
    QVERIFY(test::wholeCut(**trace).size() < 50'000);
}

void ImportSizeTest::threadsOfALongPlaneInJson() {
    const test::MemoryFile file(fmt::format(
        R"([{{"ph": "M", "pid": 1, "name": "process_name", "args": {{"name": "/host:CPU"}}}},)"
        R"({{"ph": "M", "pid": 2, "name": "process_name", "args": {{"name": "/host:{}"}}}}, {}])",
        std::string(1'000'000, 'x'), joinedBy(",", 2'000, [](std::size_t i) {
            return fmt::format(R"({{"ph": "X", "pid": 2, "tid": {0}, "ts": {0}, "name": "a"}})", i);
        })));
    const std::int64_t before = peakBytes();
    const auto trace = import::loadTrace(file.path());
    QVERIFY(trace);
    QCOMPARE((*trace)->info().format, "XLA JSON");
    QCOMPARE((*trace)->sliceCount(), 2'000U);
    QVERIFY(peakBytes() - before < 256'000'000);  // 2 GB, were each thread to keep it
}

// Many operators may have one id, but then the inputs are theirs and read once.
void ImportSizeTest::inputsOfOneIdAreReadOnce() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("inputs.json").toStdString();
    const auto list = [](const char* element) {
        return joinedBy(",", 20'000, [&](std::size_t) { return std::string(element); });
    };
    std::ofstream(path) << R"({"schema": "1.1.1-chakra.0.0.4", "nodes": [{"id": 1, )"
                        << R"("attrs": [{"name": "rf_id", "type": "uint64", "value": 5}], )"
                        << R"("inputs": {"shapes": [)" << list("[]") << R"(], "types": [)"
                        << list("\"Int\"") << R"(], "values": [)" << list("1")
                        << R"(], "strides": []}}]})";
    const test::MemoryFile file(R"({"traceEvents": [)" +
                                joinedBy(",", 1'000,
                                         [](std::size_t i) {
                                             return fmt::format(
                                                 R"({{"ph": "X", "cat": "cpu_op", "name": "a", )"
                                                 R"("pid": 1, "tid": 1, "ts": {}, "dur": 1, )"
                                                 R"("args": {{"Record function id": 5}}}})",
                                                 i);
                                         }) +
                                "]}");
    const auto execution = import::execution::ExecutionTrace::read(path, {});
    QVERIFY(execution);
    const auto trace = import::loadTrace(file.path());
    QElapsedTimer timer;
    timer.start();
    const auto joined = import::execution::joined(*trace, *execution);
    QVERIFY2(joined, joined ? "" : joined.error().message.c_str());
    std::vector<std::uint64_t> offsets;
    for (SliceId slice = 0; slice < (*joined)->sliceCount(); ++slice) {
        offsets.push_back((*joined)->offset(slice));
    }
    std::atomic<std::size_t> bytes = 0;
    QVERIFY((*joined)->eventText()->argument(
        offsets, "Input type", [&](std::size_t, auto json) { bytes += json.size(); }));
    QCOMPARE(bytes, 1000 * (20000 * std::string("\"Scalar\",").size() + 1));
    QVERIFY(timer.elapsed() < 10'000);  // read for each of them: minutes
}

// A capture has the name once, JSON each time: nothing of that is collected, and it has a limit.
void ImportSizeTest::writtenEventsOfOneLongName() {
    using stream::format::ChunkType;
    std::string kernels;
    for (TimeNs i = 0; i < 300; ++i) {
        auto kernel = stream::format::makeRecord<stream::format::KernelRecord>();
        kernel.start = 2000 + i * 10;
        kernel.end = kernel.start + 5;
        kernel.name = 1;
        kernels += test::bytesOf(kernel);
    }
    const test::MemoryFile file(
        test::CaptureBytes()
            .add(ChunkType::Header, test::kSampleHeader)
            .add(ChunkType::Device, test::kSampleDevice)
            .add(ChunkType::Names, test::nameEntry(1, std::string(1'000'000, 'k')))
            .add(ChunkType::Records, kernels)
            .bytes());
    const QTemporaryDir folder;
    const std::string output = folder.filePath("written.json").toStdString();
    const auto convertTo = [&](const std::string& path) {
        convert::KinetoOptions options;
        options.captures = {file.path()};
        options.output = path;
        return convert::writeKinetoTrace(options);
    };
    const auto cutTo = [&](const std::string& path) {
        const auto trace = import::loadTrace(file.path());
        cut::CutOptions options;
        options.output = path;
        return trace ? cut::cutTrace(**trace, options) : tl::unexpected(trace.error());
    };
    const std::int64_t before = peakBytes();
    const auto converted = convertTo("/dev/null");
    QVERIFY2(converted, converted ? "" : converted.error().message.c_str());
    QVERIFY(converted->outputBytes > 300'000'000);
    const auto part = cutTo("/dev/null");
    QVERIFY2(part, part ? "" : part.error().message.c_str());
    QVERIFY(part->outputBytes > 300'000'000);
    QVERIFY(peakBytes() - before < 100'000'000);

    const import::source::ExpansionLimit usual = import::source::expansionLimit();
    const auto restore = qScopeGuard([&] { import::source::expansionLimit() = usual; });
    import::source::expansionLimit() = {.factor = 200.0, .freeBytes = 1U << 20U};
    const auto messageOf = [](const auto& result) {
        return result ? std::string("written") : result.error().message;
    };
    for (const std::string& message : {messageOf(convertTo(output)), messageOf(cutTo(output))}) {
        QVERIFY2(message.starts_with("'" + output + "': would be more than 200 times"),
                 message.c_str());
        QVERIFY(message.find("--max-expansion") != std::string::npos);
        QVERIFY(!QFile::exists(QString::fromStdString(output)));
    }
    import::source::expansionLimit().factor = 400.0;
    QVERIFY(convertTo(output));
    QVERIFY(cutTo(output));
}

QTEST_APPLESS_MAIN(ImportSizeTest)
#include "ImportSizeTest.moc"
