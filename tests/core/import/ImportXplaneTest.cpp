// SPDX-License-Identifier: Apache-2.0
// Profiles of XLA: hand-made ones with known rows, a recorded one against XLA's own JSON of it, and
// damaged ones, of which KINETOSCOPE_MUTATIONS says how many.
#include <fmt/format.h>

#include <QtTest>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/analysis/Steps.h"
#include "core/cut/Cut.h"
#include "core/import/xplane/Space.h"
#include "core/json/Json.h"
#include "core/memory/TraceHistory.h"
#include "tests/support/MemoryFiles.h"
#include "tests/support/Mutator.h"
#include "tests/support/ProtoBytes.h"
#include "tests/support/SliceRows.h"
#include "tests/support/TraceText.h"
#include "tests/support/WholeCut.h"

using namespace kinetoscope;
using namespace kinetoscope::trace;
using test::importText;
using test::Proto;
using test::sliceRows;

class ImportXplaneTest final : public QObject {
    Q_OBJECT

private slots:
    void streamsBecomeGpuOperations();
    void hostLinesBecomeThreads();
    void otherPlanesArePlainRows();
    void countersKeepTheirValues();
    void detailsInAnyOrder();
    void recordingAgreesWithXlasOwnJson();
    void jsonOfOtherPlanes();
    void categoriesInJsonStay();
    void jsonWithoutPlanesIsNotXlas();
    void eventsAreWordedAsKinetoDoes();
    void statsThatAreCalledLikeArguments();
    void gpusBeyondAllNumbers();
    void allocatorsEventsAreMemory();
    void partCutOutReadsBack();
    void cutsHaveWhatWasRead();
    void hostsOfSeveralProcesses();
    void unitsAreTheSameForAnyNumberOfThreads();
    void absoluteTimesGetABase();
    void lineWithoutEventsHasNoTime();
    void firstPlanesWithoutAName();
    void cutFileKeepsWhatIsThere();
    void damagedEventsAreCounted();
    void jsonAfterALineBreakIsNoProfile();
    void anyBytesEndInATraceOrAMessage();
};

namespace {

const std::string kRecorded = KINETOSCOPE_SOURCE_DIR "/tests/data/xplane/jax.xplane.pb";

// Stat names of the hand-made planes.
enum : std::int64_t { Correlation = 1, Details, Copy, Text, Step, Value, Graph };

Proto named(std::int64_t id, std::string_view name) {
    return Proto().number(1, id).message(2, Proto().number(1, id).text(2, name));
}

Proto plane(std::string_view name) {
    Proto plane;
    plane.number(1, 3).text(2, name);
    plane.message(4, named(1, "first")).message(4, named(2, "_Z6secondv"));
    plane.message(4, named(70'000'000'000, "far"));
    plane.message(5, named(Correlation, "correlation_id"))
        .message(5, named(Details, "kernel_details"))
        .message(5, named(Copy, "memcpy_details"))
        .message(5,
                 named(Text, "regs:40 static_shared:8 dynamic_shared:100 grid:3,2,1 block:64,1,1"))
        .message(5, named(Step, "step_num"))
        .message(5, named(Value, "counter_value"))
        .message(5, named(Graph, "cuda_graph_id"));
    return plane;
}

Proto eventOf(std::int64_t name, std::int64_t offsetPs, std::int64_t durationPs) {
    return Proto().number(1, name).number(2, offsetPs).number(3, durationPs);
}

Proto numberStat(std::int64_t name, std::int64_t value) {
    return Proto().number(1, name).number(4, value);
}

Proto line(std::int64_t id, std::string_view name, std::int64_t timestampNs) {
    return Proto().number(1, id).text(2, name).number(3, timestampNs);
}

std::shared_ptr<const Trace> traceOf(const Proto& space, const import::LoadOptions& options = {}) {
    const auto trace = importText(space.bytes(), import::source::kTextChunk, options);
    return trace ? *trace : nullptr;
}

std::shared_ptr<const Trace> traceOfPlane(const Proto& plane) {
    return traceOf(Proto().message(1, plane));
}

Proto gpuPlane() {
    Proto stream = line(14, "Stream #14(Compute)", 1000);
    stream.message(4, eventOf(1, 500'000, 20'000)
                          .message(4, numberStat(Correlation, 77))
                          .message(4, numberStat(Graph, 5))
                          .message(4, Proto().number(1, Details).number(7, Text)));
    stream.message(4,
                   eventOf(2, 600'999, 1'002)
                       .message(4, Proto().number(1, Copy).text(5, "kind_src:device size:4096")));
    Proto derived = line(3735928559, "XLA Ops", 1000);
    derived.message(4, eventOf(70'000'000'000, 0, 1'000'000));
    return plane("/device:GPU:2").message(3, stream).message(3, derived);
}

std::string bytesOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

}  // namespace

void ImportXplaneTest::streamsBecomeGpuOperations() {
    const auto trace = traceOfPlane(gpuPlane());
    QVERIFY(trace);
    QCOMPARE(trace->info().format, "XPlane");
    QCOMPARE(trace->sliceCount(), 3U);
    QCOMPARE(trace->category(0), Category::Kernel);
    QCOMPARE(trace->name(0), "first");
    QCOMPARE(trace->start(0), 1500);
    QCOMPARE(trace->duration(0), 20);
    QCOMPARE(trace->correlation(0), 77);
    QCOMPARE(trace->category(1), Category::GpuMemcpy);
    QCOMPARE(trace->name(1), "second()");
    // Both ends are rounded down: 600.999 ns and 602.001 ns.
    QCOMPARE(trace->start(1), 1600);
    QCOMPARE(trace->end(1), 1602);
    QCOMPARE(trace->category(2), Category::GpuUserAnnotation);
    QCOMPARE(trace->name(2), "far");
    const auto operations = trace->gpuOperations();
    QCOMPARE(operations.size(), 2U);
    QCOMPARE(operations[0].gpu, 2);
    QCOMPARE(operations[0].stream, 14);
    QCOMPARE(operations[0].grid, (std::array<std::uint32_t, 3>{3, 2, 1}));
    QCOMPARE(operations[0].block, (std::array<std::uint16_t, 3>{64, 1, 1}));
    QCOMPARE(operations[0].registers, 40);
    QCOMPARE(operations[0].sharedBytes, 108U);
    QCOMPARE(operations[0].graph, 5U);
    QCOMPARE(operations[1].slice, 1U);
    QCOMPARE(operations[1].bytes, 4096U);
    QVERIFY(trace->log().empty());
}

void ImportXplaneTest::hostLinesBecomeThreads() {
    Proto host = plane("/host:CPU");
    host.message(4, named(3, "$train.py:7 step")).message(4, named(4, "cuLaunchKernel"));
    host.message(5, named(8, "process_id")).message(6, numberStat(8, 696));
    Proto thread = line(-9, "python3", 0).text(11, "python3 main");
    thread.message(4, eventOf(1, 0, 900'000).message(4, numberStat(Step, 12)));
    thread.message(4, eventOf(3, 1'000, 500'000)).message(4, eventOf(4, 2'000, 1'000));
    thread.message(4, eventOf(2, 4'000, 1'000).message(4, numberStat(Correlation, 77)));
    thread.message(4, eventOf(2, 6'000, 1'000)).message(4, eventOf(99, 8'000, 1'000));
    const auto trace = traceOfPlane(host.message(3, thread));
    QVERIFY(trace);
    QCOMPARE(trace->name(0), "first#12");
    const std::vector<Category> expected{Category::UserAnnotation, Category::PythonFunction,
                                         Category::Driver,         Category::Driver,
                                         Category::CpuOp,          Category::CpuOp};
    QCOMPARE(trace->sliceCount(), expected.size());
    for (SliceId slice = 0; slice < expected.size(); ++slice) {
        QCOMPARE(trace->category(slice), expected[slice]);
    }
    QCOMPARE(trace->name(5), "");  // an event whose name is nowhere
    QCOMPARE(trace->tracks()[0].tid.value, -9);
    QCOMPARE(trace->text(trace->tracks()[0].name), "python3 main");
    QCOMPARE(trace->processes()[0].pid.value, 696);
    QCOMPARE(trace->gpuOperations().size(), 0U);
}

void ImportXplaneTest::otherPlanesArePlainRows() {
    Proto tpu = plane("/device:TPU:0");
    tpu.message(3, line(3, "XLA Ops", 5).message(4, eventOf(1, 0, 7'000)));
    tpu.message(3, line(4, "Steps", 5).message(4, eventOf(1, 0, 9'000)));
    const auto trace = traceOfPlane(tpu);
    QVERIFY(trace);
    QCOMPARE(trace->sliceCount(), 2U);
    QCOMPARE(trace->categoryText(trace->categoryId(0)), "XLA Ops");
    QCOMPARE(trace->categoryText(trace->categoryId(1)), "Steps");
    QCOMPARE(trace->rowIdText(trace->processes()[0].pid), "/device:TPU:0");
    QVERIFY(trace->gpuOperations().empty());
}

void ImportXplaneTest::countersKeepTheirValues() {
    Proto counters = line(9, "_counters_", 0);
    counters.message(4, eventOf(1, 3'000, 0).message(4, Proto().number(1, Value).real(2, 2.5)));
    counters.message(4, eventOf(1, 4'000, 0).message(4, numberStat(Value, -8)));
    counters.message(4, eventOf(1, 5'000, 0));
    counters.message(4, eventOf(1, 6'000, 0).message(4, Proto().number(1, Value).real(2, NAN)));
    const auto trace = traceOfPlane(plane("/device:GPU:0").message(3, counters));
    QVERIFY(trace);
    QCOMPARE(trace->counters().size(), 2U);
    QCOMPARE(trace->counters()[0].value, 2.5);
    QCOMPARE(trace->counters()[1].value, -8.0);
    QCOMPARE(trace->counters()[1].time, 4);
    QCOMPARE(trace->log().find("counter_without_value")->count, 2U);
    QCOMPARE(trace->log().skipped, 2U);
}

void ImportXplaneTest::detailsInAnyOrder() {
    const auto details =
        import::xplane::readDetails("block:1024,2,3 unknown: grid:4294967295,x regs:9\nsize:12");
    QCOMPARE(details.block, (std::array<std::uint32_t, 3>{1024, 2, 3}));
    QCOMPARE(details.grid[0], 4294967295U);
    QCOMPARE(details.registers, 9U);
    QCOMPARE(details.bytes, 12U);
}

// XLA's own conversion of the same recording: names, counts and nanoseconds of every row.
void ImportXplaneTest::recordingAgreesWithXlasOwnJson() {
    const auto trace = import::loadTrace(kRecorded);
    const auto json = import::loadTrace(KINETOSCOPE_SOURCE_DIR "/tests/data/xplane/jax.json.gz");
    QVERIFY(trace && json);
    QCOMPARE(sliceRows(**json), sliceRows(**trace));
    QCOMPARE((*json)->processes()[0].pid.value, 0);  // and not 1, as there
    QCOMPARE((*trace)->instants().size(), 39U);      // of its allocator, which the JSON leaves out
    QCOMPARE((*trace)->gpuOperations().size(), 30U);
    QCOMPARE((*trace)->info().devices.at(0).name, "NVIDIA H200");
    QCOMPARE((*trace)->info().devices.at(0).multiprocessors, 132);
    QCOMPARE((*trace)->info().baseTimeNs.value(), 1795364252188735837);
    const auto steps = analysis::findSteps(**trace);
    QCOMPARE(steps.size(), 10U);
    QCOMPARE(steps[9].name, "train#9");
    QVERIFY((*trace)->log().empty());
    QCOMPARE((*json)->info().format, "XLA JSON, gzip");
    QCOMPARE(analysis::findSteps(**json).size(), 10U);
    QCOMPARE((*json)->log().skipped, 0U);
    QCOMPARE((*json)->log().sorted().size(), 1U);  // it ends its list by {}
    QVERIFY((*json)->log().find("empty_event") != nullptr);
    const auto cut = test::readWholeCut(**json);
    QCOMPARE(sliceRows(*cut), sliceRows(**trace));
}

constexpr std::string_view kPlanesAsJson = R"j({"traceEvents": [
{"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/device:GPU:3"}},
{"ph": "M", "pid": 1, "tid": 7, "name": "thread_name", "args": {"name": "Stream #7(MemcpyD2H)"}},
{"ph": "M", "pid": 1, "tid": 8, "name": "thread_name", "args": {"name": "XLA Modules"}},
{"ph": "M", "pid": 2, "name": "process_name", "args": {"name": "/device:TPU:0"}},
{"ph": "M", "pid": 2, "tid": 1, "name": "thread_name", "args": {"name": "XLA Ops"}},
{"ph": "X", "pid": 1, "tid": 7, "ts": 1, "dur": 1, "name": "MemcpyD2H", "args":
 {"memcpy_details": "kind_src:device\nsize:4096", "correlation_id": "5", "cuda_graph_id": 2}},
{"ph": "X", "pid": 1, "tid": 7, "ts": 3, "dur": 1, "name": "a", "args": {"long_name": "b:a"}},
{"ph": "X", "pid": 1, "tid": 8, "ts": 1, "dur": 3, "name": "jit_f"},
{"ph": "X", "pid": 2, "tid": 1, "ts": 1, "dur": 3, "name": "fusion"})j";

void ImportXplaneTest::jsonOfOtherPlanes() {
    const test::MemoryFile file(fmt::format("{}]}}", kPlanesAsJson));
    const auto trace = import::loadTrace(file.path());
    QVERIFY(trace);
    constexpr std::string_view kOnGpu =
        " gpu 3 stream 7 grid 0 0 0 block 0 0 0 regs 0 shared 0 graph ";
    const std::string none = std::to_string(kNoId);
    std::vector<std::string> rows{
        fmt::format("1000 1000 'MemcpyD2H' gpu_memcpy 5 {}{}2 occ -1 collective false bytes 4096",
                    none, kOnGpu),
        fmt::format("3000 1000 'b:a' kernel {0} {0}{1}0 occ -1 collective false bytes 0", none,
                    kOnGpu),
        fmt::format("1000 3000 'fusion'  {0} {0}", none),
        fmt::format("1000 3000 'jit_f' gpu_user_annotation {0} {0}", none)};
    std::ranges::sort(rows);
    QCOMPARE(sliceRows(**trace), rows);
}

// Whoever gives an event a category means it.
void ImportXplaneTest::categoriesInJsonStay() {
    const test::MemoryFile file(fmt::format(
        R"({}, {{"ph": "X", "cat": "a", "pid": 1, "tid": 7, "ts": 9, "dur": 1, "name": "c"}}]}})",
        kPlanesAsJson));
    const auto trace = import::loadTrace(file.path());
    QVERIFY(trace);
    QCOMPARE((*trace)->categoryText((*trace)->categoryId(4)), "a");
    QCOMPARE((*trace)->gpuOperations().size(), 2U);
}

// Only a name that was read makes a process one of XLA's.
void ImportXplaneTest::jsonWithoutPlanesIsNotXlas() {
    std::string text = fmt::format("{}]}}", kPlanesAsJson);
    const std::size_t name = text.find("process_name");
    text.replace(name, 12, "another_name");
    const test::MemoryFile file(text);
    const auto trace = import::loadTrace(file.path());
    QVERIFY(trace);
    QCOMPARE((*trace)->sliceCount(), 4U);
    QCOMPARE((*trace)->gpuOperations().size(), 0U);
    QCOMPARE((*trace)->info().format, "Chrome JSON");
}

void ImportXplaneTest::eventsAreWordedAsKinetoDoes() {
    const auto trace = import::loadTrace(kRecorded);
    QVERIFY(trace);
    const GpuOperation operation = (*trace)->gpuOperations()[1];
    const auto text = (*trace)->eventText()->event((*trace)->offset(operation.slice));
    QVERIFY2(text, text ? "" : text.error().message.c_str());
    const auto event = json::parseJsonObject(*text);
    QVERIFY(event);
    QCOMPARE((*event)["name"], "fusion_8");
    QCOMPARE((*event)["cat"], "kernel");
    QCOMPARE((*event)["args"]["hlo_op"], "fusion.8");
    QCOMPARE((*event)["args"]["hlo_module"], "jit_f");
    QCOMPARE((*event)["args"]["theoretical_occupancy_pct"], 62.5);
    QCOMPARE((*event)["args"]["stream"], 14);
    // Every event can be read again, in one pass too.
    std::vector<std::uint64_t> offsets;
    for (SliceId slice = 0; slice < (*trace)->sliceCount(); ++slice) {
        offsets.push_back((*trace)->offset(slice));
    }
    std::ranges::sort(offsets);
    std::size_t seen = 0;
    const auto read = (*trace)->eventText()->events(
        offsets,
        [&](std::size_t, const std::string& json) { seen += json::isJson(json) ? 1U : 0U; });
    QVERIFY(read);
    QCOMPARE(seen, offsets.size());
}

// They are no correlation, neither in the trace nor in what is cut out of it.
void ImportXplaneTest::statsThatAreCalledLikeArguments() {
    constexpr std::int64_t kOdd = 99;
    const Proto stream = line(7, "Stream #7(Kernel)", 0)
                             .message(4, eventOf(1, 2'000, 1'000).message(4, numberStat(kOdd, 5)));
    const Proto space = Proto().message(
        1, plane("/device:GPU:0").message(5, named(kOdd, "correlation")).message(3, stream));
    const test::MemoryFile file(space.bytes());
    const auto trace = import::loadTrace(file.path());
    QVERIFY(trace);
    QCOMPARE((*trace)->correlation(0), kNoId);
    const auto text = (*trace)->eventText()->event((*trace)->offset(0));
    QVERIFY(text);
    const auto arguments = json::parseJson(*text).value()["args"];
    QVERIFY(!arguments.contains("correlation"));
    QCOMPARE(arguments["correlation (stat)"], 5);
}

void ImportXplaneTest::gpusBeyondAllNumbers() {
    const Proto stream = line(7, "Stream #7(Kernel)", 0).message(4, eventOf(1, 2'000, 1'000));
    const auto trace = traceOfPlane(plane("/device:GPU:9223372036854775807").message(3, stream));
    QVERIFY(trace);
    QCOMPARE(trace->gpuOperations()[0].gpu, 2'147'483'647);
    QCOMPARE(trace->processes()[0].sortIndex, 5'000'000 + std::int64_t{2'147'483'647});
}

void ImportXplaneTest::allocatorsEventsAreMemory() {
    const auto trace = import::loadTrace(kRecorded);
    QVERIFY(trace);
    const auto history = memory::historyOf(**trace);
    QVERIFY2(history, history ? "" : history.error().message.c_str());
    QCOMPARE(history->devices.size(), 1U);
    QCOMPARE(history->devices[0].name, "GPU 0");
    // The allocator says so itself.
    QCOMPARE(history->devices[0].allocated.size(), 39U);
    QCOMPARE(history->devices[0].allocated[0].bytes, 16'777'216);
    QCOMPARE(history->devices[0].allocated[1].bytes, 25'165'824);
    QCOMPARE(history->devices[0].allocated[2].bytes, 16'777'216);
}

void ImportXplaneTest::partCutOutReadsBack() {
    const auto trace = import::loadTrace(kRecorded);
    QVERIFY(trace);
    const auto again = test::readWholeCut(**trace);
    QCOMPARE(again->sliceCount(), (*trace)->sliceCount());
    QCOMPARE(again->gpuOperations().size(), 30U);
    for (std::size_t i = 0; i < 30; ++i) {
        const GpuOperation& before = (*trace)->gpuOperations()[i];
        const GpuOperation& after = again->gpuOperations()[i];
        QCOMPARE(after.grid, before.grid);
        QCOMPARE(after.stream, before.stream);
        QCOMPARE(after.registers, before.registers);
        QCOMPARE(again->correlation(after.slice), (*trace)->correlation(before.slice));
        QCOMPARE(again->start(after.slice), (*trace)->start(before.slice));
    }
    QCOMPARE(analysis::findSteps(*again).size(), 10U);
}

// Events that the reader leaves out stay out, and the first name of a row stays its name.
void ImportXplaneTest::cutsHaveWhatWasRead() {
    Proto counters = line(9, "_counters_", 0);
    counters.message(4, eventOf(1, 3'000, 0).message(4, Proto().number(1, Value).real(2, 2.5)));
    counters.message(4, eventOf(1, 4'000, 0));
    counters.message(4, eventOf(1, 0, 0).number(5, 8).message(4, numberStat(Value, 7)));
    Proto stream = line(7, "Stream #7(MemcpyD2D)", 0);
    stream.message(4, eventOf(2, 1'000, 1'000).message(4, Proto().number(1, Copy).number(7, Text)));
    stream.message(4, eventOf(1, 9'000, 9'000));
    const Proto late = line(8, "Stream #8", std::int64_t{1} << 61)
                           .message(4, eventOf(1, std::int64_t{1} << 62, 1'000));
    Proto space;
    space.message(1,
                  plane("/device:GPU:0").message(3, counters).message(3, stream).message(3, late));
    for (const char* name : {"/host:CPU", "/host:metadata"}) {
        Proto host = plane(name);
        host.message(5, named(8, "process_id")).message(6, numberStat(8, 696));
        Proto thread = line(5, std::string("thread of ") + name, 0);
        space.message(1, host.message(3, thread.message(4, eventOf(1, 0, 2'000))));
    }
    const test::MemoryFile file(space.bytes());
    const auto trace = import::loadTrace(file.path());
    QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
    const auto again = test::readWholeCut(**trace);
    QCOMPARE((*trace)->counters().size(), 1U);
    QCOMPARE(again->counters().size(), 1U);
    QCOMPARE(again->counters()[0].value, 2.5);
    QCOMPARE(test::sliceRows(*again, true), test::sliceRows(**trace, true));
    const auto names = [](const Trace& named) {
        std::multiset<std::string_view> rows;
        for (SliceId slice = 0; slice < named.sliceCount(); ++slice) {
            const Track& track = named.tracks()[named.trackOf(slice)];
            rows.insert(named.text(named.processes()[track.process].name));
            rows.insert(named.text(track.name));
        }
        return rows;
    };
    QVERIFY(names(**trace).contains("thread of /host:CPU"));
    QVERIFY(names(**trace) == names(*again));
}

// As in profiles that were merged: each has its own threads.
void ImportXplaneTest::hostsOfSeveralProcesses() {
    Proto space;
    for (const std::int64_t process : {100, 200}) {
        Proto host = plane(fmt::format("/host:CPU {}", process));
        host.message(5, named(8, "process_id")).message(6, numberStat(8, process));
        Proto thread = line(5, "python3", 0);
        space.message(1, host.message(3, thread.message(4, eventOf(1, 0, 2'000))));
    }
    const auto trace = traceOf(space);
    QVERIFY(trace);
    QCOMPARE(trace->processes().size(), 2U);
    QCOMPARE(trace->processes()[0].pid.value, 100);
    QCOMPARE(trace->processes()[1].pid.value, 200);
    QVERIFY(trace->trackOf(0) != trace->trackOf(1));
}

void ImportXplaneTest::unitsAreTheSameForAnyNumberOfThreads() {
    constexpr std::int64_t kEvents = 40'000;  // some units
    Proto stream = line(7, "Stream #7(Kernel)", 0);
    for (std::int64_t i = 0; i < kEvents; ++i) {
        stream.message(4,
                       eventOf(1 + i % 2, i * 2'000, 1'000).message(4, numberStat(Correlation, i)));
    }
    const Proto space = Proto().message(1, plane("/device:GPU:0").message(3, stream));
    for (const unsigned threads : {1U, 3U}) {
        import::LoadOptions options;
        options.threads = threads;
        const auto trace = traceOf(space, options);
        QVERIFY(trace);
        QCOMPARE(trace->sliceCount(), static_cast<std::size_t>(kEvents));
        QCOMPARE(trace->gpuOperations().size(), static_cast<std::size_t>(kEvents));
        for (SliceId slice = 0; slice < kEvents; ++slice) {
            QCOMPARE(trace->correlation(slice), slice);
            QCOMPARE(trace->start(slice), 2 * slice);
            QCOMPARE(trace->gpuOperations()[slice].slice, slice);
        }
    }
    std::stop_source stop;
    stop.request_stop();
    import::LoadOptions stopped;
    stopped.stop = stop.get_token();
    QCOMPARE(importText(space.bytes(), 4096, stopped).error().kind, ErrorKind::Cancelled);
}

void ImportXplaneTest::absoluteTimesGetABase() {
    constexpr std::int64_t kUnix = 1'700'000'000'000'000'000;
    Proto host = plane("/host:CPU");
    host.message(3, line(1, "a", kUnix + 50).message(4, eventOf(1, 1'000, 1'000)));
    host.message(3, line(2, "b", kUnix).message(4, eventOf(1, 1'000, 1'000)));
    const auto trace = traceOfPlane(host);
    QVERIFY(trace);
    QCOMPARE(trace->info().baseTimeNs.value(), kUnix);
    QCOMPARE(trace->start(0), 51);
    QCOMPARE(trace->start(1), 1);
}

void ImportXplaneTest::cutFileKeepsWhatIsThere() {
    // Names stand behind the lines: those of the cut plane are lost, its events are not.
    const std::string whole = bytesOf(kRecorded);
    const auto full = importText(whole);
    QVERIFY(full);
    std::size_t most = 0;
    for (const double part : {0.3, 0.5, 0.7, 0.9, 0.99}) {
        const auto size = static_cast<std::size_t>(static_cast<double>(whole.size()) * part);
        const auto trace = importText(std::string_view(whole).substr(0, size));
        QVERIFY(trace);
        QCOMPARE((*trace)->log().find("truncated_text")->count, 1U);
        QCOMPARE((*trace)->log().find("truncated_text")->firstOffset, size);
        // Without their names, those of the allocator are slices too.
        const std::size_t events = (*trace)->sliceCount() + (*trace)->instants().size();
        QVERIFY(events >= most);
        most = events;
    }
    QCOMPARE(most, (*full)->sliceCount() + (*full)->instants().size());
}

void ImportXplaneTest::damagedEventsAreCounted() {
    Proto thread = line(1, "main", 0);
    thread.message(4, eventOf(1, 1'000, 1'000));
    thread.text(4, "\x08");                                   // a number that is cut
    thread.message(4, eventOf(1, std::int64_t{1} << 62, 1));  // 53 days: still a time
    thread.message(4, Proto().number(1, 1).number(5, 30));    // only a count
    thread.message(4, eventOf(1, 9'000, -5'000));
    thread.number(3, std::int64_t{1} << 60);
    const auto trace = traceOfPlane(plane("/host:CPU").message(3, thread));
    QVERIFY(trace);
    QCOMPARE(trace->sliceCount(), 3U);
    QCOMPARE(trace->duration(2), 0);
    QCOMPARE(trace->log().find("malformed_event")->count, 1U);
    QCOMPARE(trace->log().find("negative_duration")->count, 1U);
    QCOMPARE(trace->log().find("aggregated_event")->count, 1U);
    QCOMPARE(trace->log().skipped, 2U);
    QCOMPARE(trace->log().events, 5U);
    Proto far = line(1, "main", std::numeric_limits<std::int64_t>::max());
    far.message(4, eventOf(1, std::numeric_limits<std::int64_t>::max(), 1));
    const auto impossible = traceOfPlane(plane("/host:CPU").message(3, far));
    QVERIFY(impossible);
    QCOMPARE(impossible->log().find("time_out_of_range")->count, 1U);
}

void ImportXplaneTest::jsonAfterALineBreakIsNoProfile() {
    std::string text =
        "\n{\"traceEvents\": [{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1, \"dur\": 2}]}";
    const auto trace = importText(text);
    QVERIFY(trace);
    QCOMPARE((*trace)->info().format, "Chrome JSON");
    QVERIFY(!importText(Proto().message(1, Proto().text(2, std::string("a\nb"))).bytes()));
    QVERIFY(importText(Proto().message(1, plane("Task Environment")).bytes()));
}

void ImportXplaneTest::anyBytesEndInATraceOrAMessage() {
    const std::string recorded = bytesOf(kRecorded);
    const std::string made = Proto().message(1, gpuPlane()).bytes();
    test::Mutator mutator(20261123);
    std::size_t read = 0;
    const std::size_t count = test::mutations(200);
    for (std::size_t round = 0; round < count; ++round) {
        const auto trace = importText(mutator.bytes(round % 10 == 0 ? recorded : made), 4096);
        if (trace) {
            ++read;
            QVERIFY((*trace)->log().skipped <= (*trace)->log().events);
        } else {
            QVERIFY(!trace.error().message.empty());
        }
    }
    QVERIFY(read > 50);
}

void ImportXplaneTest::lineWithoutEventsHasNoTime() {
    constexpr std::int64_t kUnix = 1'700'000'000'000'000'000;
    const Proto event = Proto().number(1, 1).number(2, 1'000).number(3, 5'000'000);
    Proto host = plane("/host:CPU");
    host.message(3, Proto().number(1, 4).text(2, "Steps"));
    host.message(3, Proto().number(1, 5).text(2, "thread").number(3, kUnix).message(4, event));
    const auto trace = importText(Proto().message(1, host).bytes());
    QVERIFY(trace);
    QCOMPARE((*trace)->info().baseTimeNs.value_or(0), kUnix);
    QCOMPARE((*trace)->start(0), 1);
    // Without any event its lines tell the time.
    Proto idle = plane("/host:CPU");
    idle.message(3, Proto().number(1, 5).text(2, "thread").number(3, kUnix));
    const auto none = importText(Proto().message(1, idle).bytes());
    QVERIFY(none);
    QCOMPARE((*none)->info().baseTimeNs.value_or(0), kUnix);
}

void ImportXplaneTest::firstPlanesWithoutAName() {
    Proto host = plane("/host:CPU");
    host.message(3, Proto()
                        .number(1, 5)
                        .text(2, "thread")
                        .message(4, Proto().number(1, 1).number(2, 1'000).number(3, 5'000'000)));
    for (const Proto& first :
         {Proto(), Proto().number(1, 7), Proto().number(1, 7).message(4, named(1, "name"))}) {
        const std::string bytes = Proto().message(1, first).message(1, host).bytes();
        const auto trace = importText(bytes);
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE((*trace)->sliceCount(), 1U);
        QVERIFY(!importText(Proto().message(1, first).message(1, first).bytes()));
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            const auto cut = importText(std::string_view(bytes).substr(0, size));
            QVERIFY(cut || !cut.error().message.empty());
        }
    }
}

QTEST_APPLESS_MAIN(ImportXplaneTest)
#include "ImportXplaneTest.moc"
