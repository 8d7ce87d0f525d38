// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <QtTest>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/import/load/LoadTrace.h"
#include "core/stream/CaptureDecoder.h"
#include "core/stream/CaptureWriter.h"
#include "core/stream/Checksum.h"

using namespace kinetoscope;
using namespace kinetoscope::import;
using namespace kinetoscope::stream;
using namespace kinetoscope::stream::format;
using namespace kinetoscope::trace;

namespace {

const char* const kHeader =
    R"({"version": 1, "pid": 4711, "program": "train", "host": "node7", "rank": 3,)"
    R"( "world_size": 8, "level": 3, "monotonic_ns": 1000, "realtime_ns": 5000000001000})";

template <class Record>
std::string bytesOf(const Record& record) {
    return {reinterpret_cast<const char*>(&record), sizeof record};
}

std::string nameEntry(std::uint32_t id, const std::string& text) {
    std::string entry = bytesOf(NameHeader{id, static_cast<std::uint32_t>(text.size())}) + text;
    entry.resize(padded(entry.size()));
    return entry;
}

KernelRecord kernel(std::int64_t start, std::uint32_t correlation) {
    auto record = makeRecord<KernelRecord>();
    record.start = start;
    record.end = start + 500;
    record.stream = 7;
    record.name = 1;
    record.correlation = correlation;
    record.grid = {132, 1, 1};
    record.block = {256, 1, 1};
    record.registers = 40;
    return record;
}

ApiRecord launch(std::int64_t start, std::uint32_t correlation) {
    auto record = makeRecord<ApiRecord>();
    record.start = start;
    record.end = start + 100;
    record.thread = 4712;
    record.name = 2;
    record.correlation = correlation;
    record.launches = 1;
    return record;
}

}  // namespace

class StreamTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string path(const char* name) const {
        return m_folder.filePath(QString::fromUtf8(name)).toStdString();
    }

    // Two chunks of records: one kernel with its launch, then two kernels.
    std::string writeCapture(const char* name, bool finish = true) const {
        const std::string file = path(name);
        std::filesystem::remove(file);
        CaptureWriter writer;
        const bool good =
            writer.create(file, kHeader) &&
            writer.append(ChunkType::Names,
                          nameEntry(1, "addKernel(float*)") + nameEntry(2, "cudaLaunchKernel")) &&
            writer.append(ChunkType::Device, R"({"id": 0, "name": "Test GPU", "numSms": 132})") &&
            writer.append(ChunkType::Records,
                          bytesOf(launch(2000, 1)) + bytesOf(kernel(2200, 1))) &&
            writer.append(ChunkType::Records, bytesOf(kernel(3000, 2)) + bytesOf(kernel(4000, 3)));
        return good && (!finish || writer.finish("{\"records\": 4}")) ? file : std::string();
    }

    static std::string contents(const std::string& file) {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    std::string store(const char* name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }

private slots:
    void checksumsAreCastagnoli() {
        // The check value of the polynomial's definition.
        QCOMPARE(crc32c("123456789"), 0xe3069283U);
        QCOMPARE(crc32c("56789", crc32c("1234")), 0xe3069283U);
    }

    void captureOpensAsTrace() {
        const auto trace = loadTrace(writeCapture("whole.kscope"));
        QVERIFY2(trace.has_value(), trace ? "" : trace.error().message.c_str());
        QCOMPARE((*trace)->sliceCount(), 4U);
        QCOMPARE((*trace)->gpuOperations().size(), 3U);
        QVERIFY((*trace)->log().empty());
        // 1000 ns of the monotonic clock are 5,000,000,001,000 ns of Unix time.
        QCOMPARE((*trace)->info().baseTimeNs.value(), 5'000'000'000'000);
        QCOMPARE((*trace)->start(1), 2200);
        QCOMPARE((*trace)->duration(1), 500);
        QCOMPARE((*trace)->name(1), std::string_view("addKernel(float*)"));
        QCOMPARE((*trace)->correlation(0), (*trace)->correlation(1));
        QCOMPARE((*trace)->gpuOperations()[0].registers, std::uint16_t{40});
        QCOMPARE((*trace)->info().distributed->rank, 3);
        QCOMPARE((*trace)->info().devices.at(0).multiprocessors, 132);
    }

    void eventsAreReadAgain() {
        const auto trace = loadTrace(writeCapture("again.kscope"));
        QVERIFY(trace.has_value());
        const auto text = (*trace)->eventText()->event((*trace)->offset(1));
        QVERIFY2(text.has_value(), text ? "" : text.error().message.c_str());
        QVERIFY(text->find("\"name\": \"addKernel(float*)\"") != std::string::npos);
        QVERIFY(text->find("\"blocks per SM\": 1,") != std::string::npos);
    }

    // As torch.profiler says it of kernels on an H200 with little shared memory, and as NVIDIA's
    // calculator does where that one says 0.
    void occupancyIsEstimated_data() {
        QTest::addColumn<unsigned>("blocks");
        QTest::addColumn<unsigned>("threads");
        QTest::addColumn<unsigned>("registers");
        QTest::addColumn<unsigned>("shared");
        QTest::addColumn<int>("percent");
        QTest::newRow("half a block on each") << 66U << 256U << 40U << 0U << 6;
        QTest::newRow("threads") << 132U * 100 << 1024U << 32U << 0U << 100;
        QTest::newRow("registers") << 132U * 100 << 256U << 128U << 0U << 25;
        QTest::newRow("blocks") << 132U * 100 << 32U << 16U << 0U << 50;
        QTest::newRow("much shared memory") << 132U << 384U << 168U << 213188U << 19;
        QTest::newRow("two by shared memory") << 1568U << 128U << 246U << 81920U << 13;
    }
    void occupancyIsEstimated() {
        QFETCH(unsigned, blocks);
        QFETCH(unsigned, threads);
        QFETCH(unsigned, registers);
        QFETCH(unsigned, shared);
        KernelRecord record;
        record.grid = {blocks, 1, 1};
        record.block = {threads, 1, 1};
        record.registers = registers;
        record.dynamicShared = shared;
        MultiprocessorLimits h200{132, 32, 2048, 32, 65536, 233472, 9};
        QTEST(achievedOccupancyPercent(h200, record).value_or(-1), "percent");
        h200.sharedBytes = 0;
        QVERIFY(!achievedOccupancyPercent(h200, record));
    }

    // Whatever byte of its last chunk a file is cut at, all before it stays readable.
    void everyCutKeepsTheWholeChunks() {
        const std::string whole = contents(writeCapture("uncut.kscope", false));
        const std::size_t last = sizeof(ChunkHeader) + 2 * sizeof(KernelRecord);
        for (std::size_t size = whole.size() - last; size <= whole.size(); ++size) {
            const auto trace = loadTrace(store("cut.kscope", whole.substr(0, size)));
            QVERIFY2(trace.has_value(), std::to_string(size).c_str());
            const bool complete = size == whole.size();
            const bool between = size == whole.size() - last;
            QCOMPARE((*trace)->gpuOperations().size(), complete ? 3U : 1U);
            const char* said = complete || between ? "capture_unfinished" : "capture_cut";
            QVERIFY2((*trace)->log().find(said) != nullptr, said);
        }
    }

    void everyCutOfTheBeginningIsRefused() {
        const std::string whole = contents(writeCapture("head.kscope"));
        const std::size_t first = kMagic.size() + sizeof(ChunkHeader) + padded(strlen(kHeader));
        for (std::size_t size = kMagic.size(); size < first; ++size) {
            QVERIFY(!loadTrace(store("begin.kscope", whole.substr(0, size))).has_value());
        }
    }

    // Damage is said, or it was in the padding and changes nothing.
    void anyFlippedBitIsNoticed() {
        const std::string whole = contents(writeCapture("good.kscope"));
        const auto good = loadTrace(path("good.kscope"));
        QVERIFY(good.has_value());
        const std::size_t first = kMagic.size() + sizeof(ChunkHeader) + padded(strlen(kHeader));
        int said = 0;
        for (std::size_t at = first; at < whole.size(); ++at) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ 4);
            const auto trace = loadTrace(store("flipped.kscope", damaged));
            QVERIFY(trace.has_value());
            const ImportLog& log = (*trace)->log();
            if (log.find("capture_damaged") != nullptr || log.find("capture_cut") != nullptr) {
                ++said;
                continue;
            }
            QVERIFY2(log.empty(), std::to_string(at).c_str());
            QCOMPARE((*trace)->sliceCount(), (*good)->sliceCount());
            for (SliceId slice = 0; slice < (*trace)->sliceCount(); ++slice) {
                QCOMPARE(*(*trace)->eventText()->event((*trace)->offset(slice)),
                         *(*good)->eventText()->event((*good)->offset(slice)));
            }
        }
        // Padding is seven bytes at most behind each of the five chunks.
        QVERIFY(said >= static_cast<int>(whole.size() - first) - 5 * 7);
    }

    void oddTimesAreCounted() {
        const std::string file = path("odd.kscope");
        CaptureWriter writer;
        auto nowhen = kernel(0, 4);
        nowhen.end = 0;
        auto backward = kernel(5000, 5);
        backward.end = 4000;
        QVERIFY(writer.create(file, kHeader));
        QVERIFY(writer.append(ChunkType::Records, bytesOf(launch(6000, 6)) + bytesOf(nowhen) +
                                                      bytesOf(backward) +
                                                      bytesOf(kernel(5900, 6))));
        QVERIFY(writer.append(
            ChunkType::Note, R"({"name": "dropped_records", "text": "t", "count": 9, "loss": 1})"));
        QVERIFY(writer.finish("{}"));
        const auto trace = loadTrace(file);
        QVERIFY(trace.has_value());
        QCOMPARE((*trace)->log().find("zero_timestamp")->count, 1U);
        QCOMPARE((*trace)->log().find("negative_duration")->count, 1U);
        QCOMPARE((*trace)->log().find("work_before_launch")->count, 1U);
        QCOMPARE((*trace)->log().find("dropped_records")->count, 9U);
        QCOMPARE((*trace)->gpuOperations().size(), 2U);
    }

    void openRangesEndWithTheCapture() {
        const std::string file = path("range.kscope");
        auto range = makeRecord<RangeStartRecord>();
        range.thread = 4712;
        range.time = 2500;
        range.id = 8;
        range.name = 1;
        CaptureWriter writer;
        QVERIFY(writer.create(file, kHeader));
        QVERIFY(writer.append(ChunkType::Names, nameEntry(1, "step")));
        QVERIFY(writer.append(ChunkType::Records, bytesOf(range) + bytesOf(kernel(3000, 2))));
        const auto trace = loadTrace(file);
        QVERIFY(trace.has_value());
        QCOMPARE((*trace)->name(1), std::string_view("step"));
        QCOMPARE((*trace)->span(1), (TimeSpan{2500, 3500}));
        QCOMPARE((*trace)->log().find("open_range")->count, 1U);
    }

    void unknownRecordsAreSkippedBySize() {
        const std::string file = path("unknown.kscope");
        auto later = makeRecord<MarkRecord>();
        later.header.type = 999;
        CaptureWriter writer;
        QVERIFY(writer.create(file, kHeader));
        QVERIFY(writer.append(ChunkType::Records, bytesOf(later) + bytesOf(kernel(3000, 2))));
        QVERIFY(writer.finish("{}"));
        const auto trace = loadTrace(file);
        QVERIFY(trace.has_value());
        QCOMPARE((*trace)->gpuOperations().size(), 1U);
        QCOMPARE((*trace)->log().find("unknown_record")->count, 1U);
    }

    void fullDiskLeavesWholeChunks() {
        CaptureWriter writer;
        const std::string file = path("full.kscope");
        QVERIFY(writer.create(file, kHeader));
        QVERIFY(writer.append(ChunkType::Records, bytesOf(kernel(2000, 1))));
        const std::uint64_t good = writer.bytes();
        // A limit on the file's size stands in for the end of the disk: write() does a part, then
        // fails.
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{good + 100, before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
        const bool written = writer.append(ChunkType::Records, std::string(4096, '\0'));
        ::setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY(!written);
        QCOMPARE(writer.error(), EFBIG);
        QVERIFY(!writer.append(ChunkType::Note, "{}"));
        QCOMPARE(std::filesystem::file_size(file), good);
        const auto trace = loadTrace(file);
        QVERIFY(trace.has_value());
        QCOMPARE((*trace)->gpuOperations().size(), 1U);
    }
};

QTEST_APPLESS_MAIN(StreamTest)
#include "StreamTest.moc"
