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

QTEST_APPLESS_MAIN(PerfettoWriterTest)
#include "PerfettoWriterTest.moc"
