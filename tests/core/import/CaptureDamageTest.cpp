// SPDX-License-Identifier: Apache-2.0
// Captures whose checksums are right and whose content cannot be.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <QtTest>
#include <filesystem>
#include <fstream>
#include <limits>

#include "core/convert/KinetoWriter.h"
#include "core/import/load/LoadTrace.h"
#include "core/json/Json.h"
#include "tests/support/CaptureTrial.h"
#include "tests/support/SampleCapture.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::import;
using namespace kinetoscope::stream::format;
using namespace kinetoscope::trace;
using namespace kinetoscope::test;

namespace {

constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
constexpr auto kMin = std::numeric_limits<std::int64_t>::min();

std::string withMember(std::string_view json, std::string_view member) {
    return std::string(json.substr(0, json.size() - 1)) + ", " + std::string(member) + "}";
}

std::string deep() {
    std::string text = R"("x": )";
    for (int i = 0; i < 100'000; ++i) {
        text += R"({"a":)";
    }
    return text + "1" + std::string(100'000, '}');
}

KernelRecord kernel() {
    auto record = makeRecord<KernelRecord>();
    record.start = 2200;
    record.end = 2700;
    record.name = 1;
    record.correlation = 1;
    return record;
}

template <class Record>
std::string captureOf(const Record& record) {
    return CaptureBytes()
        .add(ChunkType::Header, kSampleHeader)
        .add(ChunkType::Device, kSampleDevice)
        .add(ChunkType::Names, nameEntry(1, "k"))
        .add(ChunkType::Records, bytesOf(record) + bytesOf(kernel()))
        .add(ChunkType::Footer, "{}")
        .bytes();
}

}  // namespace

class CaptureDamageTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string path(const char* name) const { return m_folder->filePath(name).toStdString(); }
    std::string store(const char* name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary | std::ios::trunc) << bytes;
        return path(name);
    }
    std::string problem(const std::string& bytes) const {
        return CaptureTrial(path("trial")).run(bytes);
    }
    // The count of an entry of the import log.
    std::uint64_t logged(const std::string& bytes, const char* name) const {
        const auto trace = loadTrace(store("logged.kscope", bytes));
        const auto* entry = trace ? (*trace)->log().find(name) : nullptr;
        return entry == nullptr ? 0 : entry->count;
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void theSampleIsWhole() {
        QCOMPARE(problem(sampleCapture()), std::string());
        const auto trace = loadTrace(store("a.kscope", sampleCapture()));
        QVERIFY(trace.has_value());
        QCOMPARE((*trace)->gpuOperations().size(), 4U);
        QCOMPARE((*trace)->sliceCount(), 10U);
        for (const char* name : {"impossible_record", "impossible_number", "unknown_record"}) {
            QVERIFY2((*trace)->log().find(name) == nullptr, name);
        }
    }

    // In the trace as in what it is converted to.
    void namesAreUtf8() {
        const std::string bytes = CaptureBytes()
                                      .add(ChunkType::Header, kSampleHeader)
                                      .add(ChunkType::Device, kSampleDevice)
                                      .add(ChunkType::Names, nameEntry(1, "a\xea\xaf\xe3 b"))
                                      .add(ChunkType::Records, bytesOf(kernel()))
                                      .add(ChunkType::Footer, "{}")
                                      .bytes();
        QCOMPARE(problem(bytes), std::string());
        const auto trace = loadTrace(store("a.kscope", bytes));
        QVERIFY(trace.has_value());
        QCOMPARE((*trace)->name(0), "a\ufffd\ufffd\ufffd b");
    }

    void theHeaderComesFirst() {
        for (const ChunkType type : {ChunkType::Device, ChunkType::Records, ChunkType::Names,
                                     ChunkType::Note, ChunkType::Footer}) {
            const std::string bytes = CaptureBytes()
                                          .add(type, kSampleDevice)
                                          .add(ChunkType::Header, kSampleHeader)
                                          .bytes();
            QCOMPARE(problem(bytes), std::string());
            const auto trace = loadTrace(store("a.kscope", bytes));
            QVERIFY(!trace);
            QVERIFY2(trace.error().message.ends_with("it does not start with a header"),
                     trace.error().message.c_str());
        }
    }

    void aSecondHeaderChangesNothing() {
        const std::string other =
            R"({"version": 1, "pid": 1, "monotonic_ns": 0, "realtime_ns": 9000000000000})";
        const std::string bytes = CaptureBytes()
                                      .add(ChunkType::Header, kSampleHeader)
                                      .add(ChunkType::Header, other)
                                      .add(ChunkType::Records, bytesOf(kernel()))
                                      .add(ChunkType::Footer, "{}")
                                      .bytes();
        QCOMPARE(problem(bytes), std::string());
        const auto trace = loadTrace(store("a.kscope", bytes));
        QCOMPARE((*trace)->start(0), 2200);
        QCOMPARE((*trace)->log().find("unknown_record")->count, 1U);
    }

    void documentsMayNotBeDeep() {
        const auto of = [](const std::string& header, const std::string& device) {
            return CaptureBytes()
                .add(ChunkType::Header, header)
                .add(ChunkType::Device, device)
                .add(ChunkType::Records, bytesOf(kernel()))
                .add(ChunkType::Note, "{\"name\": \"n\", " + deep() + "}")
                .bytes();
        };
        const std::string plainHeader(kSampleHeader);
        const std::string plainDevice(kSampleDevice);
        QCOMPARE(problem(of(withMember(kSampleHeader, deep()), plainDevice)), std::string());
        QVERIFY(!loadTrace(path("trial/captures/a.kscope")));
        QCOMPARE(problem(of(plainHeader, withMember(kSampleDevice, deep()))), std::string());
        QVERIFY(loadTrace(path("trial/captures/a.kscope")).has_value());
    }

    void clocksAreChecked_data() {
        QTest::addColumn<QString>("clocks");
        for (const char* clocks : {R"("monotonic_ns": 9223372036854775807, "realtime_ns": 0)",
                                   R"("monotonic_ns": -1, "realtime_ns": 5)",
                                   R"("monotonic_ns": 0, "realtime_ns": 9223372036854775807)",
                                   R"("monotonic_ns": 0, "realtime_ns": -9223372036854775808)",
                                   R"("monotonic_ns": 18446744073709551615, "realtime_ns": 5)"}) {
            QTest::newRow(clocks) << clocks;
        }
    }
    void clocksAreChecked() {
        QFETCH(QString, clocks);
        const std::string header = "{\"version\": 1, \"pid\": 7, " + clocks.toStdString() + "}";
        const std::string bytes = CaptureBytes()
                                      .add(ChunkType::Header, header)
                                      .add(ChunkType::Records, bytesOf(kernel()))
                                      .bytes();
        QCOMPARE(problem(bytes), std::string());
        QVERIFY(!loadTrace(path("trial/captures/a.kscope")));
    }

    void devicesMayClaimAnything() {
        for (const char* number :
             {"150109880320", ": 9", ": 0", ": 2048", ": 32", ": 132", ": 65536", ": 233472"}) {
            const std::string most =
                number[0] == ':' ? ": 9223372036854775807" : "9223372036854775807";
            for (const std::string& value : {most, std::string(": -1"), std::string(": 1e300"),
                                             std::string(": 18446744073709551615")}) {
                std::string odd(kSampleDevice);
                const std::size_t at = odd.find(number);
                QVERIFY(at != std::string::npos);
                odd.replace(at, std::strlen(number),
                            number[0] == ':' ? value : value.substr(value[0] == ':' ? 2 : 0));
                const std::string bytes = CaptureBytes()
                                              .add(ChunkType::Header, kSampleHeader)
                                              .add(ChunkType::Device, odd)
                                              .add(ChunkType::Records, sampleGpuRecords())
                                              .bytes();
                QCOMPARE(problem(bytes), std::string());
            }
        }
    }

    void namesAreChecked() {
        for (const std::uint32_t id : {2U, 1U << 28U, 0xffffffffU}) {
            auto record = kernel();
            record.name = id;
            QCOMPARE(problem(captureOf(record)), std::string());
            QCOMPARE(logged(captureOf(record), "impossible_number"), 1U);
            auto api = makeRecord<ApiRecord>();
            api.start = 2000;
            api.end = 2100;
            api.name = id;
            QCOMPARE(problem(captureOf(api)), std::string());
            QCOMPARE(logged(captureOf(api), "impossible_number"), 1U);
        }
    }

    void timesAreChecked() {
        for (const std::int64_t time : {kMax, kMax - 1, kLatestTime + 1, std::int64_t{1} << 61}) {
            auto span = kernel();
            span.end = time;
            auto event = makeRecord<CudaEventRecord>();
            event.time = time;
            auto mark = makeRecord<MarkRecord>();
            mark.time = time;
            auto range = makeRecord<RangeStartRecord>();
            range.time = time;
            for (const std::string& bytes :
                 {captureOf(span), captureOf(event), captureOf(mark), captureOf(range)}) {
                QCOMPARE(problem(bytes), std::string());
                QCOMPARE(logged(bytes, "impossible_record"), 1U);
            }
        }
        auto span = kernel();
        span.start = kMin;
        span.queued = kMin;
        QCOMPARE(problem(captureOf(span)), std::string());
    }

    void extentsAndSizesAreChecked() {
        auto record = kernel();
        record.grid = {0xffffffff, 0xffffffff, 0xffffffff};
        record.block = record.grid;
        record.cluster = record.grid;
        record.registers = 0xffffffff;
        record.staticShared = 0xffffffff;
        record.dynamicShared = 0xffffffff;
        QCOMPARE(problem(captureOf(record)), std::string());
        QCOMPARE(logged(captureOf(record), "impossible_number"), 6U);
        record = kernel();
        record.grid = {kMaxInGrid, kMaxInGrid, kMaxInGrid};
        record.block = {kMaxInBlock, kMaxInBlock, kMaxInBlock};
        record.cluster = record.block;
        QCOMPARE(problem(captureOf(record)), std::string());
        auto memory = makeRecord<MemoryRecord>();
        memory.time = 2100;
        memory.release = 1;
        memory.bytes = std::uint64_t{1} << 63U;
        QCOMPARE(problem(captureOf(memory)), std::string());
        QCOMPARE(logged(captureOf(memory), "impossible_number"), 1U);
    }

    void devicesOfRecordsAreChecked() {
        for (const std::uint32_t device : {kMaxDevices, 0x80000000U, 0xffffffffU}) {
            auto record = kernel();
            record.device = device;
            QCOMPARE(problem(captureOf(record)), std::string());
            QCOMPARE(logged(captureOf(record), "impossible_record"), 1U);
        }
    }

    void idsOfRangesAreChecked() {
        auto range = makeRecord<RangeStartRecord>();
        range.time = 2000;
        range.id = 0xffffffffffffffffU;
        QCOMPARE(problem(captureOf(range)), std::string());
        QCOMPARE(logged(captureOf(range), "impossible_record"), 1U);
        auto external = makeRecord<ExternalIdRecord>();
        external.id = range.id;
        QCOMPARE(problem(captureOf(external)), std::string());
        external.id = 5;  // of correlation 0, as which GPU work without a launch counts
        auto graph = makeRecord<GraphRecord>();
        graph.start = 2000;
        graph.end = 2100;
        const std::string bytes = CaptureBytes()
                                      .add(ChunkType::Header, kSampleHeader)
                                      .add(ChunkType::Records, bytesOf(external) + bytesOf(graph))
                                      .bytes();
        QCOMPARE(problem(bytes), std::string());
    }

    void shapesOfOperatorsAreJson() {
        for (const char* name :
             {"aten::mm, sizes = [[--1 2]]", "aten::mm, sizes = [[01]]", "aten::mm, sizes = [[,]]",
              "aten::mm, sizes = [[1], [2,,]]", "aten::mm, sizes = [[-]]"}) {
            auto range = makeRecord<RangeStartRecord>();
            range.time = 2000;
            range.id = 1;
            range.name = 1;
            const std::string bytes = CaptureBytes()
                                          .add(ChunkType::Header, kSampleHeader)
                                          .add(ChunkType::Names, nameEntry(1, name))
                                          .add(ChunkType::Records, bytesOf(range))
                                          .bytes();
            QCOMPARE(problem(bytes), std::string());
        }
    }

    // Whatever a capture is packed with.
    void compressedCapturesAreLikePlainOnes() {
        const std::string plain = store("a.kscope", sampleCapture());
        const std::string packed = path("b.kscope.gz");
        gzFile file = ::gzopen(packed.c_str(), "wb");
        const std::string bytes = sampleCapture();
        QCOMPARE(::gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size())),
                 static_cast<int>(bytes.size()));
        ::gzclose(file);
        const auto one = loadTrace(plain);
        const auto other = loadTrace(packed);
        QVERIFY(one.has_value() && other.has_value());
        for (SliceId slice = 0; slice < (*one)->sliceCount(); ++slice) {
            const auto text = (*other)->eventText()->event((*other)->offset(slice));
            QVERIFY2(text.has_value(), text ? "" : text.error().message.c_str());
            QCOMPARE(*text, *(*one)->eventText()->event((*one)->offset(slice)));
        }
        QVERIFY(makeOperatorTable(**other).has_value());
        const auto direct = convertCaptures({plain}, path("one.json"));
        const auto unpacked = convertCaptures({packed}, path("other.json"));
        QVERIFY(direct.has_value());
        QVERIFY2(unpacked.has_value(), unpacked ? "" : unpacked.error().message.c_str());
        QCOMPARE(unpacked->events, direct->events);
        QCOMPARE(unpacked->warnings.size(), direct->warnings.size());
        QCOMPARE(unpacked->lost, 0U);
    }

    // A child with little memory: 64 MB of names need three times as much.
    void lackOfMemoryIsAnError() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers end the program when there is no memory");
#endif
        std::string names;
        CaptureBytes capture;
        capture.add(ChunkType::Header, kSampleHeader);
        for (std::uint32_t id = 1; id <= 4'000'000; ++id) {
            names += nameEntry(id, "a");
            if (id % 500'000 == 0) {
                capture.add(ChunkType::Names, std::exchange(names, {}));
            }
        }
        const std::string file = store("a.kscope", capture.bytes());
        const pid_t child = ::fork();
        if (child == 0) {
            std::ifstream pages("/proc/self/statm");
            std::uint64_t used = 0;
            pages >> used;
            const rlim_t most = used * 4096 + (rlim_t{96} << 20U);
            const rlimit limit{most, most};
            ::setrlimit(RLIMIT_AS, &limit);
            const auto trace = loadTrace(file);
            const auto converted = convertCaptures({file}, path("out.json"));
            const auto said = [](const auto& result) {
                return !result &&
                       result.error().message.find("': out of memory; ") != std::string::npos;
            };
            ::_exit(said(trace) && said(converted) ? 0 : 1);
        }
        int status = 1;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QCOMPARE(status, 0);
        QVERIFY(loadTrace(file).has_value());
    }

    void folderOfNothingReadableIsRefused() {
        std::filesystem::create_directory(path("captures"));
        store("captures/a.kscope", CaptureBytes().add(ChunkType::Device, kSampleDevice).bytes());
        const auto trace = loadTrace(path("captures"));
        QVERIFY(!trace);
        QVERIFY2(trace.error().message.find("header") != std::string::npos,
                 trace.error().message.c_str());
        store("captures/b.kscope", sampleCapture());
        const auto both = loadTrace(path("captures"));
        QVERIFY(both.has_value());
        QCOMPARE((*both)->sliceCount(), 10U);
        QVERIFY((*both)->log().find("capture_unreadable") != nullptr);
    }
};

QTEST_APPLESS_MAIN(CaptureDamageTest)
#include "CaptureDamageTest.moc"
