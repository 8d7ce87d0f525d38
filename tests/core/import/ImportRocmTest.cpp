// SPDX-License-Identifier: Apache-2.0
// Databases of ROCm's profilers, made here: rocpd and rocmProfileData, and damaged ones.
// KINETOSCOPE_MUTATIONS says how many damaged ones.
#include <QtTest>

#include "core/json/Json.h"
#include "core/query/LaunchLinks.h"
#include "tests/support/DatabaseText.h"
#include "tests/support/Mutator.h"
#include "tests/support/SameTrace.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::trace;

namespace {

// One set of rocpd's tables: process 500, thread 501, a kernel that hipLaunchKernel launched.
std::string rocpd(const std::string& suffix, int gpu) {
    std::string sql =
        "CREATE TABLE rocpd_string$(id INTEGER PRIMARY KEY, guid TEXT, string TEXT);"
        "INSERT INTO rocpd_string$ VALUES (1, 'g', 'hipLaunchKernel'), (2, 'g', 'HIP_RUNTIME_API'),"
        " (3, 'g', 'roctxRangePushA'), (4, 'g', 'MARKER_CORE_RANGE_API'), (5, 'g', "
        "'KERNEL_DISPATCH'),"
        " (6, 'g', 'MEMORY_COPY_HOST_TO_DEVICE'), (7, 'g', 'hsa_signal_store'), (8, 'g', "
        "'HSA_CORE_API'),"
        " (9, 'g', 'ncclAllReduce'), (10, 'g', 'RCCL_API');"
        "CREATE TABLE rocpd_info_node$(id INTEGER PRIMARY KEY, hostname TEXT);"
        "INSERT INTO rocpd_info_node$ VALUES (1, 'mi300');"
        "CREATE TABLE rocpd_info_process$(id INTEGER PRIMARY KEY, nid, pid, command TEXT);"
        "INSERT INTO rocpd_info_process$ VALUES (1, 1, 500, 'python3 train.py');"
        "CREATE TABLE rocpd_info_thread$(id INTEGER PRIMARY KEY, nid, pid, tid, name TEXT);"
        "INSERT INTO rocpd_info_thread$ VALUES (3, 1, 1, 501, 'main');"
        "CREATE TABLE rocpd_info_agent$(id INTEGER PRIMARY KEY, nid, pid, type TEXT, "
        "absolute_index,"
        " logical_index, type_index, name TEXT, product_name TEXT);"
        "INSERT INTO rocpd_info_agent$ VALUES (1, 1, 1, 'CPU', 0, 0, 0, 'EPYC', 'EPYC'),"
        " (2, 1, 1, 'GPU', 1, 1, #, 'gfx942', 'AMD Instinct MI300X');"
        "CREATE TABLE rocpd_info_kernel_symbol$(id INTEGER PRIMARY KEY, kernel_name TEXT,"
        " display_name TEXT, arch_vgpr_count, accum_vgpr_count);"
        "INSERT INTO rocpd_info_kernel_symbol$ VALUES (7, '_Z4gemmv.kd', '', 64, 32);"
        "CREATE TABLE rocpd_event$(id INTEGER PRIMARY KEY, category_id, stack_id, parent_stack_id,"
        " correlation_id, extdata TEXT);"
        "INSERT INTO rocpd_event$ VALUES (1, 2, 40, 0, 0, '{}'), (2, 5, 40, 0, 0, '{}'),"
        " (3, 4, 41, 0, 0, '{\"message\": \"step#1\"}'), (4, 6, 42, 0, 0, '{}'), (5, 8, 43, 0, 0, "
        "'{}'),"
        " (6, 10, 44, 0, 0, '{}');"
        "CREATE TABLE rocpd_region$(id INTEGER PRIMARY KEY, guid TEXT, nid, pid, tid, start, end,"
        " name_id, event_id, extdata TEXT);"
        "INSERT INTO rocpd_region$ VALUES (1, 'g', 1, 1, 3, 100, 120, 1, 1, '{}'),"
        " (2, 'g', 1, 1, 3, 90, 900, 3, 3, '{}'), (3, 'g', 1, 1, 3, 105, 110, 7, 5, '{}'),"
        " (4, 'g', 1, 1, 3, 130, 140, 9, 6, '{}');"
        "CREATE TABLE rocpd_kernel_dispatch$(id INTEGER PRIMARY KEY, guid TEXT, nid, pid, tid, "
        "agent_id,"
        " kernel_id, dispatch_id, queue_id, stream_id, start, end, private_segment_size,"
        " group_segment_size, workgroup_size_x, workgroup_size_y, workgroup_size_z, grid_size_x,"
        " grid_size_y, grid_size_z, event_id);"
        "INSERT INTO rocpd_kernel_dispatch$ VALUES (1, 'g', 1, 1, 3, 2, 7, 1, 1, 4, 200, 300, 0, "
        "512,"
        " 256, 1, 1, 1000, 2, 1, 2);"
        "CREATE TABLE rocpd_memory_copy$(id INTEGER PRIMARY KEY, start, end, name_id, dst_agent_id,"
        " src_agent_id, size, queue_id, stream_id, event_id);"
        "INSERT INTO rocpd_memory_copy$ VALUES (1, 310, 330, 6, 2, 1, 4096, 1, 4, 4);";
    for (std::size_t at = sql.find('$'); at != std::string::npos; at = sql.find('$')) {
        sql.replace(at, 1, suffix);
    }
    return sql.replace(sql.find('#', sql.find("'GPU'")), 1, std::to_string(gpu));
}

// `call`: what rocpd_kernelapi names its call by, which differs between versions.
std::string rpd(const std::string& call, const std::string& argumentTable) {
    return "CREATE TABLE rocpd_string(id INTEGER PRIMARY KEY, string TEXT);"
           "INSERT INTO rocpd_string VALUES (1, 'hipLaunchKernel'), (2, 'gemm'), (3, "
           "'KernelExecution'),"
           " (4, 'hipMemcpy'), (5, 'CopyHostToDevice'), (6, 'UserMarker'),"
           " (7, 'aten::mm, seq = 1, op_id = 2'), (8, ''), (9, 'Barrier');"
           "CREATE TABLE rocpd_api(id INTEGER PRIMARY KEY, pid, tid, start, end, apiName_id, "
           "args_id);"
           "INSERT INTO rocpd_api VALUES (10, 3, 4, 100, 110, 1, 8), (11, 3, 4, 120, 150, 4, 8),"
           " (12, 3, 4, 90, 115, 6, 7);"
           "CREATE TABLE rocpd_op(id INTEGER PRIMARY KEY, gpuId, queueId, sequenceId, start, end,"
           " description_id, opType_id);"
           "INSERT INTO rocpd_op VALUES (20, 3, 1, 0, 200, 260, 2, 3), (21, 3, 1, 0, 270, 280, 8, "
           "5),"
           " (22, 3, 1, 0, 281, 282, 8, 9);"
           "CREATE TABLE rocpd_api_ops(id INTEGER PRIMARY KEY, api_id, op_id);"
           "INSERT INTO rocpd_api_ops VALUES (1, 10, 20), (2, 11, 21);"
           "CREATE TABLE rocpd_kernelapi(" +
           call +
           " INTEGER PRIMARY KEY, stream, gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ,"
           " groupSegmentSize, privateSegmentSize, kernelName_id);"
           "INSERT INTO rocpd_kernelapi VALUES (10, '0x0', 8, 4, 1, 64, 2, 1, 1024, 0, 2);"
           "CREATE TABLE rocpd_copyapi(" +
           call +
           " INTEGER PRIMARY KEY, stream, size, kind);"
           "INSERT INTO rocpd_copyapi VALUES (11, '0x0', 777, 1);"
           "CREATE TABLE rocpd_monitor(id INTEGER PRIMARY KEY, deviceType, deviceId, monitorType, "
           "start,"
           " end, value);"
           "INSERT INTO rocpd_monitor VALUES (1, 'gpu', 3, 'sclk', 100, 200, '1700'),"
           " (2, 'gpu', 3, 'sclk', 200, 300, 'none');" +
           argumentTable;
}

std::shared_ptr<const Trace> loaded(const std::string& sql) {
    const std::string bytes = test::databaseOf(sql);
    const auto trace = test::importText(bytes);
    if (!trace) {
        throw std::runtime_error(trace.error().message);
    }
    return *trace;
}

SliceId sliceOf(const Trace& trace, std::string_view name) {
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.name(slice) == name) {
            return slice;
        }
    }
    return kNoSlice;
}

}  // namespace

class ImportRocmTest : public QObject {
    Q_OBJECT

private slots:
    void rocpdOfOneProcess() {
        const auto trace = loaded(rocpd("_1f2e", 0));
        QVERIFY2(trace->log().empty(), test::logText(trace->log()).c_str());
        QCOMPARE(trace->info().format, std::string("rocpd, SQLite"));
        QCOMPARE(trace->gpuOperations().size(), 2U);
        const GpuOperation& kernel = trace->gpuOperations()[0];
        QCOMPARE(trace->name(kernel.slice), std::string_view("gemm()"));
        QCOMPARE(kernel.grid, (std::array<std::uint32_t, 3>{4, 2, 1}));  // of 1000 items in 256s
        QCOMPARE(kernel.block, (std::array<std::uint16_t, 3>{256, 1, 1}));
        QVERIFY(kernel.registers == 96 && kernel.sharedBytes == 512 && kernel.stream == 4);
        const GpuOperation& copy = trace->gpuOperations()[1];
        QCOMPARE(trace->name(copy.slice), std::string_view("Memcpy HtoD"));
        QCOMPARE(copy.bytes, 4096U);
        const query::LaunchLinks links(*trace);
        QCOMPARE(trace->name(links.apiCall(0)), std::string_view("hipLaunchKernel"));
        QCOMPARE(trace->category(sliceOf(*trace, "step#1")), Category::UserAnnotation);
        QCOMPARE(trace->category(sliceOf(*trace, "hsa_signal_store")), Category::Driver);
        QCOMPARE(trace->categoryText(trace->categoryId(sliceOf(*trace, "ncclAllReduce"))),
                 std::string_view("RCCL_API"));
        QCOMPARE(trace->info().device(0)->name, std::string("AMD Instinct MI300X"));
        const auto text = trace->eventText()->event(trace->offset(kernel.slice));
        QVERIFY2(text, text ? "" : text.error().message.c_str());
        QCOMPARE((*json::parseJson(*text))["args"]["grid"].dump(), std::string("[4,2,1]"));
    }

    // What `rocpd merge` joins: sets of tables whose numbers are their own.
    void rocpdOfSeveralProcesses() {
        const auto trace = loaded(rocpd("_1", 0) + rocpd("_2", 1));
        QCOMPARE(trace->gpuOperations().size(), 4U);
        const query::LaunchLinks links(*trace);
        QVERIFY(links.apiCall(0) != kNoSlice && links.apiCall(1) != kNoSlice);
        QVERIFY(links.apiCall(0) != links.apiCall(1));
        QVERIFY(!links.isGraphLaunch(0));
        QCOMPARE(trace->gpuOperations()[1].gpu, 1);
    }

    void rpdOfBothSchemas() {
        for (const std::string& sql :
             {rpd("api_ptr_id", ""),
              rpd("api_id",
                  "CREATE TABLE rocpd_ustring(id INTEGER PRIMARY KEY, string TEXT);"
                  "INSERT INTO rocpd_ustring VALUES (7, 'aten::mm, seq = 1, op_id = 2');")}) {
            const auto trace = loaded(sql);
            QCOMPARE(trace->info().format, std::string("rocmProfileData, SQLite"));
            QCOMPARE(trace->gpuOperations().size(), 2U);
            const GpuOperation& kernel = trace->gpuOperations()[0];
            QCOMPARE(trace->name(kernel.slice), std::string_view("gemm"));
            QCOMPARE(kernel.grid, (std::array<std::uint32_t, 3>{8, 4, 1}));
            QVERIFY(kernel.gpu == 3 && kernel.sharedBytes == 1024);
            QCOMPARE(trace->gpuOperations()[1].bytes, 777U);
            QCOMPARE(trace->name(trace->gpuOperations()[1].slice), std::string_view("Memcpy HtoD"));
            const query::LaunchLinks links(*trace);
            QCOMPARE(trace->start(links.apiCall(0)), 100);
            QCOMPARE(trace->start(links.apiCall(1)), 120);
            QCOMPARE(trace->name(links.launchingOperator(0)), std::string_view("aten::mm"));
            // Process 3 and GPU 3 are two rows.
            QVERIFY(trace->tracks()[trace->trackOf(links.apiCall(0))].process !=
                    trace->tracks()[trace->trackOf(kernel.slice)].process);
            QCOMPARE(trace->counters().size(), 1U);
            QCOMPARE(trace->counters()[0].value, 1700.0);
            QCOMPARE(trace->log().find("counter_without_value")->count, 1U);
        }
    }

    void gpusBeyondAllNumbers() {
        const auto trace =
            loaded(rpd("api_ptr_id", "") + "UPDATE rocpd_op SET gpuId = 9223372036854775807;");
        const GpuOperation& kernel = trace->gpuOperations()[0];
        QCOMPARE(kernel.gpu, 2'147'483'647);
        const Process& row =
            trace->processes()[trace->tracks()[trace->trackOf(kernel.slice)].process];
        QCOMPARE(trace->text(row.name), std::string_view("GPU 2147483647"));
    }

    void rowsOfAnyNumbers() {
        const std::string ends = "(-9223372036854775808), (-1), (9223372036854775807)";
        for (const std::string& numbers : {ends, ends + ", (9223372036854775806)"}) {
            const auto trace =
                loaded(rpd("api_ptr_id", "") + "WITH far(id) AS (VALUES " + numbers +
                       ") INSERT INTO rocpd_op SELECT far.id, gpuId, queueId, sequenceId, start,"
                       " end, description_id, opType_id FROM rocpd_op, far"
                       " WHERE rocpd_op.id = 20;");
            const auto more = static_cast<std::size_t>(std::ranges::count(numbers, '('));
            QCOMPARE(trace->gpuOperations().size(), 2 + more);
        }
    }

    void anyBytesEndInATraceOrAMessage() {
        const std::size_t count = test::mutations(100);
        for (const std::string& good :
             {test::databaseOf(rocpd("", 0)), test::databaseOf(rpd("api_ptr_id", ""))}) {
            for (std::uint64_t seed = 0; seed < count; ++seed) {
                test::Mutator mutator(seed);
                const std::string bytes = good.substr(0, 16) + mutator.bytes(good.substr(16));
                const auto trace = test::importText(bytes);
                QVERIFY(trace || !trace.error().message.empty());
            }
        }
    }
};

QTEST_APPLESS_MAIN(ImportRocmTest)
#include "ImportRocmTest.moc"
