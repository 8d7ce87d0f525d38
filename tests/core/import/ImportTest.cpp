// SPDX-License-Identifier: Apache-2.0
// What well-formed documents become: columns, spellings, ids, times, the run's metadata.
#include <QtTest>
#include <string>

#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::trace;
using test::importText;

class ImportTest final : public QObject {
    Q_OBJECT

private slots:
    void kernelFillsEveryColumn();
    void gpuAndStreamComeFromTheBestSource_data();
    void gpuAndStreamComeFromTheBestSource();
    void oldSpellingsAreNormalised_data();
    void oldSpellingsAreNormalised();
    void oldArgumentSpellingsAreRead();
    void idsAreReadInUnknownCategories();
    void rocmKernelsAreCalledByTheirArgument();
    void ownCategoriesKeepTheirText();
    void idsMayBeTextNegativeOrHuge();
    void duplicateKeysTakeTheLast();
    void timesAreExact();
    void oddDurationsAreRemembered();
    void runInfoHasEveryKey();
    void runInfoHoldsWhatNumbersCanBe();
    void runInfoSurvivesDamage();
    void keysMayComeInAnyOrder();
    void bareArrayIsATrace();
    void byteOrderMarkIsSkipped();
    void textMayBeCutIntoChunksAnywhere();
};

namespace {

std::shared_ptr<const Trace> traceOf(const std::string& events) {
    const auto trace = importText("{\"traceEvents\": [" + events + "]}");
    return trace ? *trace : nullptr;
}

std::string completeEvent(const std::string& members) {
    return R"({"ph": "X", "name": "e", "ts": 1, "dur": 2, "pid": 3, "tid": 4, )" + members + "}";
}

}  // namespace

void ImportTest::kernelFillsEveryColumn() {
    const auto trace = traceOf(
        R"({"ph": "X", "cat": "kernel", "name": "void k<\"x\">", "pid": 3, "tid": 1000007,
            "ts": 4348443872826.570, "dur": 129.118, "args": {"External id": 19969, "queued": 0,
            "device": 1, "context": 1, "stream": 7, "correlation": 4294967295,
            "registers per thread": 255, "shared memory": 232448, "blocks per SM": 0.06,
            "warps per SM": 0.96, "grid": [70000, 2, 3], "block": [512, 5, 6], "graph id": 12,
            "est. achieved occupancy %": 31, "occupancy": {"grid": [9, 9, 9], "stream": 99},
            "Collective name": "allreduce", "bytes": 8589934592}})");
    QVERIFY(trace);
    QVERIFY(trace->log().empty());
    QCOMPARE(trace->sliceCount(), 1U);
    QCOMPARE(trace->start(0), TimeNs{4348443872826570});
    QCOMPARE(trace->duration(0), TimeNs{129118});
    QCOMPARE(trace->name(0), std::string_view("void k<\"x\">"));
    QCOMPARE(trace->category(0), Category::Kernel);
    QCOMPARE(trace->correlation(0), 4294967295);
    QCOMPARE(trace->externalId(0), 19969);
    QCOMPARE(trace->offset(0), 17U);
    QCOMPARE(trace->gpuOperations().size(), 1U);
    const GpuOperation& operation = trace->gpuOperations()[0];
    QCOMPARE(operation.slice, 0U);
    QCOMPARE(operation.gpu, 3);
    QCOMPARE(operation.stream, 7);
    QCOMPARE(operation.grid, (std::array<std::uint32_t, 3>{70000, 2, 3}));
    QCOMPARE(operation.block, (std::array<std::uint16_t, 3>{512, 5, 6}));
    QCOMPARE(operation.registers, 255);
    QCOMPARE(operation.sharedBytes, 232448U);
    QCOMPARE(operation.graph, 12U);
    QCOMPARE(operation.occupancyPercent, 31);
    QCOMPARE(operation.collective, true);
    QCOMPARE(operation.bytes, 8589934592U);
}

void ImportTest::gpuAndStreamComeFromTheBestSource_data() {
    QTest::addColumn<QByteArray>("ids");
    QTest::addColumn<int>("gpu");
    QTest::addColumn<qlonglong>("stream");
    QTest::newRow("pid and argument")
        << QByteArray(R"("pid": 2, "tid": 9, "args": {"device": 1, "stream": 7})") << 2 << 7LL;
    QTest::newRow("no arguments") << QByteArray(R"("pid": 2, "tid": 9)") << 2 << 9LL;
    QTest::newRow("text pid") << QByteArray(R"("pid": "GPU 5", "tid": 9, "args": {"device": 1})")
                              << 1 << 9LL;
    QTest::newRow("text tid") << QByteArray(R"("pid": 2, "tid": "stream 13")") << 2 << 13LL;
    QTest::newRow("quoted tid") << QByteArray(R"("pid": 2, "tid": "21")") << 2 << 21LL;
    QTest::newRow("text tid without number") << QByteArray(R"("pid": 2, "tid": "x")") << 2 << 0LL;
    QTest::newRow("quoted stream")
        << QByteArray(R"("pid": 2, "tid": 9, "args": {"stream": "7"})") << 2 << 7LL;
    QTest::newRow("arguments first")
        << QByteArray(R"("args": {"stream": 7}, "tid": 9, "pid": 2)") << 2 << 7LL;
}

void ImportTest::gpuAndStreamComeFromTheBestSource() {
    QFETCH(QByteArray, ids);
    QFETCH(int, gpu);
    QFETCH(qlonglong, stream);
    const auto trace = traceOf(R"({"ph": "X", "cat": "gpu_memcpy", "ts": 1, "dur": 1, )" +
                               ids.toStdString() + "}");
    QCOMPARE(trace->gpuOperations().size(), 1U);
    QCOMPARE(trace->gpuOperations()[0].gpu, gpu);
    QCOMPARE(qlonglong{trace->gpuOperations()[0].stream}, stream);
}

void ImportTest::oldSpellingsAreNormalised_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("category");
    const auto row = [](const char* text, Category category) {
        QTest::newRow(text) << QByteArray(text) << static_cast<int>(category);
    };
    row("kernel", Category::Kernel);
    row("Kernel", Category::Kernel);
    row("Memcpy", Category::GpuMemcpy);
    row("gpu_memcpy", Category::GpuMemcpy);
    row("Memset", Category::GpuMemset);
    row("gpu_memset", Category::GpuMemset);
    row("Operator", Category::CpuOp);
    row("cpu_op", Category::CpuOp);
    row("Net", Category::Net);
    row("Runtime", Category::Runtime);
    row("cuda_runtime", Category::Runtime);
    row("CUDA_RUNTIME", Category::Runtime);
    row("xpu_runtime", Category::Runtime);
    row("mtia_runtime", Category::Runtime);
    row("privateuse1_runtime", Category::Runtime);
    row("glow_runtime", Category::Runtime);
    row("cuda_driver", Category::Driver);
    row("xpu_driver", Category::Driver);
    row("privateuse1_driver", Category::Driver);
    row("kernel_dispatch", Category::Kernel);  // ROCm's, from here
    row("rocm_memory_copy", Category::GpuMemcpy);
    row("hip_api", Category::Runtime);
    row("rocm_hsa_api", Category::Driver);
    row("marker_api", Category::UserAnnotation);
    row("gpu_user_Annotation", Category::GpuUserAnnotation);
    row("gpu_user_annotation", Category::GpuUserAnnotation);
    row("user_annotation", Category::UserAnnotation);
    row("cuda_sync", Category::CudaSync);
    row("cuda_event", Category::CudaEvent);
    row("overhead", Category::Overhead);
    row("python_function", Category::PythonFunction);
    row("Trace", Category::TraceSpan);
    row("kern\\u0065l", Category::Kernel);
    row("async", Category::Other);
    row("collective_comm", Category::Other);
    row("", Category::None);
}

void ImportTest::oldSpellingsAreNormalised() {
    QFETCH(QByteArray, text);
    QFETCH(int, category);
    const std::string one = completeEvent(R"("cat": ")" + text.toStdString() + "\"");
    const auto trace = traceOf(one + "," + one);
    QCOMPARE(trace->sliceCount(), 2U);
    QCOMPARE(static_cast<int>(trace->category(0)), category);
    QCOMPARE(static_cast<int>(trace->category(1)), category);
}

void ImportTest::oldArgumentSpellingsAreRead() {
    const auto trace = traceOf(completeEvent(
        R"("cat": "Kernel", "args": {"external id": 5, "grid dim": [1, 2, 3], )"
        R"("block dim": [4, 5, 6], "est. achieved occupancy": 12, "correlation": "8"})"));
    QCOMPARE(trace->externalId(0), 5);
    QCOMPARE(trace->correlation(0), 8);
    const GpuOperation& operation = trace->gpuOperations()[0];
    QCOMPARE(operation.grid, (std::array<std::uint32_t, 3>{1, 2, 3}));
    QCOMPARE(operation.block, (std::array<std::uint16_t, 3>{4, 5, 6}));
    QCOMPARE(operation.occupancyPercent, 12);
    QCOMPARE(operation.collective, false);
    // Events that only have ids to give are read in another way.
    const auto ids = traceOf(completeEvent(
        R"("cat": "cpu_op", "args": {"External id": 4, "correlation": 7, "external id": 6})"));
    QCOMPARE(ids->externalId(0), 6);
    QCOMPARE(ids->correlation(0), 7);
}

// A category that is not known, or none: a call of another tool, perhaps.
void ImportTest::idsAreReadInUnknownCategories() {
    for (const char* category : {"rccl_api", ""}) {
        const auto trace = traceOf(completeEvent(
            std::string(*category == '\0' ? "" : R"("cat": ")" + std::string(category) + "\", ") +
            R"("args": {"External id": 4, "correlation": 7})"));
        QCOMPARE(trace->externalId(0), 4);
        QCOMPARE(trace->correlation(0), 7);
    }
    // A number that stands for none is no stream.
    const auto stream = traceOf(R"({"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 2,
        "pid": 0, "tid": -9223372036854775808})");
    QCOMPARE(stream->gpuOperations()[0].stream, 0);
    const auto python = traceOf(
        completeEvent(R"("cat": "python_function", "args": {"Python id": 4, "correlation": 7})"));
    QCOMPARE(python->correlation(0), kNoId);
}

void ImportTest::rocmKernelsAreCalledByTheirArgument() {
    const auto trace = traceOf(
        R"({"ph": "X", "cat": "kernel", "name": "Kernel", "ts": 1, "dur": 1, "pid": 0, "tid": 0,
            "args": {"kernel": "Cijk_\"A\""}},
           {"ph": "X", "cat": "kernel", "name": "mine", "ts": 1, "dur": 1, "pid": 0, "tid": 0,
            "args": {"kernel": "Cijk"}})");
    QCOMPARE(trace->name(0), std::string_view("Cijk_\"A\""));
    QCOMPARE(trace->name(1), std::string_view("mine"));
}

void ImportTest::ownCategoriesKeepTheirText() {
    const auto trace =
        traceOf(completeEvent(R"("cat": "My Own")") + "," + completeEvent(R"("cat": "a,b")"));
    QCOMPARE(trace->categoryText(trace->categoryId(0)), std::string_view("My Own"));
    QCOMPARE(trace->categoryText(trace->categoryId(1)), std::string_view("a,b"));
}

void ImportTest::idsMayBeTextNegativeOrHuge() {
    const auto row = [](const std::string& pid, const std::string& tid) {
        return R"({"ph": "X", "ts": 1, "dur": 1, "pid": )" + pid + R"(, "tid": )" + tid + "}";
    };
    const auto trace = traceOf(row("\"Spans\"", "\"\"") + "," + row("-1", "-7") + "," +
                               row("9223372036854775807", "9007199254740993") + "," +
                               row("18446744073709551615", "5") + "," + row("\"-1\"", "-7") + "," +
                               R"({"ph": "X", "ts": 1, "dur": 1})");
    QVERIFY(trace->log().empty());
    const auto pid = [&](SliceId slice) {
        return trace->processes()[trace->tracks()[trace->trackOf(slice)].process].pid;
    };
    const auto tid = [&](SliceId slice) { return trace->tracks()[trace->trackOf(slice)].tid; };
    QVERIFY(pid(0).isText && tid(0).isText);
    QCOMPARE(trace->rowIdText(pid(0)), std::string("Spans"));
    QCOMPARE(trace->rowIdText(tid(0)), std::string(""));
    QCOMPARE(pid(1), (RowId{false, -1}));
    QCOMPARE(tid(1), (RowId{false, -7}));
    QCOMPARE(pid(2), (RowId{false, 9223372036854775807}));
    QCOMPARE(tid(2), (RowId{false, 9007199254740993}));
    QVERIFY(pid(3).isText);
    QCOMPARE(trace->rowIdText(pid(3)), std::string("18446744073709551615"));
    QVERIFY(pid(4).isText);
    QVERIFY(trace->trackOf(4) != trace->trackOf(1));
    QCOMPARE(pid(5), (RowId{false, 0}));
}

void ImportTest::duplicateKeysTakeTheLast() {
    const auto trace = importText(
        R"({"x": 1, "traceEvents": [{"ph": "M", "ph": "X", "ts": "a", "ts": 5, "dur": 4,
            "dur": 6.5, "name": "n", "name": "m", "pid": "p", "pid": 7, "cat": "kernel",
            "args": {"stream": 1, "stream": 2}, "args": {"stream": 3, "stream": 4}}], "x": 2})");
    QCOMPARE((*trace)->start(0), TimeNs{5000});
    QCOMPARE((*trace)->duration(0), TimeNs{6500});
    QCOMPARE((*trace)->name(0), std::string_view("m"));
    QCOMPARE((*trace)->gpuOperations()[0].gpu, 7);
    QCOMPARE((*trace)->gpuOperations()[0].stream, 4);
    QVERIFY((*trace)->log().empty());
    QCOMPARE((*trace)->info().fields.size(), 1U);
    QCOMPARE((*trace)->info().fields[0].json, std::string("2"));
}

void ImportTest::timesAreExact() {
    const auto trace = traceOf(
        R"({"ph": "X", "ts": 1615207264504915.123, "dur": 0.9},
           {"ph": "X", "ts": "1615207264504915.124", "dur": "5.632"},
           {"ph": "X", "ts": 1.615207264504915e15, "dur": 2.5e-3},
           {"ph": "X", "ts": 0.00150, "dur": 0.0035},
           {"ph": "X", "ts": -3.25, "dur": 1}, {"ph": "X", "ts": 1234567890123456, "dur": 7})");
    const std::array<TimeNs, 6> starts{
        1615207264504915123, 1615207264504915124, 1615207264504915000, 2, -3250,
        1234567890123456000};
    const std::array<TimeNs, 6> durations{900, 5632, 2, 4, 1000, 7000};
    QCOMPARE(trace->sliceCount(), starts.size());
    for (SliceId slice = 0; slice < starts.size(); ++slice) {
        QCOMPARE(trace->start(slice), starts[slice]);
        QCOMPARE(trace->duration(slice), durations[slice]);
    }
}

void ImportTest::oddDurationsAreRemembered() {
    const auto trace = traceOf(
        R"({"ph": "X", "ts": 1, "dur": -2.5}, {"ph": "X", "ts": 1}, {"ph": "X", "ts": 1, "dur": 0},
           {"ph": "X", "ts": 1, "dur": "x"})");
    QCOMPARE(trace->invalidDurations().size(), 3U);
    QCOMPARE(trace->invalidDurations()[0].slice, 0U);
    QCOMPARE(trace->invalidDurations()[0].missing, false);
    QCOMPARE(trace->invalidDurations()[0].duration, TimeNs{-2500});
    QCOMPARE(trace->invalidDurations()[1].slice, 1U);
    QCOMPARE(trace->invalidDurations()[1].missing, true);
    QCOMPARE(trace->invalidDurations()[2].slice, 3U);
    QCOMPARE(trace->duration(0), TimeNs{0});
    QCOMPARE(trace->log().find("negative_duration")->count, 1U);
    QCOMPARE(trace->log().find("missing_duration")->count, 2U);
}

void ImportTest::runInfoHoldsWhatNumbersCanBe() {
    const auto trace = importText(
        R"({"deviceProperties": [{"id": 1e300, "numSms": 99999999999, "warpSize": -2147483649,
            "totalGlobalMem": -1, "computeMajor": 18446744073709551615, "computeMinor": 3.0}],
            "distributedInfo": {"rank": 18446744073709551615, "world_size": -1e300},
            "baseTimeNanoseconds": 9223372036854775807, "traceEvents": []})");
    QVERIFY(trace);
    const RunInfo& info = (*trace)->info();
    QVERIFY(!info.baseTimeNs);  // nothing could be added to it
    const DeviceProperties* device = info.device(0);
    QVERIFY(device != nullptr);
    QCOMPARE(device->multiprocessors, 0);
    QCOMPARE(device->warpSize, 0);
    QCOMPARE(device->totalMemoryBytes, 0U);
    QCOMPARE(device->computeMajor, 0);
    QCOMPARE(device->computeMinor, 3);
    QCOMPARE(info.distributed->rank, -1);
    QCOMPARE(info.distributed->worldSize, -1);
}

// Of one value, not of all beside it.
void ImportTest::runInfoSurvivesDamage() {
    const auto trace = importText(
        R"({"deviceProperties": [{"id": 0, "name": "H100", "numSms": 132, "x": NaN}, ],
            "distributedInfo": {"rank": "1", "world_size": 2.0, },
            "baseTimeNanoseconds": "1790857026000000001", "traceEvents": []})");
    QVERIFY(trace);
    const RunInfo& info = (*trace)->info();
    const DeviceProperties* device = info.device(0);
    QVERIFY(device != nullptr);
    QCOMPARE(device->name, std::string("H100"));
    QCOMPARE(device->multiprocessors, 132);
    QVERIFY(info.distributed);
    QCOMPARE(info.distributed->rank, 1);
    QCOMPARE(info.distributed->worldSize, 2);
    QCOMPARE(info.baseTimeNs, std::optional<TimeNs>(1790857026000000001));
    const auto real = importText(R"({"baseTimeNanoseconds": 1.5e18, "traceEvents": []})");
    QCOMPARE((*real)->info().baseTimeNs, std::optional<TimeNs>(1500000000000000000));
}

void ImportTest::runInfoHasEveryKey() {
    const auto trace = importText(
        R"({"schemaVersion": 1, "deviceProperties": [{"id": 3, "name": "NVIDIA H200",
            "totalGlobalMem": 150109880320, "computeMajor": 9, "computeMinor": 1, "numSms": 132,
            "warpSize": 32, "maxThreadsPerMultiprocessor": 2048, "new": [1]}],
            "my key": {"a": ["b", "\u0041"]}, "traceEvents": [],
            "distributedInfo": {"backend": "nccl", "rank": 2, "world_size": 8},
            "baseTimeNanoseconds": 1790857026000000000, "traceName": "C:\\x\\y.json"})");
    QVERIFY(trace);
    QVERIFY((*trace)->log().empty());
    const RunInfo& info = (*trace)->info();
    QCOMPARE(info.format, std::string("Kineto JSON"));
    QCOMPARE(info.path, std::string("test.json"));
    QCOMPARE(info.baseTimeNs, std::optional<TimeNs>(1790857026000000000));
    QCOMPARE(info.devices.size(), 1U);
    const DeviceProperties* device = info.device(3);
    QVERIFY(device != nullptr);
    QCOMPARE(device->name, std::string("NVIDIA H200"));
    QCOMPARE(device->totalMemoryBytes, 150109880320U);
    QCOMPARE(device->computeMajor, 9);
    QCOMPARE(device->computeMinor, 1);
    QCOMPARE(device->multiprocessors, 132);
    QCOMPARE(device->warpSize, 32);
    QCOMPARE(device->maxThreadsPerMultiprocessor, 2048);
    QVERIFY(info.distributed);
    QCOMPARE(info.distributed->backend, std::string("nccl"));
    QCOMPARE(info.distributed->rank, 2);
    QCOMPARE(info.distributed->worldSize, 8);
    QCOMPARE(info.fields.size(), 6U);
    QCOMPARE(info.fields[2].key, std::string("my key"));
    QCOMPARE(info.fields[2].json, std::string(R"({"a": ["b", "\u0041"]})"));
    QCOMPARE(info.fields[5].json, std::string(R"("C:\\x\\y.json")"));
}

void ImportTest::keysMayComeInAnyOrder() {
    const auto trace =
        importText(R"( {"traceName":"x","traceEvents":[{"dur":2,"ts":1,"ph":"X"}],"other":{}} )");
    QVERIFY(trace);
    QCOMPARE((*trace)->sliceCount(), 1U);
    QCOMPARE((*trace)->info().fields.size(), 2U);
    QCOMPARE((*trace)->info().fields[1].key, std::string("other"));
}

void ImportTest::bareArrayIsATrace() {
    const auto trace = importText(" [ " + completeEvent(R"("cat": "x")") + ", " +
                                  completeEvent(R"("id": 1)") + "]\n");
    QVERIFY(trace);
    QVERIFY((*trace)->log().empty());
    QCOMPARE((*trace)->sliceCount(), 2U);
    QCOMPARE((*trace)->info().format, std::string("Chrome JSON"));
    QVERIFY(importText("[]"));
}

void ImportTest::byteOrderMarkIsSkipped() {
    const auto trace = importText("\xEF\xBB\xBF[" + completeEvent(R"("cat": "x")") + "]");
    QVERIFY(trace);
    QCOMPARE((*trace)->offset(0), 4U);
}

void ImportTest::textMayBeCutIntoChunksAnywhere() {
    const std::string text =
        "\xEF\xBB\xBF\n {\"schemaVersion\": 1, \"big\": [1, {\"a\": \"b\"}, null], "
        "\"traceEvents\": [" +
        completeEvent(R"("cat": "kernel", "args": {"grid": [1, 2, 3], "stream": 17})") + " ,\n" +
        completeEvent("\"args\": {\"s\": \"line\nbreak\", \"n\": NaN}") + "\n  , " +
        R"({"ph": "i", "ts": 2.25, "name": "\u00e9", "s": "g"})" + "], \"last\": 12.5}";
    const auto whole = importText(text);
    for (std::size_t chunk = 1; chunk < text.size() + 2; ++chunk) {
        const auto cut = importText(text, chunk);
        QVERIFY(cut);
        const Trace& a = **whole;
        const Trace& b = **cut;
        QCOMPARE(b.sliceCount(), 2U);
        QCOMPARE(b.offset(1), a.offset(1));
        QCOMPARE(b.gpuOperations()[0].stream, 17);
        QCOMPARE(b.text(b.instants()[0].name), std::string_view("é"));
        QCOMPARE(b.info().fields.size(), 3U);
        QCOMPARE(b.info().fields[1].json, a.info().fields[1].json);
        QCOMPARE(b.info().fields[2].json, std::string("12.5"));
        QCOMPARE(b.info().textBytes, text.size());
        QCOMPARE(b.log().sorted().size(), 2U);
        QCOMPARE(b.log().events, 3U);
    }
}

QTEST_APPLESS_MAIN(ImportTest)
#include "ImportTest.moc"
