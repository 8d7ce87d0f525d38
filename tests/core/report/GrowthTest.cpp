// SPDX-License-Identifier: Apache-2.0
// What is eight times as large may take some eight times as long, but not twice that: also n·√n is
// found.
#include <fmt/format.h>

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "core/analysis/KernelRules.h"
#include "core/convert/PerfettoWriter.h"
#include "core/import/load/LoadTrace.h"
#include "core/ranks/ReadRank.h"
#include "core/report/Report.h"
#include "core/report/ReportCsv.h"
#include "core/report/ReportJson.h"
#include "core/report/ReportMarkdown.h"
#include "core/report/ReportText.h"
#include "core/stream/CaptureWriter.h"
#include "core/text/Csv.h"
#include "core/text/Format.h"
#include "core/text/KernelLabel.h"
#include "core/text/Markdown.h"
#include "core/text/Printable.h"
#include "core/text/TextTable.h"
#include "tests/core/import/PerfettoFixture.h"
#include "tests/support/MemoryFiles.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::import;
using namespace kinetoscope::import::source;
using namespace kinetoscope::report;
using namespace kinetoscope::text;
using test::Proto;

namespace {

using Work = std::function<void(std::size_t size)>;

double cpuSeconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

constexpr std::size_t kLarger = 8;
constexpr double kMaxGrowth = 2.0 * kLarger;

// The processor's time, as other programs do not count in it: of one run, by so many that the
// clock's steps do not matter.
double secondsOf(const Work& work, std::size_t size) {
    constexpr double kEnough = 0.004;
    const double begin = cpuSeconds();
    double passed = 0.0;
    int runs = 0;
    while (passed < kEnough) {
        work(size);
        ++runs;
        passed = cpuSeconds() - begin;
    }
    return passed / runs;
}

// How many times as long the larger size takes: the median of some rounds, in each of which both
// sizes meet the same machine.
double medianGrowth(const Work& work, std::size_t size) {
    std::vector<double> rounds;
    for (int round = 0; round < 5; ++round) {
        const double one = secondsOf(work, size);
        rounds.push_back(secondsOf(work, kLarger * size) / one);
    }
    std::ranges::nth_element(rounds, rounds.begin() + 2);
    return rounds[2];
}

// Where it seems too much it is measured again: what grows too fast does so every time, while other
// programs, which take the caches and the processor's speed away, come and go.
double growthOf(const Work& work, std::size_t size) {
    double growth = medianGrowth(work, size);
    for (int again = 0; again < 3 && growth >= kMaxGrowth; ++again) {
        growth = std::min(growth, medianGrowth(work, size));
    }
    return growth;
}

std::string traceWithKeys(std::size_t count) {
    std::string text = "{";
    for (std::size_t i = 0; i < count; ++i) {
        text += "\"k" + std::to_string(i) + "\":1,";
    }
    return text + R"("traceEvents":[{"ph":"X","ts":1,"dur":1,"pid":1,"tid":1,"name":"x"}]})";
}

// One field of many members.
std::string traceWithMembers(std::size_t count) {
    std::string text = R"({"note": {)";
    for (std::size_t i = 0; i < count; ++i) {
        text += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":1";
    }
    return text + R"(}, "traceEvents":[{"ph":"X","ts":1,"dur":1,"pid":1,"tid":1,"name":"x"}]})";
}

std::string traceWithName(const std::string& name) {
    return R"({"traceEvents":[{"ph":"X","cat":"kernel","ts":1,"dur":1,"pid":0,"tid":7,"name":")" +
           name + R"(","args":{"stream":7}}]})";
}

ReportDocument reportOf(const std::string& text) {
    ReportDocument document;
    LoadOptions oneThread;
    oneThread.threads = 1;
    document.trace = test::importText(text, kTextChunk, oneThread).value();
    document.report = makeReport(*document.trace, document.options).value();
    return document;
}

std::string repeated(const char* piece, std::size_t size) {
    std::string text;
    while (text.size() < size) {
        text += piece;
    }
    return text;
}

// A folder with a capture of marks, each with a name of its own, and an argument of all of them.
void argumentsOfCapture(std::size_t count) {
    using namespace stream::format;
    const auto bytesOf = [](const auto& record) {
        return std::string(reinterpret_cast<const char*>(&record), sizeof record);
    };
    std::string names;
    std::string records;
    for (std::size_t i = 1; i <= count; ++i) {
        const auto id = static_cast<std::uint32_t>(i);
        const std::string name = "a name too long to be stored without memory " + std::to_string(i);
        names += bytesOf(NameHeader{id, static_cast<std::uint32_t>(name.size())}) + name;
        names.resize(padded(names.size()));
        auto mark = makeRecord<MarkRecord>();
        mark.time = static_cast<std::int64_t>(i);
        mark.name = id;
        records += bytesOf(mark);
    }
    const QTemporaryDir folder;
    stream::CaptureWriter writer;
    QVERIFY(writer.create(folder.filePath("a.kscope").toStdString(),
                          R"({"version": 1, "pid": 4711, "monotonic_ns": 1, "realtime_ns": 1})"));
    QVERIFY(writer.append(ChunkType::Names, names));
    QVERIFY(writer.append(ChunkType::Records, records));
    QVERIFY(writer.finish("{}"));
    const auto trace = loadTrace(folder.path().toStdString()).value();
    std::vector<std::uint64_t> offsets;
    for (const trace::Instant& instant : trace->instants()) {
        offsets.push_back(instant.offset);
    }
    std::size_t taken = 0;
    const auto take = [&](std::size_t index, std::string_view) { taken += index == taken ? 1 : 0; };
    QVERIFY(trace->eventText()->argument(offsets, "x", take));
    QCOMPARE(taken, count);
}

// As Perfetto's packets: each slice crosses all others of its thread, whose name is as long as all
// of them.
std::string slicesThatCross(std::size_t count) {
    std::string text = R"({"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":")" +
                       repeated("t", 50 * count) + "\"}}";
    for (std::size_t i = 0; i < count; ++i) {
        text += R"(,{"ph":"X","dur":1000000,"pid":1,"tid":1,"ts":)" + std::to_string(i) +
                R"(,"name":"x"})";
    }
    return text;
}

// A counter whose name is as long as all of its series.
std::string seriesOfALongName(std::size_t count) {
    std::string text = R"({"ph":"C","pid":1,"ts":1,"name":")" + repeated("c", 50 * count) +
                       R"(","args":{"first":1)";
    for (std::size_t i = 1; i < count; ++i) {
        text += ",\"" + std::to_string(i) + "\":1";
    }
    return text + "}}";
}

void writePackets(const std::string& events, std::size_t count) {
    const QTemporaryDir folder;
    convert::PerfettoOptions options;
    options.output = folder.filePath("run.pftrace").toStdString();
    const auto trace = test::importText(R"({"traceEvents":[)" + events + "]}").value();
    const auto summary = convert::writePerfettoTrace(*trace, options);
    QCOMPARE(summary.value().events, count);
}

// Tracks below one whose name is as long as all of them: rows of slices, or counters of one name.
void tracksOfALongName(std::size_t count, bool counters) {
    using namespace test::perfetto;
    constexpr std::int64_t kParent = 1'000'000;
    Packets packets;
    packets.add(Proto().message(60, Proto().number(1, kParent).text(2, repeated("g", 50 * count))));
    for (std::size_t i = 1; i <= count; ++i) {
        const auto uuid = static_cast<std::int64_t>(i);
        Proto track;
        track.number(1, uuid).number(5, kParent);
        if (counters) {
            track.text(2, "c").message(8, Proto());
        }
        packets.add(Proto().message(60, track));
        const Proto event =
            counters ? slice(CounterEvent, uuid).number(30, 1) : slice(InstantEvent, uuid, "x");
        packets.add(packetAt(i).message(11, event));
    }
    const auto trace = packets.trace();
    QVERIFY(trace);
    QCOMPARE(trace->tracks().size(), count);
}

// Samples of some GPUs' counters, whose name is longer than all of them.
void samplesOfALongName(std::size_t count) {
    using namespace test::perfetto;
    const Proto spec = Proto().number(1, 1).text(2, repeated("c", 200 * count));
    Packets packets;
    packets.add(packetAt(1).message(52, Proto().message(1, Proto().message(1, spec))));
    for (std::size_t i = 0; i < count; ++i) {
        Proto counters;
        counters.number(3, static_cast<std::int64_t>(i % 16));
        packets.add(
            packetAt(i).message(52, counters.message(2, Proto().number(1, 1).number(2, 5))));
    }
    const auto trace = packets.trace();
    QVERIFY(trace);
    QCOMPARE(trace->counters().size(), count);
}

// Operations on a row whose name begins like one of a GPU and is as long as all of them.
void operationsOfALongName(std::size_t count) {
    using namespace test::perfetto;
    Packets packets;
    packets.add(
        Proto().message(60, Proto().number(1, 7).text(2, "COMPUTE " + repeated("g", 50 * count))));
    for (std::size_t i = 0; i < count; ++i) {
        packets.sliceAt(2 * i, 2 * i + 1, 7, "k", "kernel_dispatch");
    }
    const auto trace = packets.trace();
    QVERIFY(trace);
    QCOMPARE(trace->gpuOperations().size(), count);
}

// Packets with one name that is longer than most events, and an argument of all of them.
void argumentsBehindALongName(std::size_t count) {
    test::perfetto::Packets packets;
    for (std::size_t i = 0; i < count; ++i) {
        packets.sliceAt(3'000 + 10 * i, 3'005 + 10 * i, 5, i == 0 ? std::string(600, 'l') : "s");
    }
    const test::MemoryFile file(packets.bytes());
    const auto trace = loadTrace(file.path()).value();
    std::vector<std::uint64_t> offsets;
    for (trace::SliceId slice = 0; slice < trace->sliceCount(); ++slice) {
        offsets.push_back(trace->offset(slice));
    }
    std::size_t taken = 0;
    const auto take = [&](std::size_t index, std::string_view) { taken += index == taken ? 1 : 0; };
    QVERIFY(trace->eventText()->argument(offsets, "x", take));
    QCOMPARE(taken, count);
}

// A document of rocprofiler-sdk with as many GPUs as calls.
void callsBesideAgents(std::size_t count) {
    std::string agents;
    std::string calls;
    for (std::size_t i = 0; i < count; ++i) {
        agents += fmt::format(R"({}{{"id": {{"handle": {}}}, "type": 1}})", i == 0 ? "" : ",", i);
        calls += fmt::format(R"({}{{"kind": 0, "operation": 0, "thread_id": 1, )"
                             R"("start_timestamp": {}, "end_timestamp": {}}})",
                             i == 0 ? "" : ",", 10 * i, 10 * i + 5);
    }
    const auto trace = test::importText(
        fmt::format(R"({{"rocprofiler-sdk-tool": [{{"metadata": {{"pid": 77}}, "agents": [{}], )"
                    R"("strings": {{"buffer_records": [{{"kind": "HIP_RUNTIME_API", )"
                    R"("operations": ["hipX"]}}]}}, "buffer_records": {{"hip_api": [{}]}}}}]}})",
                    agents, calls));
    QCOMPARE((*trace)->sliceCount(), count);
}

// Steps with one kernel each: all on one GPU with names of their own, or each on a GPU of its own.
// One more kernel runs all the time.
std::string traceOfSteps(std::size_t count, bool ownGpus, std::size_t stepUs = 9) {
    std::string text = R"({"traceEvents": [)";
    const auto add = [&](const char* category, const std::string& name, std::size_t pid,
                         std::size_t start, std::size_t length, std::size_t correlation) {
        text += fmt::format(R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": 7, )"
                            R"("ts": {}, "dur": {}, "args": {{"correlation": {}}}}},)",
                            category, name, pid, start, length, correlation);
    };
    add("cuda_runtime", "cudaLaunchKernel", 4711, 5, 1, count + 1);
    add("kernel", "long", 0, 10, 10 * count, count + 1);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t start = 1'000 + 10 * i;
        add("user_annotation", fmt::format("ProfilerStep#{}", i), 4711, start, stepUs, 0);
        add("cuda_runtime", "cudaLaunchKernel", 4711, start, 1, i + 1);
        add("kernel", fmt::format("k{}", ownGpus ? 0 : i), ownGpus ? i : 0, start + 2, 1, i + 1);
    }
    text.back() = ']';
    return text + "}";
}

}  // namespace

class GrowthTest final : public QObject {
    Q_OBJECT

private slots:
    void whatGrowsTooFastIsFound();
    void costsGrowLikeTheInput_data();
    void costsGrowLikeTheInput();
    void longTextsAreFittedWithoutBeingRead();
};

// The measure itself, on loops of known length.
void GrowthTest::whatGrowsTooFastIsFound() {
    // In a register: a sum in memory depends on what processors guess of values just stored.
    static volatile std::uint64_t result = 1;
    const auto spin = [](double steps) {
        std::uint64_t value = result;
        for (auto left = static_cast<std::uint64_t>(steps); left > 0; --left) {
            value = value * 6364136223846793005U + 1442695040888963407U;
        }
        result = value;
    };
    const auto growth = [&](double power) {
        return growthOf([&](std::size_t size) { spin(std::pow(static_cast<double>(size), power)); },
                        20'000);
    };
    double linear = growth(1.0);
    for (int again = 0; again < 3 && linear <= kMaxGrowth / 3; ++again) {
        linear = growth(1.0);  // the smaller size met a slower processor
    }
    QVERIFY2(linear > kMaxGrowth / 3 && linear < kMaxGrowth * 3 / 4,
             qPrintable(QString::number(linear)));
    const double steep = growth(1.5);
    QVERIFY2(steep > kMaxGrowth, qPrintable(QString::number(steep)));
}

void GrowthTest::costsGrowLikeTheInput_data() {
    QTest::addColumn<std::size_t>("size");
    QTest::addColumn<Work>("work");
    const auto row = [](const char* name, std::size_t size, const Work& work) {
        QTest::newRow(name) << size << work;
    };
    const TextStyle style{.width = 100};
    row("top-level keys", 10'000, [](std::size_t size) {
        const auto trace = test::importText(traceWithKeys(size));
        QCOMPARE((*trace)->info().fields.size(), size);
    });
    row("top-level keys as JSON", 5'000,
        [](std::size_t size) { (void)reportJson(reportOf(traceWithKeys(size))); });
    row("top-level keys as text", 5'000,
        [style](std::size_t size) { (void)reportText(reportOf(traceWithKeys(size)), style); });
    row("members of one key as JSON", 5'000,
        [](std::size_t size) { (void)reportJson(reportOf(traceWithMembers(size))); });
    row("columns", 10'000, [style](std::size_t size) {
        std::vector<TextTable::Column> columns;
        for (std::size_t i = 0; i < size; ++i) {
            columns.push_back({"column", false, static_cast<int>(i), 16});
        }
        TextTable table(columns);
        table.addRow(std::vector<std::string>(size, "a cell that may be shortened"));
        (void)table.text(style, 0);
    });
    row("columns that stay", 10'000, [style](std::size_t size) {
        TextTable table(std::vector<TextTable::Column>(size, {"column", false, 0, 3}));
        table.addRow(std::vector<std::string>(size, "a cell that may be shortened"));
        (void)table.text(style, 0);
    });
    for (const char* piece :
         {"void f<4>(int)", "a::", "<", "123_", "\u00e9", "\"", "(anonymous namespace)"}) {
        const std::string name = std::string("a name of ") + piece;
        row(name.c_str(), 250'000, [piece](std::size_t size) {
            const std::string text = repeated(piece, size);
            (void)kernelLabel(text);
            (void)fitKernelLabel(text, 40);
            (void)shortKernelName(text);
            (void)kernelFamily(text);
            (void)printable(text);
            (void)csvLine(std::vector<std::string>{csvName(text)});
            (void)markdownCode(text);
            (void)markdownText(text);
        });
    }
    row("arguments of a capture in a folder", 1'000, argumentsOfCapture);
    row("slices that cross on one thread", 1'000,
        [](auto size) { writePackets(slicesThatCross(size), size); });
    row("series of a long name", 1'000,
        [](auto size) { writePackets(seriesOfALongName(size), size); });
    row("tracks below a long name", 1'000, [](auto size) { tracksOfALongName(size, false); });
    row("counters below a long name", 1'000, [](auto size) { tracksOfALongName(size, true); });
    row("samples of a long name", 2'000, samplesOfALongName);
    row("operations of a long name", 1'000, operationsOfALongName);
    row("steps on GPUs of their own as JSON", 300,
        [](std::size_t size) { (void)reportJson(reportOf(traceOfSteps(size, true))); });
    const auto readRankOf = [](const std::string& text, std::size_t steps) {
        const auto record = ranks::readRank(*test::importText(text).value(), {});
        QVERIFY(record);
        QCOMPARE(record->steps.size(), steps);
    };
    row("steps of a rank with kernels of their own", 1'000,
        [readRankOf](std::size_t size) { readRankOf(traceOfSteps(size, false), size); });
    row("steps of a rank that overlap", 1'000,
        [readRankOf](std::size_t size) { readRankOf(traceOfSteps(size, false, 10 * size), size); });
    row("arguments of packets behind a long name", 6'000, argumentsBehindALongName);
    row("calls beside agents of rocprofiler-sdk", 2'000, callsBesideAgents);
    row("a report with a long name", 250'000, [style](std::size_t size) {
        const ReportDocument document = reportOf(traceWithName(repeated("void f<4>(int)", size)));
        (void)reportText(document, style);
        (void)reportJson(document);
        (void)kernelCsv(document, true);
        (void)reportMarkdown(document, true);
    });
}

void GrowthTest::costsGrowLikeTheInput() {
    QFETCH(const std::size_t, size);
    QFETCH(const Work, work);
    const double growth = growthOf(work, size);
    QVERIFY2(
        growth < kMaxGrowth,
        qPrintable(QString("%1 times the time for %2 times the size").arg(growth).arg(kLarger)));
}

void GrowthTest::longTextsAreFittedWithoutBeingRead() {
    const std::string text(64'000'000, 'x');
    const double begin = cpuSeconds();
    for (int round = 0; round < 1000; ++round) {
        QCOMPARE(displayWidth(fitWidth(text, 40)), std::size_t{40});
    }
    QVERIFY(cpuSeconds() - begin < 1.0);
}

QTEST_APPLESS_MAIN(GrowthTest)
#include "GrowthTest.moc"
