// SPDX-License-Identifier: Apache-2.0
// Exports of Nsight Systems: databases of several versions made here, what stands in their rows,
// damaged and hostile ones. KINETOSCOPE_MUTATIONS says how many damaged ones.
#include <sqlite3.h>

#include <QtTest>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/analysis/Steps.h"
#include "core/cut/Cut.h"
#include "core/json/Json.h"
#include "core/memory/TraceHistory.h"
#include "core/query/LaunchLinks.h"
#include "core/text/GzipWriter.h"
#include "tests/core/import/NsysFixture.h"
#include "tests/support/DatabaseText.h"
#include "tests/support/Mutator.h"
#include "tests/support/SameTrace.h"
#include "tests/support/TraceText.h"
#include "tests/support/WholeCut.h"

using namespace kinetoscope;
using namespace kinetoscope::trace;
using namespace kinetoscope::test::nsys;

namespace {

using Loaded = Result<std::shared_ptr<const Trace>>;

SliceId sliceOf(const Trace& trace, std::string_view name) {
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.name(slice) == name) {
            return slice;
        }
    }
    return kNoSlice;
}

nlohmann::json argumentsOf(const Trace& trace, std::uint64_t offset) {
    const auto text = trace.eventText()->event(offset);
    const auto event = text ? json::parseJson(*text) : tl::unexpected(text.error());
    return event && event->contains("args") ? (*event)["args"] : nlohmann::json();
}

std::shared_ptr<const Trace> loaded(const std::string& sql) {
    const std::string bytes = test::databaseOf(sql);
    const Loaded trace = test::importText(bytes);
    if (!trace) {
        throw std::runtime_error(trace.error().message);
    }
    return *trace;
}

std::string messageOf(const std::string& sql) {
    const std::string bytes = test::databaseOf(sql);
    const Loaded trace = test::importText(bytes);
    return trace ? "" : trace.error().message;
}

}  // namespace

class ImportNsysTest : public QObject {
    Q_OBJECT

private slots:
    // SQLite takes "abc" for 0 where a number is asked for.
    void textsThatAreNoTimes() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("run.sqlite").toStdString();
        sqlite3* database = nullptr;
        QCOMPARE(sqlite3_open(path.c_str(), &database), SQLITE_OK);
        const std::string sql =
            test::nsys::kTexts +
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, streamId, correlationId,"
            " globalPid, demangledName);" +
            test::nsys::rowsOf("CUPTI_ACTIVITY_KIND_KERNEL",
                               "(1000, 1100, 0, 7, 1, $process, 2),"
                               "('abc', '1200', 0, 7, 2, $process, 2),"
                               "('', 1200, 0, 7, 3, $process, 2), (x'00', 9, 0, 7, 4, $process, 2),"
                               "('1300', '1400', 0, 7, 5, $process, 2),"
                               "('0', 10, 0, 7, 6, $process, 2), (0.0, 10, 0, 7, 7, $process, 2)");
        QCOMPARE(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(database);
        const auto trace = import::loadTrace(path);
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE((*trace)->gpuOperations().size(), 4U);
        QCOMPARE((*trace)->log().find("missing_ts")->count, 3U);
        QCOMPARE((*trace)->log().find("missing_ts")->example, "abc");
        QCOMPARE((*trace)->log().skipped, 3U);
    }
    void gpuWorkWithItsLaunches() {
        const auto trace = loaded(recent());
        QVERIFY2(trace->log().empty() ||
                     test::logText(trace->log()).find("unfinished") != std::string::npos,
                 test::logText(trace->log()).c_str());
        const auto operations = trace->gpuOperations();
        QCOMPARE(operations.size(), 4U);
        const GpuOperation& kernel = operations[0];
        QCOMPARE(trace->name(kernel.slice), std::string_view("void gemm<(int)4>(float *)"));
        QCOMPARE(trace->start(kernel.slice), 2000);
        QCOMPARE(trace->duration(kernel.slice), 600);
        QCOMPARE(kernel.grid, (std::array<std::uint32_t, 3>{5, 6, 7}));
        QCOMPARE(kernel.block, (std::array<std::uint16_t, 3>{128, 2, 1}));
        QVERIFY(kernel.registers == 32 && kernel.sharedBytes == 128 && kernel.stream == 7);
        QCOMPARE(operations[1].graph, 9U);
        QCOMPARE(trace->name(operations[2].slice),
                 std::string_view("Memcpy HtoD (Pageable -> Device)"));
        QCOMPARE(operations[2].bytes, 4096U);
        QCOMPARE(trace->name(operations[3].slice), std::string_view("Memset (Device)"));
        const query::LaunchLinks links(*trace);
        QCOMPARE(trace->name(links.apiCall(0)), std::string_view("cudaLaunchKernel"));
        QCOMPARE(trace->name(links.launchingOperator(0)), std::string_view("aten::mm"));
        QVERIFY(links.isGraphLaunch(1));
        QCOMPARE(trace->name(links.apiCall(2)), std::string_view("cuMemcpyHtoDAsync_v2"));
        QCOMPARE(trace->category(links.apiCall(2)), Category::Driver);
        QCOMPARE(links.apiCall(3), kNoSlice);
        const RunInfo& info = trace->info();
        QCOMPARE(info.format, std::string("Nsight Systems 2026.2.1.210, SQLite"));
        QCOMPARE(info.baseTimeNs.value_or(0), 1700000000000000000);
        QVERIFY(info.device(0) != nullptr && info.device(0)->multiprocessors == 132);
    }

    void rangesNestAndEnd() {
        const auto trace = loaded(recent());
        const SliceId step = sliceOf(*trace, "step#1");
        const SliceId op = sliceOf(*trace, "aten::mm");
        QCOMPARE(trace->category(step), Category::UserAnnotation);
        QCOMPARE(trace->category(op), Category::CpuOp);
        QCOMPARE(trace->category(sliceOf(*trace, "Optimizer.step#Adam.step")),
                 Category::UserAnnotation);
        QCOMPARE(trace->trackOf(op), trace->trackOf(step));
        QCOMPARE(trace->text(trace->tracks()[trace->trackOf(op)].name), std::string_view("loader"));
        const SliceId open = sliceOf(*trace, "still open");
        QCOMPARE(trace->end(open), trace->extent().end);
        QCOMPARE(trace->end(open), 5000);
        QCOMPARE(trace->log().find("unfinished_begin")->count, 1U);
        const SliceId free = sliceOf(*trace, "request");
        QCOMPARE(trace->tracks()[trace->trackOf(free)].kind, TrackKind::Async);
        QCOMPARE(trace->instants().size(), 1U);
        QCOMPARE(trace->text(trace->instants()[0].name), std::string_view("here"));
        const auto steps = analysis::findSteps(*trace);
        QCOMPARE(steps.size(), 2U);
        QCOMPARE(steps[0].kernels, 2U);
        // The domain's and category's own rows are names, not events.
        QCOMPARE(sliceOf(*trace, "NCCL"), kNoSlice);
        const auto words = argumentsOf(*trace, trace->offset(sliceOf(*trace, "registered")));
        QCOMPARE(words["domain"], "NCCL");
        QCOMPARE(words["NVTX category"], "slow ones");
        QCOMPARE(argumentsOf(*trace, trace->offset(op))["Input Dims"].dump(),
                 std::string("[[2,3],[3,4]]"));
    }

    void detailsAreInKinetosWords() {
        const auto trace = loaded(recent());
        const auto words = argumentsOf(*trace, trace->offset(trace->gpuOperations()[0].slice));
        QCOMPARE(words["grid"].dump(), std::string("[5,6,7]"));
        QCOMPARE(words["registers per thread"], 32);
        QCOMPARE(words["correlation"], 11);
        QCOMPARE(words["shortName"], "gemm");
        QCOMPARE(words["contextId"], 1);
        const auto copy = argumentsOf(*trace, trace->offset(trace->gpuOperations()[2].slice));
        QCOMPARE(copy["copyKind"], "Host-to-Device");
    }

    void theRestOfTheTables() {
        const auto trace = loaded(
            recent() + "CREATE TABLE OSRT_API(start, end, eventClass, globalTid, nameId);" +
            rowsOf("OSRT_API", "(100, 200, 27, $thread, 7)") +
            "CREATE TABLE MPI_COLLECTIVES_EVENTS(start, end, globalTid, textId, size);" +
            rowsOf("MPI_COLLECTIVES_EVENTS", "(210, 220, $thread, 6, 8)") +
            "CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD(start, end, globalTid, nameId, "
            "overheadType);" +
            rowsOf("CUPTI_ACTIVITY_KIND_OVERHEAD", "(300, 350, $thread, 9, 7)") +
            "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start, end, deviceId, streamId,"
            " correlationId, globalPid, syncType, eventId);" +
            rowsOf("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                   "(400, 450, 0, 9, 21, $process, 2, 55), (460, 470, 0, 4294967295, 22, $process, "
                   "4, 0)") +
            "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start, end, deviceId, streamId,"
            " correlationId, globalPid, graphId);" +
            rowsOf("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "(500, 600, 0, 7, 31, $process, 12)") +
            "CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS(start, globalPid, deviceId, address, bytes,"
            " memKind, memoryOperationType);" +
            rowsOf("CUDA_GPU_MEMORY_USAGE_EVENTS",
                   "(700, $process, 0, 4096, 1000, 2, 0), (800, $process, 0, 4096, 1000, 2, 1)") +
            "CREATE TABLE GPU_METRICS(timestamp, typeId, metricId, value);"
            "INSERT INTO GPU_METRICS VALUES (900, 256, 3, 42), (910, 256, 3, NULL);"
            "CREATE TABLE TARGET_INFO_GPU_METRICS(typeId, metricId, metricName);"
            "INSERT INTO TARGET_INFO_GPU_METRICS VALUES (256, 3, 'SMs Active');"
            "CREATE TABLE SCHED_EVENTS(start, cpu); INSERT INTO SCHED_EVENTS VALUES (1, 2);");
        const SliceId call = sliceOf(*trace, "read");
        QCOMPARE(trace->categoryText(trace->categoryId(call)), std::string_view("osrt"));
        const SliceId collective = sliceOf(*trace, "loader");
        QVERIFY(collective != kNoSlice);
        QCOMPARE(trace->categoryText(trace->categoryId(collective)),
                 std::string_view("mpi_collectives"));
        QCOMPARE(trace->category(sliceOf(*trace, "Lazy Function Loading")), Category::Overhead);
        const SliceId wait = sliceOf(*trace, "Stream Wait Event");
        QCOMPARE(trace->category(wait), Category::CudaSync);
        const auto words = argumentsOf(*trace, trace->offset(wait));
        QVERIFY(words["stream"] == 9 && words["wait_on_cuda_event_id"] == 55);
        QCOMPARE(argumentsOf(*trace, trace->offset(sliceOf(*trace, "Context Sync")))["stream"], -1);
        QCOMPARE(trace->category(sliceOf(*trace, "CUDA graph 12")), Category::Kernel);
        QCOMPARE(trace->counters().size(), 1U);
        QCOMPARE(trace->counters()[0].value, 42.0);
        QCOMPARE(trace->log().find("counter_without_value")->count, 1U);
        QVERIFY(trace->log().find("table_not_read")->example.starts_with("SCHED_EVENTS"));
        const auto history = memory::historyOf(*trace, {});
        QVERIFY2(history, history ? "" : history.error().message.c_str());
    }

    void aMinimalOneOpens() {
        const auto trace =
            loaded(kTexts +
                   "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, streamId,"
                   " shortName); INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 30, 1, 7, 4);"
                   "CREATE TABLE NVTX_EVENTS(text, globalTid, start, end);" +
                   rowsOf("NVTX_EVENTS", "('a range', $thread, 0, 50)"));
        QCOMPARE(trace->gpuOperations().size(), 1U);
        QCOMPARE(trace->gpuOperations()[0].gpu, 1);
        QCOMPARE(trace->name(trace->gpuOperations()[0].slice), std::string_view("second()"));
        QCOMPARE(trace->duration(sliceOf(*trace, "a range")), 50);
        QVERIFY(trace->log().empty());
    }

    void processesAreCalledByTheirRanks() {
        const std::string run = kTexts + "CREATE TABLE OSRT_API(start, end, globalTid, nameId);" +
                                rowsOf("OSRT_API", "(1, 2, $thread, 7)") +
                                "CREATE TABLE MPI_RANKS(globalTid, rank);" +
                                rowsOf("MPI_RANKS", "($thread, 3)");
        const auto plain = loaded(run);
        QCOMPARE(plain->text(plain->processes()[0].name), "rank 3");
        const auto named = loaded(run + "CREATE TABLE PROCESSES(globalPid, name);" +
                                  rowsOf("PROCESSES", "($process, 'app')"));
        QCOMPARE(named->text(named->processes()[0].name), "app (rank 3)");
    }

    void textsAreUtf8() {
        const auto trace = loaded(
            "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
            "INSERT INTO StringIds VALUES(1, CAST(x'6bff6b' AS TEXT)), (2, 'k\u00e4');"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, streamId, "
            "demangledName);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(10, 20, 0, 7, 1), (30, 40, 0, 7, 2);"
            "CREATE TABLE NVTX_EVENTS(start, end, eventType, text, globalTid);" +
            rowsOf("NVTX_EVENTS", "(1, 2, 59, CAST(x'c36e' AS TEXT), $thread)"));
        for (const char* name : {"k\ufffdk", "k\u00e4", "\ufffdn"}) {
            const SliceId slice = sliceOf(*trace, name);
            QVERIFY2(slice != kNoSlice, name);
            const auto words = trace->eventText()->event(trace->offset(slice));
            QVERIFY(words && words->find(name) != std::string::npos);
        }
    }

    // Tables and columns as the first exports of 2021 called them; numbers written as texts.
    void anEarlyOneOpens() {
        const auto trace = loaded(
            kTexts +
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start TEXT, end TEXT, deviceId INT,"
            " streamId INT, correlationId TEXT, globalPid INT, demangledName TEXT, shortName INT,"
            " gridX TEXT, graphNodeId INT);" +
            rowsOf("CUPTI_ACTIVITY_KIND_KERNEL",
                   "('2000', '2600', 0, 7, '11', $process, '2', 3, '5', 38654705674),"
                   "('2700', '3000', 0, 7, '12', $process, '2', 3, '6', 0)") +
            "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start, end, eventClass, globalTid,"
            " correlationId, nameId);" +
            rowsOf("CUPTI_ACTIVITY_KIND_RUNTIME",
                   "(1100, 1200, 0, $thread, 11, 10), (1300, 1350, 0, $thread, 12, 1)") +
            "CREATE TABLE NVTX_EVENTS(start, end DEFAULT -1, eventType, text, globalTid);" +
            rowsOf("NVTX_EVENTS",
                   "(1000, -1, 59, 'open', $thread), (900, 0, 60, 'free', $thread),"
                   "(1500, 1400, 59, 'backwards', $thread)") +
            "CREATE TABLE TARGET_INFO_CUDA_GPU(deviceId, name, globalMemorySize,"
            " computeCapabilityMajor, computeCapabilityMinor, numMultiprocessors,"
            " numThreadsPerWarp, maxWarpsPerMultiprocessor);"
            "INSERT INTO TARGET_INFO_CUDA_GPU VALUES (0, 'A100', 42949672960, 8, 0, 108, 32, 64);"
            "CREATE TABLE EXPORT_META_DATA(name, value);"
            "INSERT INTO EXPORT_META_DATA VALUES ('EXPORT_PRODUCT_VERSION', '2021.1.1');");
        const auto operations = trace->gpuOperations();
        QCOMPARE(operations.size(), 2U);
        QVERIFY(operations[0].grid[0] == 5 && operations[0].graph == 9 && operations[1].graph == 0);
        QCOMPARE(trace->duration(operations[0].slice), 600);
        QCOMPARE(trace->name(operations[0].slice), std::string_view("void gemm<(int)4>(float *)"));
        const query::LaunchLinks links(*trace);
        QVERIFY(links.isGraphLaunch(0) && !links.isGraphLaunch(1));
        QCOMPARE(trace->end(sliceOf(*trace, "open")), 3000);
        QCOMPARE(trace->end(sliceOf(*trace, "free")), 3000);
        QCOMPARE(trace->log().find("unfinished_begin")->count, 2U);
        QCOMPARE(trace->log().find("negative_duration")->count, 1U);
        const RunInfo& info = trace->info();
        QCOMPARE(info.format, std::string("Nsight Systems 2021.1.1, SQLite"));
        QVERIFY(info.device(0) != nullptr && info.device(0)->multiprocessors == 108);
        QCOMPARE(info.device(0)->maxThreadsPerMultiprocessor, 2048);
    }

    // Work and calls that name no device, process or thread are not of one row.
    void whatNamesNoPlaceIsKeptApart() {
        const auto trace =
            loaded(kTexts +
                   "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, shortName, correlationId);"
                   "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 30, 4, 1);"
                   "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start, end, nameId, correlationId);"
                   "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (5, 12, 1, 1);");
        QCOMPARE(trace->sliceCount(), 2U);
        const Track& stream = trace->tracks()[trace->trackOf(0)];
        const Track& thread = trace->tracks()[trace->trackOf(1)];
        QVERIFY(stream.process != thread.process);
        QCOMPARE(trace->text(trace->processes()[stream.process].labels), std::string_view("GPU 0"));
        QCOMPARE(trace->name(query::LaunchLinks(*trace).apiCall(0)),
                 std::string_view("cudaLaunchKernel"));
    }

    // Correlations and streams are a process's own; its devices too.
    void processesAreKeptApart() {
        const std::int64_t other = kProcess + (std::int64_t{1} << 24);
        // Both calls come before both kernels, so that the order does not tell what belongs
        // together.
        const auto row = [&](std::int64_t process, std::int64_t time, int device) {
            return "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" + std::to_string(time + 1000) +
                   "," + std::to_string(time + 1010) + "," + std::to_string(device) + ", 7, 1, " +
                   std::to_string(process) + ", 3);" +
                   "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" + std::to_string(time - 5) +
                   "," + std::to_string(time - 1) + "," + std::to_string(process + 9) + ", 1, 1);";
        };
        const std::string tables =
            kTexts +
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, streamId,"
            " correlationId, globalPid, shortName);"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start, end, globalTid, correlationId, "
            "nameId);" +
            row(kProcess, 100, 0) + row(other, 200, 0);
        const auto check = [](const Trace& trace) {
            const query::LaunchLinks links(trace);
            for (GpuOpId id = 0; id < 2; ++id) {
                QCOMPARE(trace.start(trace.gpuOperations()[id].slice),
                         trace.start(links.apiCall(id)) + 1005);
            }
        };
        const auto shared = loaded(tables);
        check(*shared);
        QCOMPARE(shared->gpuOperations()[0].gpu, shared->gpuOperations()[1].gpu);
        QVERIFY(shared->gpuOperations()[0].stream != shared->gpuOperations()[1].stream);
        const auto apart =
            loaded(tables +
                   "CREATE TABLE TARGET_INFO_CUDA_DEVICE(gpuId, cudaId, pid);"
                   "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (2, 0, 300), (3, 0, 301);");
        check(*apart);
        QCOMPARE(apart->gpuOperations()[0].gpu, 2);
        QCOMPARE(apart->gpuOperations()[1].gpu, 3);
        QVERIFY(apart->gpuOperations()[0].stream == 7 && apart->gpuOperations()[1].stream == 7);
    }

    void anyNumberOfThreadsGivesTheSame() {
        const std::string bytes = test::databaseOf(
            kTexts +
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, streamId,"
            " correlationId, shortName, gridX);"
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000)"
            " INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(rowid, start, end, deviceId, streamId,"
            " correlationId, shortName, gridX)"
            " SELECT i * 150, i * 10, i * 10 + 7, i % 2, i % 5, i, 2 + i % 3, i FROM n;");
        std::shared_ptr<const Trace> first;
        for (const unsigned threads : {1U, 2U, 7U}) {
            import::LoadOptions options;
            Progress progress;
            options.threads = threads;
            options.progress = &progress;
            const Loaded trace = test::importText(bytes, 4096, options);
            QVERIFY(trace);
            QCOMPARE((*trace)->sliceCount(), 3'000U);
            QCOMPARE(progress.fraction(), 1.0);
            first = first ? first : *trace;
            QCOMPARE(test::difference(*first, **trace), std::string());
        }
        std::stop_source stop;
        stop.request_stop();
        import::LoadOptions options;
        options.stop = stop.get_token();
        const Loaded stopped = test::importText(bytes, 4096, options);
        QVERIFY(!stopped && stopped.error().kind == ErrorKind::Cancelled);
    }

    void compressedAndCutFiles() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("report.sqlite").toStdString();
        const std::string bytes = test::databaseOf(recent());
        std::ofstream(path, std::ios::binary) << bytes;
        const Loaded plain = import::loadTrace(path);
        QVERIFY2(plain, plain ? "" : plain.error().message.c_str());
        auto file = text::OutputFile::create(path + ".gz");
        text::GzipWriter gzip(*file);
        QVERIFY(gzip.write(bytes) && gzip.finish() && file->commit());
        const Loaded unpacked = import::loadTrace(path + ".gz");
        QVERIFY2(unpacked, unpacked ? "" : unpacked.error().message.c_str());
        QVERIFY((*unpacked)->info().format.ends_with(", gzip"));
        QCOMPARE((*unpacked)->sliceCount(), (*plain)->sliceCount());
        QVERIFY(!argumentsOf(**unpacked, (*unpacked)->offset(0)).empty());
        std::ofstream(path + ".cut", std::ios::binary) << bytes.substr(0, bytes.size() * 3 / 4);
        const Loaded cut = import::loadTrace(path + ".cut");
        QVERIFY2(cut, cut ? "" : cut.error().message.c_str());
        QVERIFY((*cut)->log().find("truncated_text") != nullptr);
    }

    // A program that still runs has written into the log beside the database only.
    void whatStandsInTheWriteAheadLogIsRead() {
        QTemporaryDir folder;
        const auto at = [&](const char* name) { return folder.filePath(name).toStdString(); };
        sqlite3* writer = nullptr;
        QCOMPARE(sqlite3_open(at("live.sqlite").c_str(), &writer), SQLITE_OK);
        const auto run = [&](const std::string& sql) {
            QCOMPARE(sqlite3_exec(writer, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
        };
        const auto addKernels = [&](int first, int behind) {
            run("BEGIN");
            for (int i = first; i < behind; ++i) {
                run("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" + std::to_string(i * 10) +
                    ", " + std::to_string(i * 10 + 4) + ", 2)");
            }
            run("COMMIT");
        };
        run("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;" + kTexts +
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, shortName)");
        addKernels(0, 100);
        run("PRAGMA wal_checkpoint(TRUNCATE)");
        addKernels(100, 1000);
        addKernels(1000, 3000);
        std::filesystem::copy_file(at("live.sqlite"), at("copy.sqlite"));
        std::filesystem::copy_file(at("live.sqlite-wal"), at("copy.sqlite-wal"));
        sqlite3_close(writer);
        const auto kernels = [&] {
            const Loaded trace = import::loadTrace(at("copy.sqlite"));
            return trace ? (*trace)->gpuOperations().size() : 0;
        };
        QCOMPARE(kernels(), 3000U);
        const auto trace = *import::loadTrace(at("copy.sqlite"));
        QVERIFY(trace->log().find("write_ahead_log") != nullptr);
        QCOMPARE(argumentsOf(*trace, trace->offset(2900))["device"], 0);
        // What was not committed whole does not count.
        const auto bytes = std::filesystem::file_size(at("copy.sqlite-wal"));
        std::fstream log(at("copy.sqlite-wal"), std::ios::in | std::ios::out | std::ios::binary);
        log.seekp(static_cast<std::streamoff>(bytes) - 100);
        log.put('?');
        log.close();
        QCOMPARE(kernels(), 1000U);
        std::filesystem::remove(at("copy.sqlite-wal"));
        QCOMPARE(kernels(), 100U);
    }

    void aPartCutOutReadsBack() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("report.sqlite").toStdString();
        std::ofstream(path, std::ios::binary) << test::databaseOf(recent());
        const Loaded trace = import::loadTrace(path);
        const auto again = test::readWholeCut(**trace);
        QCOMPARE(again->sliceCount(), (*trace)->sliceCount());
        QCOMPARE(again->gpuOperations().size(), (*trace)->gpuOperations().size());
        QCOMPARE(again->gpuOperations()[0].grid, (*trace)->gpuOperations()[0].grid);
        QVERIFY(sliceOf(*again, "aten::mm") != kNoSlice);
        QVERIFY(query::LaunchLinks(*again).apiCall(0) != kNoSlice);
    }

    void hostileRowsAreCounted() {
        const std::string kernels =
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId,"
            " streamId, correlationId, globalPid, demangledName, gridX, blockX,"
            " registersPerThread);";
        const auto trace =
            loaded(kernels +
                   "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES"
                   "(NULL, 5, 0, 7, 1, 1, 1, 1, 1, 1), (10, 5, 0, 7, 1, 1, 1, 1, 1, 1),"
                   "(9223372036854775807, 5, 0, 7, 1, 1, 1, 1, 1, 1),"
                   "(20, 9223372036854775807, 0, 7, 1, 1, 1, 1, 1, 1),"
                   "('words', 'more', 'x', 'y', 'z', 'p', 'q', 'r', 's', 't'),"
                   "(-9223372036854775808, 9223372036854775807, -9223372036854775808,"
                   " -9223372036854775808, -9223372036854775808, -9223372036854775808,"
                   " -9223372036854775808, -1, 99999999999, -5),"
                   "(30, 40, 99999999999, 9223372036854775807, 9223372036854775807,"
                   " 9223372036854775807, 5, 99999999999, 99999999999, 99999999999)");
        const ImportLog& log = trace->log();
        QCOMPARE(log.find("missing_ts")->count, 2U);  // words are no time
        QCOMPARE(log.find("time_out_of_range")->count, 2U);
        QCOMPARE(log.find("negative_duration")->count, 1U);
        QCOMPARE(log.find("duration_out_of_range")->count, 1U);
        QVERIFY(log.events == 7 && log.skipped == 4);
        QCOMPARE(trace->sliceCount(), 3U);
        const GpuOperation& last = trace->gpuOperations().back();
        QVERIFY(last.grid[0] == 0xffffffff && last.block[0] == 0xffff && last.registers == 0xffff);
    }

    // By a program that stands in for nsys: prints how far it is, copies a database.
    void reportsAreExportedOnce() {
        FakeNsys nsys;
        nsys.write("echo 'Processing events: 45%'\ncp \"$HERE/made.sqlite\" \"$OUT\"\n");
        std::ofstream(nsys.path("made.sqlite"), std::ios::binary) << test::databaseOf(recent());
        std::ofstream(nsys.report()) << "not for us";
        Progress progress;
        import::LoadOptions options;
        options.progress = &progress;
        for (int time = 0; time < 2; ++time) {
            const Loaded trace = import::loadTrace(nsys.report(), options);
            QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
            QCOMPARE((*trace)->info().path, nsys.report());
            QCOMPARE((*trace)->gpuOperations().size(), 4U);
            QVERIFY(!argumentsOf(**trace, (*trace)->offset(0)).empty());
        }
        QCOMPARE(nsys.runs(), 1);
        QCOMPARE(nsys.kept().size(), 1);
        QVERIFY(nsys.kept().front().startsWith("run-") && nsys.kept().front().endsWith(".sqlite"));
        std::ofstream(nsys.report(), std::ios::app) << ", and more of it";
        QVERIFY(import::loadTrace(nsys.report()));
        QCOMPARE(nsys.runs(), 2);
        QCOMPARE(nsys.kept().size(), 2);
    }

    void reportsThatCannotBeExported() {
        FakeNsys nsys;
        std::ofstream(nsys.report()) << "not for us";
        const auto message = [&] {
            const Loaded trace = import::loadTrace(nsys.report());
            return trace ? QString() : QString::fromStdString(trace.error().message);
        };
        nsys.write("echo 'starting'\necho 'the report is of a newer version' >&2\nexit 3\n");
        QVERIFY2(message().endsWith("ended with 3: the report is of a newer version"),
                 qPrintable(message()));
        nsys.write("echo nothing > \"$OUT\"\n");
        QVERIFY(message().contains("wrote no database: it said nothing"));
        qputenv("KINETOSCOPE_NSYS", "/nonexistent/nsys");
        QVERIFY2(message().contains("run: nsys export --type=sqlite 'run.nsys-rep', and open "
                                    "'run.sqlite'"),
                 qPrintable(message()));
        const int runs = nsys.runs();
        import::LoadOptions alone;
        alone.startsPrograms = false;
        const Loaded refused = import::loadTrace(nsys.report(), alone);
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.ends_with(
                     "no program is started here; run: nsys export --type=sqlite 'run.nsys-rep', "
                     "and open 'run.sqlite'"),
                 refused.error().message.c_str());
        QCOMPARE(nsys.runs(), runs);
        QVERIFY(nsys.kept().isEmpty());
        // What is a database needs no export, whatever it is called.
        std::ofstream(nsys.report(), std::ios::binary) << test::databaseOf(recent());
        QCOMPARE(message(), QString());
    }

    void anExportCanBeCancelled() {
        FakeNsys nsys;
        nsys.write("echo half > \"$OUT\"\nexec sleep 1000\n");
        std::ofstream(nsys.report()) << "not for us";
        std::stop_source stop;
        import::LoadOptions options;
        options.stop = stop.get_token();
        std::jthread stopping([&] {
            while (nsys.runs() == 0) {
                std::this_thread::yield();
            }
            stop.request_stop();
        });
        const Loaded trace = import::loadTrace(nsys.report(), options);
        QVERIFY(!trace && trace.error().kind == ErrorKind::Cancelled);
        QVERIFY(nsys.kept().isEmpty());
    }

    void whatIsNoReportSaysSo() {
        QVERIFY(QString::fromStdString(messageOf("CREATE TABLE songs(a)"))
                    .contains("not of a known profiler (its first tables are songs)"));
        QVERIFY(QString::fromStdString(
                    messageOf("CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT 1 AS start"))
                    .contains("it has no tables"));
        // An export that holds no events is a trace without any.
        QCOMPARE(loaded("CREATE TABLE META_DATA_EXPORT(name, value)")->sliceCount(), 0U);
    }

    void anyBytesEndInATraceOrAMessage() {
        const std::string good = test::databaseOf(recent());
        const std::size_t count = test::mutations(200);
        for (std::uint64_t seed = 0; seed < count; ++seed) {
            test::Mutator mutator(seed);
            const std::string bytes = good.substr(0, 16) + mutator.bytes(good.substr(16));
            const Loaded trace = test::importText(bytes);
            QVERIFY(trace || !trace.error().message.empty());
            for (SliceId slice = 0; trace && slice < (*trace)->sliceCount(); ++slice) {
                (void)(*trace)->eventText()->event((*trace)->offset(slice));
            }
        }
    }
};

QTEST_APPLESS_MAIN(ImportNsysTest)
#include "ImportNsysTest.moc"
