// SPDX-License-Identifier: Apache-2.0
// Captures whose processes, GPUs and waits meet in one trace.
#include <fmt/format.h>

#include <QtTest>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <set>

#include "core/convert/KinetoWriter.h"
#include "core/import/load/LoadTrace.h"
#include "core/query/RowNames.h"
#include "tests/support/CaptureBytes.h"

using namespace kinetoscope;
using namespace kinetoscope::import;
using namespace kinetoscope::stream::format;
using namespace kinetoscope::trace;
using namespace kinetoscope::test;

namespace {

std::string header(int pid, int rank = -1, const char* host = "node7") {
    return QStringLiteral(
               R"({"version": 1, "pid": %1, "program": "train", "host": "%3", "rank": %2,)"
               R"( "world_size": 8, "monotonic_ns": 1000, "realtime_ns": 5000000001000})")
        .arg(pid)
        .arg(rank)
        .arg(host)
        .toStdString();
}

std::string gpu(int id, const char* uuid, const char* more = R"("numSms": 132)") {
    return QStringLiteral(R"({"id": %1, "name": "GPU", "uuid": "%2", %3})")
        .arg(id)
        .arg(uuid, more)
        .toStdString();
}

std::string kernel(std::uint32_t device, std::uint32_t correlation = 1) {
    auto record = makeRecord<KernelRecord>();
    record.device = device;
    record.start = 2200;
    record.end = 2700;
    record.stream = 7;
    record.name = 1;
    record.correlation = correlation;
    return bytesOf(record);
}

std::string call(std::uint32_t thread, std::uint32_t correlation = 1) {
    auto record = makeRecord<ApiRecord>();
    record.thread = thread;
    record.start = 2000;
    record.end = 2100;
    record.name = 2;
    record.correlation = correlation;
    record.launches = 1;
    return bytesOf(record);
}

std::string waitRecord(std::uint32_t device, std::uint32_t stream) {
    auto record = makeRecord<SynchronizationRecord>();
    record.kind = 3;
    record.start = 2100;
    record.end = 2800;
    record.stream = stream;
    record.correlation = 9;
    record.device = device;
    return bytesOf(record);
}

using Chunks = std::vector<std::pair<ChunkType, std::string>>;

std::string capture(const std::string& head, const Chunks& chunks) {
    CaptureBytes bytes;
    bytes.add(ChunkType::Header, head)
        .add(ChunkType::Names, nameEntry(1, "gemm") + nameEntry(2, "cudaLaunchKernel"));
    for (const auto& [type, payload] : chunks) {
        bytes.add(type, payload);
    }
    return bytes.add(ChunkType::Footer, "{}").bytes();
}

std::string capture(const std::string& head, const std::string& device,
                    const std::string& records) {
    return capture(head, {{ChunkType::Device, device}, {ChunkType::Records, records}});
}

// Of counters, in the file that lies beside a capture.
std::string sample(std::uint32_t device) {
    auto record = makeRecord<CounterRecord>();
    record.device = device;
    record.time = 2500;
    record.value = 300.0;
    record.name = 1;
    record.series = 2;
    return bytesOf(record);
}

std::string allocation(std::uint16_t kind) {
    auto record = makeRecord<MemoryRecord>();
    record.time = 2000 + kind;
    record.address = 0x7f00;
    record.bytes = 1 << 20;
    record.memory = kind;
    return bytesOf(record);
}

std::string rangeOfCall(std::uint32_t correlation, std::uint64_t id) {
    auto record = makeRecord<ExternalIdRecord>();
    record.correlation = correlation;
    record.id = id;
    return bytesOf(record);
}

// How many operations each GPU has.
std::map<std::int32_t, int> operationsOf(const Trace& trace) {
    std::map<std::int32_t, int> count;
    for (const GpuOperation& operation : trace.gpuOperations()) {
        ++count[operation.gpu];
    }
    return count;
}

}  // namespace

class CapturePlaceTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string folder() const { return m_folder->path().toStdString(); }
    std::string store(const char* name, const std::string& bytes) const {
        std::ofstream(folder() + "/" + name, std::ios::binary | std::ios::trunc) << bytes;
        return folder() + "/" + name;
    }
    static std::shared_ptr<const Trace> load(const std::string& path) {
        auto trace = loadTrace(path);
        if (!trace) {
            qWarning("%s", trace.error().message.c_str());
        }
        return trace ? *trace : nullptr;
    }
    /// The trace that `kscope convert` makes of the folder's captures.
    std::shared_ptr<const Trace> converted(const std::vector<std::string>& captures) const {
        convert::KinetoOptions options;
        options.captures = captures;
        options.output = folder() + "/converted.json";
        const auto written = convert::writeKinetoTrace(options);
        return written ? load(options.output) : nullptr;
    }
    static TrackId trackOf(const Trace& trace, Category category, std::size_t number = 0) {
        for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
            if (trace.category(slice) == category && number-- == 0) {
                return trace.trackOf(slice);
            }
        }
        return std::numeric_limits<TrackId>::max();
    }
    static const Process& processOf(const Trace& trace, Category category) {
        return trace.processes()[trace.tracks()[trackOf(trace, category)].process];
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void recordsAreCounted();
    void countersBesideACaptureAreNoRank();
    void aPidIsNoGpu_data();
    void aPidIsNoGpu();
    void gpusWithoutASerialNumberAreNotOne();
    void partsOfAGpuAreNotOne();
    void memoryOfTheHostIsNotOfTheGpu();
    void waitsOnAnUnknownGpuTakeNoRow();
    void waitsMeetNoStream();
    void rangesOfCallsAreReadAgain();
    void rangesMayComeBehindTheirWork();
};

void CapturePlaceTest::recordsAreCounted() {
    const std::string file =
        store("a.kscope", capture(header(4711), gpu(0, "aa"), kernel(0) + kernel(5000)));
    for (const std::string& path : {file, folder()}) {
        const auto trace = load(path);
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->log().events, 2U);
        QCOMPARE(trace->log().skipped, 1U);
    }
}

void CapturePlaceTest::countersBesideACaptureAreNoRank() {
    store("a.kscope", capture(header(4711, 3), gpu(0, "aa"), kernel(0) + kernel(5000)));
    store("counters.node7.kscope", capture(header(4712), gpu(0, "aa"), sample(0)));
    const auto trace = load(folder());
    QVERIFY(trace != nullptr);
    QCOMPARE(operationsOf(*trace), (std::map<std::int32_t, int>{{0, 1}}));
    QVERIFY(trace->info().distributed.has_value());
    QCOMPARE(trace->info().distributed->rank, 3);
    QCOMPARE(trace->info().format, std::string("Kinetoscope capture"));
    const ImportIssue* issue = trace->log().find("impossible_record");
    QVERIFY(issue != nullptr && !issue->example.starts_with("a.kscope"));
    store("b.kscope", capture(header(4713, 4), gpu(0, "aa"), kernel(0)));
    const auto two = load(folder());
    QVERIFY(two != nullptr && !two->info().distributed);
    QCOMPARE(two->info().format, std::string("2 Kinetoscope captures"));
    QVERIFY(two->log().find("impossible_record")->example.starts_with("a.kscope"));
}

void CapturePlaceTest::aPidIsNoGpu_data() {
    QTest::addColumn<int>("pid");
    QTest::newRow("of its first GPU") << 0;
    QTest::newRow("of its second GPU") << 1;
    QTest::newRow("of a GPU that it does not use") << 7;
}

// In containers processes are numbered from 1.
void CapturePlaceTest::aPidIsNoGpu() {
    QFETCH(const int, pid);
    const std::string file =
        store("a.kscope",
              capture(header(pid), {{ChunkType::Device, gpu(0, "aa")},
                                    {ChunkType::Device, gpu(1, "bb")},
                                    {ChunkType::Records, call(5) + kernel(0) + kernel(1, 2)}}));
    store("b.kscope", capture(header(4711, -1, "node8"), gpu(7, "cc"), call(5) + kernel(7)));
    for (const auto& trace : {load(file), load(folder()), converted({file})}) {
        QVERIFY(trace != nullptr);
        const Process& process = processOf(*trace, Category::Runtime);
        for (const GpuOperation& operation : trace->gpuOperations()) {
            const TrackId track = trace->trackOf(operation.slice);
            QVERIFY(&trace->processes()[trace->tracks()[track].process] != &process);
        }
        QCOMPARE(trace->text(process.labels), std::string_view("CPU"));
        QCOMPARE(process.sortIndex, pid);
        const query::LaneIndex lanes(trace);
        const std::string row = query::RowNames(lanes).whole(trackOf(*trace, Category::Runtime));
        QCOMPARE(row, fmt::format("train {}, thread 5", pid));
    }
}

void CapturePlaceTest::gpusWithoutASerialNumberAreNotOne() {
    const char* const kZeros = "00000000000000000000000000000000";
    for (const char* const uuid : {"", kZeros}) {
        store("a.kscope", capture(header(4711), {{ChunkType::Device, gpu(0, uuid)},
                                                 {ChunkType::Device, gpu(1, uuid)},
                                                 {ChunkType::Records, kernel(0) + kernel(1, 2)}}));
        store("b.kscope", capture(header(4712), gpu(0, uuid), kernel(0)));
        const auto trace = load(folder());
        QVERIFY(trace != nullptr);
        QCOMPARE(operationsOf(*trace), (std::map<std::int32_t, int>{{0, 1}, {1, 1}, {2, 1}}));
    }
}

// Processes on instances of one GPU may both tell the serial number of the whole.
void CapturePlaceTest::partsOfAGpuAreNotOne() {
    const char* const kSmall = R"("numSms": 16, "totalGlobalMem": 10000000000)";
    const char* const kLarge = R"("numSms": 60, "totalGlobalMem": 40000000000)";
    const char* const kMore = R"("numSms": 16, "totalGlobalMem": 20000000000)";
    const char* const kOfNvml = R"("numSms": 0, "totalGlobalMem": 85000000000)";
    store("a.kscope", capture(header(4711), gpu(0, "aa", kSmall), kernel(0)));
    store("b.kscope", capture(header(4712), gpu(0, "aa", kLarge), kernel(0)));
    store("c.kscope", capture(header(4713), gpu(0, "aa", kMore), kernel(0)));
    store("d.kscope", capture(header(4714), gpu(0, "aa", kSmall), kernel(0)));
    store("counters.node7.kscope", capture(header(4715), gpu(0, "aa", kOfNvml), sample(0)));
    const auto trace = load(folder());
    QVERIFY(trace != nullptr);
    QCOMPARE(operationsOf(*trace), (std::map<std::int32_t, int>{{0, 2}, {1, 1}, {2, 1}}));
    QCOMPARE(trace->info().devices.size(), 3U);
}

void CapturePlaceTest::memoryOfTheHostIsNotOfTheGpu() {
    const auto trace = load(
        store("a.kscope", capture(header(4711), gpu(0, "aa"),
                                  allocation(0) + allocation(1) + allocation(2) + allocation(3))));
    QVERIFY(trace != nullptr);
    QCOMPARE(trace->instants().size(), 4U);
    const char* const kHost = R"("Device Type": 0, "Device Id": -1)";
    const char* const kGpu = R"("Device Type": 1, "Device Id": 0)";
    const char* const expected[] = {kGpu, kHost, kHost, kGpu};
    for (std::size_t kind = 0; kind < 4; ++kind) {
        const auto text = trace->eventText()->event(trace->instants()[kind].offset);
        QVERIFY(text.has_value());
        QVERIFY2(text->find(expected[kind]) != std::string::npos, text->c_str());
    }
}

// It may be any GPU, and the first user of a GPU keeps the numbers of its streams.
void CapturePlaceTest::waitsOnAnUnknownGpuTakeNoRow() {
    const std::string first =
        store("a.kscope", capture(header(4711), {{ChunkType::Records, waitRecord(kNone, 7)},
                                                 {ChunkType::Device, gpu(1, "bb")},
                                                 {ChunkType::Records, kernel(1)}}));
    const std::string second =
        store("b.kscope", capture(header(4712), gpu(0, "aa"), waitRecord(kNone, 7) + kernel(0)));
    for (const auto& trace : {load(folder()), converted({first, second})}) {
        QVERIFY(trace != nullptr);
        QCOMPARE(operationsOf(*trace), (std::map<std::int32_t, int>{{0, 1}, {1, 1}}));
        for (const GpuOperation& operation : trace->gpuOperations()) {
            QCOMPARE(operation.stream, 7);
        }
        QVERIFY(&processOf(*trace, Category::CudaSync) != &processOf(*trace, Category::Kernel));
        const TrackId one = trackOf(*trace, Category::CudaSync);
        QVERIFY(one != trackOf(*trace, Category::CudaSync, 1));
        const query::LaneIndex lanes(trace);
        QCOMPARE(query::RowNames(lanes).whole(one), std::string("unknown GPU, stream 7 (sync)"));
        QVERIFY(!trace->info().device(-2));
        const auto text = trace->eventText()->event(trace->offset(0));
        QVERIFY(text && text->find("\"device\": -1") != std::string::npos);
    }
}

void CapturePlaceTest::waitsMeetNoStream() {
    for (int i = 0; i < 11; ++i) {
        const std::string name = fmt::format("{:02}.kscope", i);
        store(name.c_str(), capture(header(4711 + i), gpu(0, "aa"), waitRecord(0, 7) + kernel(0)));
    }
    const auto trace = load(folder());
    QVERIFY(trace != nullptr);
    QCOMPARE(trace->sliceCount(), 22U);
    std::set<TrackId> tracks;
    for (SliceId slice = 0; slice < trace->sliceCount(); ++slice) {
        tracks.insert(trace->trackOf(slice));
    }
    QCOMPARE(tracks.size(), 22U);
}

// What a column says, the event says that is read from the file.
void CapturePlaceTest::rangesOfCallsAreReadAgain() {
    const std::string file = store(
        "a.kscope", capture(header(4711), gpu(0, "aa"),
                            rangeOfCall(1, 8) + call(5) + kernel(0) + call(5, 2) + kernel(0, 2)));
    store("b.kscope", capture(header(4712), gpu(0, "aa"), rangeOfCall(1, 9) + call(5) + kernel(0)));
    for (const std::string& path : {file, folder()}) {
        const auto trace = load(path);
        QVERIFY(trace != nullptr);
        int known = 0;
        for (SliceId slice = 0; slice < trace->sliceCount(); ++slice) {
            const std::int64_t id = trace->externalId(slice);
            const auto text = trace->eventText()->event(trace->offset(slice));
            QVERIFY(text.has_value());
            const std::string said = fmt::format("\"External id\": {}", id);
            const bool found = text->find(id == kNoId ? "External id" : said) != std::string::npos;
            QVERIFY2(found != (id == kNoId), text->c_str());
            known += id == kNoId ? 0 : 1;
        }
        QCOMPARE(known, path == file ? 2 : 4);
    }
}

// CUPTI's buffers of calls and of work are handed over in any order.
void CapturePlaceTest::rangesMayComeBehindTheirWork() {
    const std::string file =
        store("a.kscope", capture(header(4711), gpu(0, "aa"),
                                  kernel(0) + kernel(0, 2) + rangeOfCall(1, 8) + call(5)));
    store("b.kscope", capture(header(4712), gpu(0, "aa"), kernel(0) + rangeOfCall(1, 9) + call(5)));
    for (const std::string& path : {file, folder()}) {
        const auto trace = load(path);
        QVERIFY(trace != nullptr);
        for (const GpuOperation& operation : trace->gpuOperations()) {
            const std::int64_t correlation = trace->correlation(operation.slice);
            const std::int64_t capture = correlation >> 32;
            const std::int64_t expected = correlation == 2 ? kNoId : (capture << 32) + 8 + capture;
            QCOMPARE(trace->externalId(operation.slice), expected);
            const auto text = trace->eventText()->event(trace->offset(operation.slice));
            QVERIFY(text.has_value());
            QCOMPARE(text->find("External id") != std::string::npos, expected != kNoId);
        }
        std::size_t listed = 0;
        const auto read = trace->eventText()->forEach(
            [&](const ListedEvent& event) -> Result<void> {
                const bool known = event.phase == 'X';
                listed += known && trace->eventText()->event(event.offset) == event.json ? 1U : 0U;
                return {};
            },
            {}, nullptr);
        QCOMPARE(read.has_value(), path == file);  // a folder's are not listed
        QCOMPARE(listed, path == file ? trace->sliceCount() : 0U);
    }
}

QTEST_APPLESS_MAIN(CapturePlaceTest)
#include "CapturePlaceTest.moc"
