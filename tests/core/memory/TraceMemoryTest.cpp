// SPDX-License-Identifier: Apache-2.0
// [memory] events of traces: made by hand, and a recorded piece against its own totals.
#include <fmt/format.h>

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <map>

#include "core/import/load/LoadTrace.h"
#include "core/memory/MemoryReport.h"
#include "core/memory/TraceHistory.h"

using namespace kinetoscope;
using namespace kinetoscope::memory;

namespace {

std::string memoryEvent(double ts, std::int64_t address, std::int64_t bytes, std::int64_t total,
                        std::int64_t reserved, int type = 1, int tid = 7) {
    return fmt::format(
        R"({{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": {},
            "ts": {}, "args": {{"Total Reserved": {}, "Total Allocated": {}, "Bytes": {},
            "Device Id": 0, "Device Type": {}, "Addr": {}}}}})",
        tid, ts, reserved, total, bytes, type, address);
}

std::string slice(const char* category, const char* name, double ts, double dur, int tid = 7) {
    return fmt::format(
        R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 1, "tid": {}, "ts": {}, "dur": {}}})",
        category, name, tid, ts, dur);
}

Result<MemoryReport> reportFrom(const std::vector<std::string>& events) {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("trace.json").toStdString();
    std::string text;
    for (const std::string& event : events) {
        text += (text.empty() ? "" : ",\n") + event;
    }
    std::ofstream(path) << "{\"traceEvents\": [" << text << "]}";
    const auto trace = import::loadTrace(path);
    if (!trace) {
        return tl::unexpected(trace.error());
    }
    auto history = historyOf(**trace);
    return history ? Result<MemoryReport>(reportOf(std::move(*history)))
                   : tl::unexpected(history.error());
}

}  // namespace

class TraceMemoryTest : public QObject {
    Q_OBJECT

private slots:
    void peakByOperatorAndLine() {
        const auto report = reportFrom(
            {slice("python_function", "train.py(58): step", 0, 100),
             slice("python_function", "torch/nn/modules/linear.py(125): forward", 5, 60),
             slice("python_function", "nn.Module: Linear_0", 5, 60),
             slice("cpu_op", "aten::linear", 10, 20), slice("cpu_op", "aten::mm", 11, 9),
             slice("cpu_op", "aten::add", 40, 5),
             slice("cpu_op", "autograd::engine::evaluate_function: MmBackward0", 200, 50),
             slice("cpu_op", "aten::other", 0, 1000, 8),
             memoryEvent(12, 100, 4096, 1004096, 2000000),
             memoryEvent(41, 200, 1024, 1005120, 2000000),
             memoryEvent(60, 100, -4096, 1001024, 2000000),
             memoryEvent(210, 300, 8192, 1009216, 3000000),
             memoryEvent(260, 999, -500000, 509216, 3000000), memoryEvent(270, 5, 64, 64, 0, 0)});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->devices.size(), std::size_t{2});
        const DeviceReport& gpu = report->devices[0];
        QCOMPARE(report->device(gpu).name, std::string("GPU 0"));
        QCOMPARE(report->device(report->devices[1]).name, std::string("CPU"));
        QCOMPARE(report->device(gpu).allocatedBefore, 1'000'000);
        QCOMPARE(gpu.peakAllocated, 1'009'216);
        QCOMPARE(gpu.peakTime, 210'000);
        QCOMPARE(gpu.peakReserved, 3'000'000);
        QCOMPARE(gpu.allocated, 509'216);
        QCOMPARE(gpu.atPeak.size(), std::size_t{3});
        const auto place = [&](std::size_t i) -> const Place& {
            return report->history.places[gpu.atPeak[i].place];
        };
        const auto name = [&](NameId id) { return report->history.name(id); };
        // Older ones first: they hold most.
        QCOMPARE(gpu.atPeak[0].bytes, 1'000'000);
        QCOMPARE(gpu.atPeak[1].bytes, 8192);
        QCOMPARE(place(1).purpose, Purpose::Gradients);
        QCOMPARE(gpu.atPeak[2].bytes, 1024);
        QCOMPARE(name(place(2).operation), std::string_view("aten::add"));
        QCOMPARE(name(place(2).line), std::string_view("train.py(58): step"));
        QCOMPARE(place(2).purpose, Purpose::Activations);
        QCOMPARE(gpu.neverFreed.size(), std::size_t{2});
        QCOMPARE(report->device(gpu).blocks[gpu.neverFreed[0]].bytes, 8192);
    }

    // One end is the next one's beginning; what ended is not around.
    void onlyWhatIsAround() {
        const auto report = reportFrom(
            {slice("cpu_op", "aten::first", 0, 10), slice("cpu_op", "aten::second", 20, 10),
             memoryEvent(15, 1, 512, 512, 0), memoryEvent(25, 2, 1024, 1536, 0)});
        QVERIFY(report);
        const DeviceReport& gpu = report->devices[0];
        QCOMPARE(gpu.atPeak.size(), std::size_t{2});
        QCOMPARE(report->history.name(report->history.places[gpu.atPeak[0].place].operation),
                 std::string_view("aten::second"));
        QCOMPARE(gpu.atPeak[1].place, PlaceId{0});
    }

    // A piece of a recording: sums by hand.
    void recordedPiece() {
        const auto trace =
            import::loadTrace(KINETOSCOPE_SOURCE_DIR "/tests/data/traces/ddp_gpt_rank0.json.gz");
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        auto history = historyOf(**trace);
        QVERIFY2(history, history ? "" : history.error().message.c_str());
        const MemoryReport report = reportOf(std::move(*history));
        const Device& gpu = report.device(report.devices[0]);
        QVERIFY(gpu.allocated.size() > 100);
        // The totals that the events tell are those of the blocks.
        std::vector<std::int64_t> change(gpu.allocated.size(), 0);
        for (const Block& block : gpu.blocks) {
            if (block.from != kBefore) {
                change[block.from] += block.bytes;
            }
            if (block.to != kNever) {
                change[block.to] -= block.bytes;
            }
        }
        std::int64_t now = gpu.allocatedBefore;
        for (std::size_t i = 0; i < change.size(); ++i) {
            now += change[i];
            QCOMPARE(now, gpu.allocated[i].bytes);
        }
        std::int64_t told = 0;
        for (const PlaceSum& sum : report.devices[0].atPeak) {
            told += sum.bytes;
        }
        QCOMPARE(told, report.devices[0].peakAllocated);
    }

    void withoutSuchEvents() {
        const auto report = reportFrom({slice("cpu_op", "aten::mm", 0, 1)});
        QVERIFY(!report);
        QVERIFY(report.error().message.find("profile_memory=True") != std::string::npos);
    }

    void oddEvents() {
        const auto report = reportFrom(
            {R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 1, "args": {}})",
             R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 2})",
             R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 3, "args": {"Bytes": "x",
                 "Addr": -1, "Device Type": 99, "Device Id": 3, "Total Allocated": -5}})"});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->devices.size(), std::size_t{2});
    }
};

QTEST_APPLESS_MAIN(TraceMemoryTest)
#include "TraceMemoryTest.moc"
