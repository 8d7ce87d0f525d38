// SPDX-License-Identifier: Apache-2.0
// Traces written as Perfetto's packets and read back.
#include <fmt/format.h>

#include <QRandomGenerator>
#include <QtTest>
#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <tuple>

#include "core/convert/PerfettoWriter.h"
#include "core/trace/TraceBuilder.h"
#include "tests/support/SameTrace.h"
#include "tests/support/SampleCapture.h"
#include "tests/support/SliceRows.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::trace;
using test::importText;

class PerfettoWriterTest final : public QObject {
    Q_OBJECT

private slots:
    void tracesWrittenReadBack_data();
    void tracesWrittenReadBack();
    void rowsOfAGpuKeepWhatTheyHave();
    void crossingSlicesKeepTheirTimes();
    void slicesTakeTheFirstRowInWhichTheyNest();
    void timesNearTheReadersLimitAreKept_data();
    void timesNearTheReadersLimitAreKept();
    void timesThatCannotBeToldAreCounted();
    void largeProcessNumbersStayApart();
    void countersKeepTheirNames();
};

namespace {

// The trace as it is read from what is written of it.
std::shared_ptr<const Trace> readBack(const Trace& trace, const char* name = "run.pftrace") {
    const QTemporaryDir folder;
    convert::PerfettoOptions options;
    options.output = folder.filePath(QString::fromLatin1(name)).toStdString();
    const auto written = convert::writePerfettoTrace(trace, options).value();
    const std::size_t events =
        trace.sliceCount() + trace.instants().size() + trace.counters().size();
    return written.events == events ? import::loadTrace(options.output).value() : nullptr;
}

void compareRows(const Trace& trace, const Trace& again, bool places) {
    const auto before = test::sliceRows(trace, places);
    const auto after = test::sliceRows(again, places);
    QCOMPARE(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        QVERIFY2(after[i] == before[i], (before[i] + "\n" + after[i]).c_str());
    }
}

}  // namespace

void PerfettoWriterTest::tracesWrittenReadBack_data() {
    QTest::addColumn<QString>("file");
    const QString data = QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/data/");
    QTest::newRow("graphs of four streams") << data + "traces/graph_streams.json.gz";
    QTest::newRow("a rank with collectives") << data + "traces/ddp_gpt_rank0.json.gz";
    QTest::newRow("an XPlane profile") << data + "xplane/jax.xplane.pb";
    QTest::newRow("a capture") << QString();
}

void PerfettoWriterTest::tracesWrittenReadBack() {
    QFETCH(QString, file);
    QTemporaryDir folder;
    if (file.isEmpty()) {
        file = folder.filePath("run.kscope");
        std::ofstream(file.toStdString(), std::ios::binary) << test::sampleCapture();
    }
    const auto trace = import::loadTrace(file.toStdString());
    QVERIFY(trace);
    const auto again = readBack(**trace);
    QVERIFY(again);
    QVERIFY2(again->log().empty(), test::logText(again->log()).c_str());
    QVERIFY(again->info().baseTimeNs == (*trace)->info().baseTimeNs);
    QCOMPARE(again->gpuOperations().size(), (*trace)->gpuOperations().size());
    compareRows(**trace, *again, true);
    QCOMPARE(again->instants().size(), (*trace)->instants().size());
    QCOMPARE(again->counters().size(), (*trace)->counters().size());
}

// What is no work of the GPU, a GPU that is not known, a kernel without a name or a grid.
void PerfettoWriterTest::rowsOfAGpuKeepWhatTheyHave() {
    const auto trace = importText(R"([
        {"ph": "X", "name": "k", "cat": "kernel", "pid": 0, "tid": 7, "ts": 0, "dur": 10,
         "args": {"block": [4, 5, 6], "stream": 7}},
        {"ph": "X", "cat": "kernel", "pid": 0, "tid": 7, "ts": 20, "dur": 10},
        {"ph": "X", "name": "Barrier", "cat": "Barrier", "pid": 0, "tid": "barriers", "ts": 1,
         "dur": 3, "args": {"correlation": 5}},
        {"ph": "X", "name": "plain", "pid": 0, "tid": 7, "ts": 2, "dur": 5},
        {"ph": "X", "name": "lost", "cat": "gpu_memcpy", "pid": -1, "tid": 9, "ts": 3, "dur": 2,
         "args": {"stream": 9}}])");
    QVERIFY(trace);
    const auto again = readBack(**trace);
    QVERIFY(again);
    compareRows(**trace, *again, false);
}

void PerfettoWriterTest::crossingSlicesKeepTheirTimes() {
    const auto trace = importText(R"([
        {"ph": "X", "name": "a", "pid": 100, "tid": 1, "ts": 0, "dur": 10},
        {"ph": "X", "name": "b", "pid": 100, "tid": 1, "ts": 5, "dur": 10},
        {"ph": "X", "name": "c", "pid": 100, "tid": 1, "ts": 10, "dur": 0},
        {"ph": "X", "name": "d", "pid": 100, "tid": 1, "ts": 10, "dur": 5},
        {"ph": "X", "name": "early", "pid": 100, "tid": 1, "ts": -3, "dur": 1},
        {"ph": "C", "name": "load", "pid": 100, "ts": 4, "args": {"value": 2.5}},
        {"ph": "i", "name": "here", "pid": 100, "tid": 1, "ts": 6, "s": "t"}])");
    QVERIFY(trace);
    const auto again = readBack(**trace, "run.pftrace.gz");
    QVERIFY(again);
    QCOMPARE(again->info().format, "Perfetto, gzip");
    QVERIFY(again->log().empty());
    std::map<std::string, TimeSpan> spans;
    for (SliceId slice = 0; slice < again->sliceCount(); ++slice) {
        spans[std::string(again->name(slice))] = again->span(slice);
        QCOMPARE(again->tracks()[again->trackOf(slice)].tid.value, 1);
    }
    QCOMPARE(spans.at("early"), (TimeSpan{-3'000, -2'000}));
    QCOMPARE(spans.at("a"), (TimeSpan{0, 10'000}));
    QCOMPARE(spans.at("b"), (TimeSpan{5'000, 15'000}));
    QCOMPARE(spans.at("c"), (TimeSpan{10'000, 10'000}));
    QCOMPARE(spans.at("d"), (TimeSpan{10'000, 15'000}));
    QCOMPARE(again->counters()[0].value, 2.5);
    QCOMPARE(again->instants()[0].time, 6'000);
}

// Against the rule itself, row by row.
void PerfettoWriterTest::slicesTakeTheFirstRowInWhichTheyNest() {
    QRandomGenerator random(20261128);
    std::string text = "[";
    for (int i = 0; i < 300; ++i) {
        text += fmt::format(
            R"({}{{"ph": "X", "name": "{}", "pid": 1, "tid": "t", "ts": {}, "dur": {}}})",
            i > 0 ? "," : "", i, random.bounded(400), random.bounded(30));
    }
    const auto trace = importText(text + "]");
    QVERIFY(trace);
    const auto again = readBack(**trace);
    QVERIFY(again);
    std::map<std::string, TrackId> found;
    for (SliceId slice = 0; slice < again->sliceCount(); ++slice) {
        found[std::string(again->name(slice))] = again->trackOf(slice);
    }
    std::vector<SliceId> order((*trace)->sliceCount());
    std::iota(order.begin(), order.end(), SliceId{0});
    std::ranges::sort(order, {}, [&](SliceId slice) {
        return std::tuple((*trace)->start(slice), -(*trace)->duration(slice), slice);
    });
    std::vector<std::vector<TimeNs>> rows;
    std::map<std::size_t, TrackId> trackOf;
    for (const SliceId slice : order) {
        std::size_t row = 0;
        for (; row < rows.size(); ++row) {
            while (!rows[row].empty() && rows[row].back() <= (*trace)->start(slice)) {
                rows[row].pop_back();
            }
            if (rows[row].empty() || rows[row].back() >= (*trace)->end(slice)) {
                break;
            }
        }
        rows.resize(std::max(rows.size(), row + 1));
        rows[row].push_back((*trace)->end(slice));
        const TrackId track = found.at(std::string((*trace)->name(slice)));
        QCOMPARE(trackOf.try_emplace(row, track).first->second, track);
    }
    QVERIFY(trackOf.size() > 5);
    QCOMPARE(again->tracks().size(), trackOf.size());
    compareRows(**trace, *again, false);
}

void PerfettoWriterTest::timesNearTheReadersLimitAreKept_data() {
    QTest::addColumn<QByteArray>("base");
    QTest::addColumn<QByteArray>("times");
    QTest::newRow("all behind it") << QByteArray("2305843009213693000") << QByteArray("10 2000");
    QTest::newRow("one behind it") << QByteArray("2305843009212693951") << QByteArray("10 2000");
    QTest::newRow("an end behind it") << QByteArray("2305843009213691951") << QByteArray("-3 0");
    QTest::newRow("far behind it") << QByteArray("4611686018427387904") << QByteArray("-10 2000");
    QTest::newRow("far apart") << QByteArray() << QByteArray("-2e15 2e15");
    QTest::newRow("far before Unix time")
        << QByteArray("1700000000000000000") << QByteArray("-2.2e15 2.2e15");
}

void PerfettoWriterTest::timesNearTheReadersLimitAreKept() {
    QFETCH(const QByteArray, base);
    QFETCH(const QByteArray, times);
    QByteArray text = base.isEmpty() ? "{" : "{\"baseTimeNanoseconds\": " + base + ", ";
    text += "\"traceEvents\": [";
    for (const auto& [head, tail] :
         {std::pair(R"("X", "cat": "kernel", "pid": 0, "tid": 7)", R"(, "args": {"stream": 7})"),
          {R"("X", "pid": 100, "tid": 1)", ""},
          {R"("i", "s": "t", "pid": 100, "tid": 1)", ""},
          {R"("C", "pid": 100)", R"(, "args": {"value": 1})"}}) {
        for (const QByteArray& time : times.split(' ')) {
            text += QByteArray(text.endsWith('[') ? "" : ",") +
                    R"({"name": "a", "dur": 5, "ts": )" + time + ", \"ph\": " + head + tail + "}";
        }
    }
    const auto trace = importText((text + "]}").toStdString());
    QVERIFY(trace);
    const auto again = readBack(**trace);
    QVERIFY(again);
    QVERIFY2(again->log().empty(), test::logText(again->log()).c_str());
    QCOMPARE(again->instants().size(), 2U);
    QCOMPARE(again->counters().size(), 2U);
    QCOMPARE(again->sliceCount(), (*trace)->sliceCount());
    // Times that are far from the snapshot of the clocks are counted from the first event.
    const TimeNs moved = again->extent().start - (*trace)->extent().start;
    for (SliceId slice = 0; slice < again->sliceCount(); ++slice) {
        QCOMPARE(again->duration(slice), 5'000);
        QCOMPARE(again->start(slice) - moved, (*trace)->start(slice));
    }
    if (!base.isEmpty()) {
        QCOMPARE(*again->info().baseTimeNs, *(*trace)->info().baseTimeNs - moved);
    }
}

// Only traces that no importer makes are longer than the reader's range.
void PerfettoWriterTest::timesThatCannotBeToldAreCounted() {
    constexpr TimeNs kFar = TimeNs{1} << 62;
    TraceBuilder builder;
    const TrackId track = builder.track({false, 1}, {false, 1});
    for (const TimeNs start : {-kFar, TimeNs{0}, kFar}) {
        builder.addSlice({.start = start, .duration = 1'000, .track = track});
    }
    builder.addInstant({kFar, kEmptyName, track, 0, 't', 0});
    const auto trace = builder.finish();
    const QTemporaryDir folder;
    convert::PerfettoOptions options;
    options.output = folder.filePath("run.pftrace").toStdString();
    const auto written = convert::writePerfettoTrace(*trace, options).value();
    QCOMPARE(written.events + written.outOfRange, 4U);
    const auto again = import::loadTrace(options.output).value();
    QCOMPARE(again->sliceCount() + again->instants().size(), written.events);
    QVERIFY(again->log().empty());
}

void PerfettoWriterTest::largeProcessNumbersStayApart() {
    const auto trace = importText(R"([
        {"ph": "X", "name": "a", "pid": 4294967301, "tid": 1, "ts": 10, "dur": 5},
        {"ph": "X", "name": "b", "pid": 5, "tid": 1, "ts": 12, "dur": 5}])");
    QVERIFY(trace);
    const auto again = readBack(**trace);
    QVERIFY(again);
    compareRows(**trace, *again, false);
    std::map<std::string, std::string> processes;
    for (SliceId slice = 0; slice < again->sliceCount(); ++slice) {
        const Track& track = again->tracks()[again->trackOf(slice)];
        processes[std::string(again->name(slice))] =
            again->rowIdText(again->processes()[track.process].pid);
    }
    QCOMPARE(processes.at("a"), "4294967301");
    QCOMPARE(processes.at("b"), "5");
}

void PerfettoWriterTest::countersKeepTheirNames() {
    const auto trace = importText(R"([
        {"ph": "X", "name": "a", "pid": 5, "tid": 1, "ts": 10, "dur": 5},
        {"ph": "M", "name": "process_name", "pid": 5, "args": {"name": "worker"}},
        {"ph": "C", "name": "load", "pid": 5, "ts": 10, "args": {"value": 1}},
        {"ph": "C", "name": "q", "pid": 5, "ts": 11, "args": {"x": 2, "y": 3}},
        {"ph": "C", "name": "q x", "pid": 5, "ts": 12, "args": {"value": 4}}])");
    QVERIFY(trace);
    const auto again = readBack(**trace);
    QVERIFY(again);
    std::string found;
    for (const CounterSample& sample : again->counters()) {
        const Track& track = again->tracks()[sample.track];
        QCOMPARE(track.kind, TrackKind::Counter);
        found += fmt::format("{}: {}; ", again->rowIdText(track.tid), sample.value);
    }
    QCOMPARE(found, "load: 1; q x (worker): 2; q y: 3; q x (worker 4611686018427387907): 4; ");
}

QTEST_APPLESS_MAIN(PerfettoWriterTest)
#include "PerfettoWriterTest.moc"
