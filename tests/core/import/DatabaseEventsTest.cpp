// SPDX-License-Identifier: Apache-2.0
// What an event of a database says of itself, in a cut and in its text: the same as the trace.
#include <fmt/format.h>

#include <ctime>

#include <QtTest>

#include "core/json/Json.h"
#include "core/query/LaunchLinks.h"
#include "tests/core/import/NsysFixture.h"
#include "tests/support/CutInMemory.h"
#include "tests/support/DatabaseText.h"
#include "tests/support/SliceRows.h"
#include "tests/support/WholeCut.h"

using namespace kinetoscope;
using namespace kinetoscope::trace;
using namespace kinetoscope::test::nsys;

namespace {

// Of kernels with the columns that matter here, and `more`.
std::string kernelTable(const std::string& more = "") {
    return kTexts +
           "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, streamId, correlationId,"
           " globalPid, shortName" +
           more + ");";
}

const std::string kCalls =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start, end, globalTid, correlationId, nameId);";

// A trace, and its cut of everything.
class Database {
public:
    explicit Database(const std::string& sql) : m_file(test::databaseOf(sql)) {
        m_trace = read(m_file.path());
    }
    [[nodiscard]] const Trace& trace() const { return *m_trace; }
    [[nodiscard]] std::shared_ptr<const Trace> cut() const { return test::readWholeCut(*m_trace); }
    [[nodiscard]] nlohmann::json event(std::uint64_t offset) const {
        const auto text = m_trace->eventText()->event(offset);
        const auto event = text ? json::parseJson(*text) : tl::unexpected(text.error());
        if (!event) {
            throw std::runtime_error(event.error().message);
        }
        return *event;
    }
    // The text of every slice says its name and its start.
    [[nodiscard]] bool slicesHaveTheirTexts() const {
        for (SliceId slice = 0; slice < m_trace->sliceCount(); ++slice) {
            const nlohmann::json event = this->event(m_trace->offset(slice));
            if (event["name"] != m_trace->name(slice) ||
                event["ts"].get<double>() * 1000 != static_cast<double>(m_trace->start(slice))) {
                return false;
            }
        }
        return true;
    }

private:
    static std::shared_ptr<const Trace> read(const std::string& path) {
        const auto trace = import::loadTrace(path);
        if (!trace) {
            throw std::runtime_error(trace.error().message);
        }
        return *trace;
    }

    test::MemoryFile m_file;
    std::shared_ptr<const Trace> m_trace;
};

std::vector<std::string> counterRows(const Trace& trace) {
    std::vector<std::string> rows;
    for (const CounterSample& sample : trace.counters()) {
        const Track& track = trace.tracks()[sample.track];
        rows.push_back(fmt::format(
            "{} {} {} '{}' {}", sample.time, trace.rowIdText(trace.processes()[track.process].pid),
            trace.rowIdText(track.tid), trace.text(sample.series), sample.value));
    }
    return rows;
}

std::vector<std::string> sliceNames(const Trace& trace) {
    std::vector<std::string> names;
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        names.emplace_back(trace.name(slice));
    }
    return names;
}

double cpuSeconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// rocpd's calls, and its GPUs.
std::string callsBesideGpus(int calls, int gpus) {
    const auto count = [](int rows) {
        return "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " +
               std::to_string(rows) + ")";
    };
    return "CREATE TABLE rocpd_info_agent(id INTEGER PRIMARY KEY, type TEXT, type_index);" +
           count(gpus) + " INSERT INTO rocpd_info_agent SELECT i, 'GPU', i FROM n;" +
           "CREATE TABLE rocpd_region(id INTEGER PRIMARY KEY, pid, tid, start, end, name_id,"
           " event_id);" +
           count(calls) + " INSERT INTO rocpd_region SELECT i, 99999999, 1, i, i + 1, 1, i FROM n;";
}

}  // namespace

class DatabaseEventsTest : public QObject {
    Q_OBJECT

private slots:
    // Columns beside the value are no series.
    void countersHaveOneSeries() {
        const Database metrics(
            kernelTable() + "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0, 9, 0, 7, 1, 1, 3);" +
            "CREATE TABLE TARGET_INFO_GPU_METRICS(typeId, metricId, metricName);"
            "INSERT INTO TARGET_INFO_GPU_METRICS VALUES (257, 4, 'SM active');"
            "CREATE TABLE GPU_METRICS(timestamp, typeId, metricId, value);"
            "INSERT INTO GPU_METRICS VALUES (5, 257, 4, 50);");
        const Database monitors(
            "CREATE TABLE rocpd_string(id INTEGER PRIMARY KEY, string TEXT);"
            "INSERT INTO rocpd_string VALUES (1, 'KernelExecution'), (2, 'gemm');"
            "CREATE TABLE rocpd_op(id INTEGER PRIMARY KEY, gpuId, queueId, start, end,"
            " description_id, opType_id);"
            "INSERT INTO rocpd_op VALUES (1, 0, 0, 100, 200, 2, 1);"
            "CREATE TABLE rocpd_monitor(id INTEGER PRIMARY KEY, deviceType, deviceId, monitorType,"
            " start, end, value);"
            "INSERT INTO rocpd_monitor VALUES (1, 'gpu', 0, 'sclk', 120, 150, '1200');");
        for (const Database* database : {&metrics, &monitors}) {
            QCOMPARE(database->trace().counters().size(), 1U);
            QCOMPARE(counterRows(*database->cut()), counterRows(database->trace()));
        }
    }

    // The trace's last slice ends before its last sample, with which a cut would end.
    void rangesWithoutAnEndLastAsLong() {
        const Database database(
            recent() + rowsOf("NVTX_EVENTS", "(4300, 0, 60, NULL, 'request 2', $thread, NULL, 0)") +
            "CREATE TABLE GPU_METRICS(timestamp, typeId, metricId, value);"
            "INSERT INTO GPU_METRICS VALUES (9000, 257, 4, 50);");
        const Trace& trace = database.trace();
        QCOMPARE(test::sliceRows(*database.cut()), test::sliceRows(trace));
        for (const auto& [name, duration] : {std::pair{"still open", 0.8}, {"request 2", 0.7}}) {
            const std::vector<std::string> names = sliceNames(trace);
            const auto slice = std::ranges::find(names, name) - names.begin();
            QCOMPARE(trace.end(static_cast<SliceId>(slice)), 5000);
            QCOMPARE(database.event(trace.offset(static_cast<SliceId>(slice)))["dur"], duration);
        }
    }

    void namesOfSeveralNumbersAreKeptApart() {
        const Database database(
            kernelTable() +
            "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start, end, deviceId, streamId, globalPid,"
            " copyKind, srcKind, dstKind);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (10, 11, 0, 7, 1, 1, 0, 100),"
            " (20, 21, 0, 7, 1, 1, 1, 0), (30, 31, 0, 7, 1, 1, NULL, 0);"
            "CREATE TABLE ENUM_CUDA_MEM_KIND(id INTEGER PRIMARY KEY, name, label);"
            "INSERT INTO ENUM_CUDA_MEM_KIND VALUES (0, 'a', 'Pageable'), (1, 'b', 'Pinned'),"
            " (100, 'c', 'Hundred');"
            "CREATE TABLE TARGET_INFO_GPU_METRICS(typeId, metricId, metricName);"
            "INSERT INTO TARGET_INFO_GPU_METRICS VALUES (256, 1000, 'SM active'),"
            " (257, 0, 'DRAM read');"
            "CREATE TABLE GPU_METRICS(timestamp, typeId, metricId, value);"
            "INSERT INTO GPU_METRICS VALUES (12, 256, 1000, 50), (13, 257, 0, 7);");
        QCOMPARE(sliceNames(database.trace()),
                 (std::vector<std::string>{"Memcpy HtoD (Pageable -> Hundred)",
                                           "Memcpy HtoD (Pinned -> Pageable)", "Memcpy HtoD"}));
        QCOMPARE(counterRows(database.trace()),
                 (std::vector<std::string>{"12 0 SM active '' 50", "13 1 DRAM read '' 7"}));
    }

    void launchesAreFoundInAnyOrderOfEvents() {
        const Database database(
            "CREATE TABLE rocpd_event(id INT, stack_id INT);"
            "INSERT INTO rocpd_event VALUES (3, 8), (4, 8), (1, 7), (2, 7);"
            "CREATE TABLE rocpd_region(id INTEGER PRIMARY KEY, pid, tid, start, end, event_id);"
            "INSERT INTO rocpd_region VALUES (1, 1, 1, 10, 11, 1), (2, 1, 1, 20, 21, 3);"
            "CREATE TABLE rocpd_kernel_dispatch(id INTEGER PRIMARY KEY, agent_id, start, end,"
            " event_id);"
            "INSERT INTO rocpd_kernel_dispatch VALUES (1, 1, 12, 13, 2), (2, 1, 22, 23, 4);");
        const query::LaunchLinks links(database.trace());
        QVERIFY(links.apiCall(0) != kNoSlice && links.apiCall(1) != kNoSlice);
        QCOMPARE(database.trace().start(links.apiCall(0)), 10);
        QCOMPARE(database.trace().start(links.apiCall(1)), 20);
    }

    // Eight times as many calls and GPUs take some eight times as long.
    void timeGrowsWithTheNumberOfGpus() {
        constexpr int kRows = 2'000;
        constexpr int kLarger = 8;
        const test::MemoryFile small(test::databaseOf(callsBesideGpus(kRows, kRows)));
        const test::MemoryFile large(
            test::databaseOf(callsBesideGpus(kLarger * kRows, kLarger * kRows)));
        double least = std::numeric_limits<double>::max();
        for (int round = 0; round < 5; ++round) {
            const double begin = cpuSeconds();
            QVERIFY(import::loadTrace(small.path()));
            const double between = cpuSeconds();
            QVERIFY(import::loadTrace(large.path()));
            least = std::min(least, (cpuSeconds() - between) / (between - begin));
        }
        QVERIFY2(least < 2.0 * kLarger, fmt::format("{} times as long", least).c_str());
    }

    void columnsAreNotTakenForArguments() {
        const Database database(
            kernelTable(", \"device\", \"correlation\", \"External id\", \"bytes\", \"stream\","
                        " \"stream (column)\"") +
            rowsOf("CUPTI_ACTIVITY_KIND_KERNEL",
                   "(10, 20, 0, 7, 1, $process, 3, 3, 77, 5, 9, 44, 45)"));
        const Trace& trace = database.trace();
        QCOMPARE(test::sliceRows(*database.cut()), test::sliceRows(trace));
        const nlohmann::json arguments = database.event(trace.offset(0))["args"];
        QVERIFY(arguments["correlation"] == 1 && arguments["correlation (column)"] == 77);
        QVERIFY(arguments["stream"] == 7 && arguments["stream (column)"] == 45);
        QCOMPARE(arguments["stream (column) (column)"], 44);
        QCOMPARE(arguments["External id (column)"], 5);
        QVERIFY(!arguments.contains("External id"));
    }

    // What an expression says of each row may take long.
    void computedColumnsAreNotRead() {
        for (const char* name : {"demangledName", "rowid"}) {
            const Database database(
                kernelTable(fmt::format(", {} AS (3 + deviceId)", name)) +
                rowsOf("CUPTI_ACTIVITY_KIND_KERNEL", "(10, 20, 0, 7, 1, $process, 3)"));
            const Trace& trace = database.trace();
            QCOMPARE(trace.sliceCount(), 1U);
            QCOMPARE(test::sliceRows(*database.cut()), test::sliceRows(trace));
            const nlohmann::json event = database.event(trace.offset(0));
            QCOMPARE(event["name"], trace.name(0));
            QVERIFY(!event["args"].contains(name));
        }
    }

    // Such rows come from tables whose numbers are given by hand. Each has its own text, of
    // whatever number the rows of tables before and behind it are.
    void rowsOfAnyNumberHaveTheirTexts() {
        const std::string calls = kCalls + rowsOf("CUPTI_ACTIVITY_KIND_RUNTIME",
                                                  "(100, 110, $thread, 51, 1),"
                                                  "(200, 210, $thread, 52, 1)");
        for (const std::string numbers :
             {"281474976710656, 281474976710657", "-3, 2", "-281474976710655, 1",
              "9223372036854775807, -9223372036854775808", "281474976710655, 0"}) {
            const std::size_t comma = numbers.find(',');
            const auto kernel = [&](const std::string& number, int time) {
                return "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(rowid, start, end, deviceId,"
                       " streamId, correlationId, globalPid, shortName) VALUES (" +
                       number + "," + std::to_string(time) + "," + std::to_string(time + 5) +
                       ", 0, 7, " + std::to_string(time) + ", 1, 3);";
            };
            const Database database(kernelTable() + kernel(numbers.substr(0, comma), 120) +
                                    kernel(numbers.substr(comma + 1), 220) + calls);
            QCOMPARE(database.trace().sliceCount(), 4U);
            QVERIFY2(database.slicesHaveTheirTexts(), numbers.c_str());
            QCOMPARE(test::sliceRows(*database.cut()), test::sliceRows(database.trace()));
        }
    }

    void devicesBeyondAllNumbersAreUnknown() {
        const Database database(kernelTable() +
                                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES"
                                " (0, 9, 0, 7, 1, 1, 3), (10, 19, 4294967296, 7, 2, 1, 3),"
                                " (20, 29, -2, 7, 3, 1, 3);");
        const Trace& trace = database.trace();
        QCOMPARE(trace.gpuOperations()[0].gpu, 0);
        QCOMPARE(trace.gpuOperations()[1].gpu, -1);
        QCOMPARE(trace.gpuOperations()[2].gpu, -1);
        const Track& row = trace.tracks()[trace.trackOf(trace.gpuOperations()[1].slice)];
        QCOMPARE(trace.text(trace.processes()[row.process].name), std::string_view("unknown GPU"));
    }

    // A 0 says that no time was asked for.
    void recordsOfEventsWithoutATimeAreCounted() {
        const Database database(
            kernelTable() +
            "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT(timestamp, deviceId, streamId, eventId);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES"
            " (NULL, 0, 7, 1), ('abc', 0, 7, 1), (0, 0, 7, 1), (500, 0, 7, 1);");
        const ImportLog& log = database.trace().log();
        QCOMPARE(database.trace().sliceCount(), 1U);
        QVERIFY(log.find("missing_ts") != nullptr);
        QCOMPARE(log.find("missing_ts")->count, 2U);
        QCOMPARE(log.skipped, 2U);
    }

    // As SQLite compares names.
    void namesOfTablesAndColumnsInAnyCase() {
        const Database database(
            "CREATE TABLE stringids(ID INTEGER PRIMARY KEY, VALUE);"
            "INSERT INTO stringids VALUES (1, 'gemm');"
            "CREATE TABLE enum_cuda_func_cache_config(id INTEGER PRIMARY KEY, name, label);"
            "INSERT INTO enum_cuda_func_cache_config VALUES (1, 'x', 'Prefer L1');"
            "CREATE TABLE cupti_activity_kind_kernel(START, END, SHORTNAME, DEMANGLEDNAME,"
            " CACHECONFIG, NAMEID);"
            "INSERT INTO cupti_activity_kind_kernel VALUES (10, 20, 1, NULL, 1, 1);");
        QCOMPARE(sliceNames(database.trace()), std::vector<std::string>{"gemm"});
        const nlohmann::json arguments = database.event(database.trace().offset(0))["args"];
        QCOMPARE(arguments["CACHECONFIG"], "Prefer L1");
        QCOMPARE(arguments["NAMEID"], "gemm");
        const Database regions(
            "CREATE TABLE ROCPD_REGION_a(id INTEGER PRIMARY KEY, pid, tid, start, end);"
            "INSERT INTO ROCPD_REGION_a VALUES (1, 1, 1, 10, 20);"
            "CREATE TABLE rocpd_kernel_dispatch_A(id INTEGER PRIMARY KEY, agent_id, start, end);"
            "INSERT INTO rocpd_kernel_dispatch_A VALUES (1, 1, 12, 13);");
        QCOMPARE(regions.trace().sliceCount(), 2U);
    }

    void startsBeyondAllTimesAreUnknown() {
        for (const std::string time : {"9223372036854775807", "2305843009213693953"}) {
            const Database database(kernelTable() +
                                    "CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs);"
                                    "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (" +
                                    time + ");");
            QVERIFY(!database.trace().info().baseTimeNs);
        }
    }
};

QTEST_APPLESS_MAIN(DatabaseEventsTest)
#include "DatabaseEventsTest.moc"
