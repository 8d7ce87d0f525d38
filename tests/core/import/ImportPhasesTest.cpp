// SPDX-License-Identifier: Apache-2.0
// What events of each phase become besides complete ones.
#include <QtTest>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/support/SameTrace.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::trace;
using test::importText;

class ImportPhasesTest final : public QObject {
    Q_OBJECT

private slots:
    void beginAndEndNestPerTrack();
    void gpusAreNumberedByTheirText();
    void unfinishedBeginLastsToTheEnd();
    void asyncEventsPairByProcessCategoryAndId();
    void instantsKeepTheirScope();
    void countersKeepEveryNumber();
    void allocatorsTotalsAreCounters();
    void traceOfMomentsHasALength();
    void launchFlowsAreCountedOthersKept();
    void metadataNamesProcessesAndThreads();
    void compatFactsFollowTheLabels();
    void escapesChangeNothing();
};

namespace {

std::shared_ptr<const Trace> traceOf(const std::string& events) {
    const auto trace = importText("{\"traceEvents\": [" + events + "]}");
    return trace ? *trace : nullptr;
}

// The text with the string at `quote` written with an escape; of the blanks behind it, as many
// go as that takes, so that everything else stays where it was.
std::string escaped(const std::string& text, std::size_t quote) {
    const std::size_t end = text.find('"', quote + 1);
    std::array<char, 8> escape{};
    std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(text[quote + 1]));
    return text.substr(0, quote + 1) + escape.data() + text.substr(quote + 2, end - quote - 1) +
           text.substr(end + 6);
}

}  // namespace

void ImportPhasesTest::beginAndEndNestPerTrack() {
    const auto trace = traceOf(
        R"({"ph": "B", "name": "outer", "cat": "cpu_op", "pid": 1, "tid": 1, "ts": 10,
            "args": {"External id": 3}},
           {"ph": "B", "name": "other", "pid": 1, "tid": 2, "ts": 11},
           {"ph": "B", "name": "inner", "pid": 1, "tid": 1, "ts": 12},
           {"ph": "E", "pid": 1, "tid": 1, "ts": 15}, {"ph": "E", "pid": 1, "tid": 2, "ts": 16},
           {"ph": "E", "name": "outer", "pid": 1, "tid": 1, "ts": 30})");
    QVERIFY(trace->log().empty());
    QCOMPARE(trace->log().events, 6U);
    QCOMPARE(trace->sliceCount(), 3U);
    QCOMPARE(trace->span(0), (TimeSpan{10000, 30000}));
    QCOMPARE(trace->externalId(0), 3);
    QCOMPARE(trace->span(1), (TimeSpan{11000, 16000}));
    QCOMPARE(trace->span(2), (TimeSpan{12000, 15000}));
    QCOMPARE(trace->name(2), std::string_view("inner"));
    QCOMPARE(trace->trackOf(0), trace->trackOf(2));
}

void ImportPhasesTest::gpusAreNumberedByTheirText() {
    const auto trace = traceOf(
        R"({"ph": "X", "cat": "kernel", "name": "kernel", "pid": "GPU 0", "tid": "stream 7",
            "ts": 1, "dur": 1, "args": {"kernel": null}},
           {"ph": "X", "cat": "kernel", "name": "k", "pid": "GPU 1", "tid": 1, "ts": 2, "dur": 1},
           {"ph": "X", "cat": "kernel", "name": "k", "pid": "GPU 1", "tid": 1, "ts": 3, "dur": 1,
            "args": {"device": 2}})");
    QCOMPARE(trace->gpuOperations().size(), 3U);
    QCOMPARE(trace->gpuOperations()[0].gpu, 0);
    QCOMPARE(trace->gpuOperations()[1].gpu, 1);
    QCOMPARE(trace->gpuOperations()[2].gpu, 2);
    QCOMPARE(trace->name(0), std::string_view("kernel"));
}

void ImportPhasesTest::unfinishedBeginLastsToTheEnd() {
    const auto trace = traceOf(
        R"({"ph": "B", "name": "open", "ts": 10, "pid": 1, "tid": 1},
           {"ph": "X", "name": "last", "ts": 20, "dur": 30, "pid": 1, "tid": 2})");
    QCOMPARE(trace->span(0), (TimeSpan{10000, 50000}));
    QCOMPARE(trace->log().find("unfinished_begin")->firstOffset, 17U);
}

void ImportPhasesTest::asyncEventsPairByProcessCategoryAndId() {
    const auto trace = traceOf(
        R"({"ph": "b", "cat": "net", "id": "0x1", "name": "a", "pid": 1, "ts": 1},
           {"ph": "b", "cat": "net", "id": "0x2", "name": "b", "pid": 1, "ts": 2},
           {"ph": "b", "cat": "net", "id": "0x1", "name": "c", "pid": 2, "ts": 3},
           {"ph": "n", "cat": "net", "id": "0x1", "name": "note", "pid": 1, "ts": 4},
           {"ph": "e", "cat": "net", "id": "0x1", "name": "a", "pid": 1, "ts": 5},
           {"ph": "e", "cat": "net", "id": "0x2", "name": "b", "pid": 1, "ts": 7},
           {"ph": "e", "cat": "net", "id": "0x1", "name": "c", "pid": 2, "ts": 9},
           {"ph": "S", "cat": "old", "id": 4, "name": "d", "pid": 1, "ts": 10},
           {"ph": "T", "cat": "old", "id": 4, "name": "d", "pid": 1, "ts": 11},
           {"ph": "F", "cat": "old", "id": 4, "name": "d", "pid": 1, "ts": 12},
           {"ph": "b", "cat": "l", "id2": {"local": "0x9"}, "name": "f", "pid": 1, "ts": 13},
           {"ph": "e", "cat": "l", "id2": {"local": "0x9"}, "name": "f", "pid": 1, "ts": 15})");
    QVERIFY(trace->log().empty());
    QCOMPARE(trace->sliceCount(), 5U);
    const std::array<TimeNs, 5> durations{4000, 5000, 6000, 2000, 2000};
    for (SliceId slice = 0; slice < durations.size(); ++slice) {
        QCOMPARE(trace->duration(slice), durations[slice]);
        QCOMPARE(trace->tracks()[trace->trackOf(slice)].kind, TrackKind::Async);
    }
    QCOMPARE(trace->rowIdText(trace->tracks()[trace->trackOf(0)].tid), std::string("net 0x1"));
    QCOMPARE(trace->instants().size(), 2U);
    QCOMPARE(trace->instants()[0].track, trace->trackOf(0));
    QCOMPARE(trace->instants()[1].track, trace->trackOf(3));
}

void ImportPhasesTest::instantsKeepTheirScope() {
    const auto trace = traceOf(
        R"({"ph": "i", "s": "g", "name": "a", "pid": "", "tid": "", "ts": 1.5, "cat": "x"},
           {"ph": "I", "s": "p", "name": "b", "ts": 2}, {"ph": "R", "name": "c", "ts": 3})");
    QCOMPARE(trace->instants().size(), 3U);
    QCOMPARE(trace->instants()[0].scope, 'g');
    QCOMPARE(trace->instants()[0].time, TimeNs{1500});
    QCOMPARE(trace->text(trace->instants()[0].name), std::string_view("a"));
    QCOMPARE(trace->categoryText(trace->instants()[0].category), std::string_view("x"));
    QCOMPARE(trace->instants()[0].offset, 17U);
    QCOMPARE(trace->instants()[1].scope, 'p');
    QCOMPARE(trace->instants()[2].scope, 't');
}

void ImportPhasesTest::countersKeepEveryNumber() {
    const auto trace = traceOf(
        R"({"ph": "C", "name": "memory", "pid": "GPU 0 Counters", "ts": 2,
            "args": {"": 1.5e3, "used \"x\"": 7, "text": "no", "quoted": "-2.5", "n": NaN}},
           {"ph": "C", "name": "memory", "id": "z", "pid": 1, "ts": 3, "args": {"a": 1}})");
    QCOMPARE(trace->counters().size(), 4U);
    QCOMPARE(trace->text(trace->counters()[0].series), std::string_view(""));
    QCOMPARE(trace->counters()[0].value, 1500.0);
    QCOMPARE(trace->text(trace->counters()[1].series), std::string_view("used \"x\""));
    QCOMPARE(trace->counters()[1].value, 7.0);
    QCOMPARE(trace->counters()[2].value, -2.5);
    QCOMPARE(trace->counters()[0].offset, 17U);
    QCOMPARE(trace->counters()[2].offset, 17U);
    QVERIFY(trace->counters()[3].offset > 17U);
    const Track& track = trace->tracks()[trace->counters()[0].track];
    QCOMPARE(track.kind, TrackKind::Counter);
    QCOMPARE(trace->rowIdText(track.tid), std::string("memory"));
    QCOMPARE(trace->rowIdText(trace->tracks()[trace->counters()[3].track].tid),
             std::string("memory z"));
}

void ImportPhasesTest::allocatorsTotalsAreCounters() {
    const auto trace = traceOf(
        R"({"ph": "i", "s": "t", "name": "[memory]", "pid": 608, "tid": 632, "ts": 1.5, "args": {
            "Total Reserved": 4096, "Total Allocated": 1024, "Bytes": 512, "Device Id": 2,
            "Device Type": 1, "Addr": 139620394205184}},
           {"ph": "i", "name": "[memory]", "pid": 608, "tid": 632, "ts": 2, "args": {
            "Total Reserved": 0, "Total Allocated": 77, "Device Id": -1, "Device Type": 0}},
           {"ph": "i", "name": "[memory]", "pid": 608, "tid": 632, "ts": 3, "args": {"Bytes": 5}},
           {"ph": "i", "name": "[memory]", "pid": 608, "tid": 632, "ts": 4},
           {"ph": "i", "name": "[memory] ", "pid": 608, "tid": 632, "ts": 4,
            "args": {"Total Allocated": 1}})");
    QVERIFY(trace->log().empty());
    // Of many events of one form, other instants with arguments among them, each has its own.
    std::string many;
    for (int i = 0; i < 300; ++i) {
        many += R"({"ph": "i", "name": ")" + std::string(i % 3 == 0 ? "mark" : "[memory]") +
                R"(", "pid": 1, "tid": 2, "ts": )" + std::to_string(i) +
                R"(, "args": {"Total Allocated": )" + std::to_string(i) +
                R"(, "Device Id": 0, "Device Type": 1}})" + (i < 299 ? "," : "");
    }
    const auto repeated = traceOf(many.c_str());
    QCOMPARE(repeated->counters().size(), 200U);
    for (const CounterSample& sample : repeated->counters()) {
        QCOMPARE(sample.value * 1'000.0, static_cast<double>(sample.time));
    }
    QCOMPARE(trace->instants().size(), 5U);  // they stay
    QCOMPARE(trace->counters().size(), 3U);
    const auto row = [&](std::size_t sample) {
        return trace->rowIdText(trace->tracks()[trace->counters()[sample].track].tid) + ", " +
               std::string(trace->text(trace->counters()[sample].series));
    };
    QCOMPARE(row(0), std::string("GPU 2 memory, Total Allocated"));
    QCOMPARE(row(1), std::string("GPU 2 memory, Total Reserved"));
    QCOMPARE(row(2), std::string("CPU memory, Total Allocated"));
    QCOMPARE(trace->counters()[0].value, 1024.0);
    QCOMPARE(trace->counters()[1].value, 4096.0);
    QCOMPARE(trace->counters()[2].value, 77.0);
    QCOMPARE(trace->counters()[1].time, TimeNs{1500});
    QCOMPARE(trace->counters()[1].offset, trace->instants()[0].offset);
    const Process& process =
        trace->processes()[trace->tracks()[trace->counters()[0].track].process];
    QCOMPARE(process.pid, (RowId{false, 608}));
}

void ImportPhasesTest::traceOfMomentsHasALength() {
    const auto trace = traceOf(
        R"({"ph": "i", "name": "a", "ts": 7}, {"ph": "C", "name": "c", "ts": 2, "args": {"v": 1}},
           {"ph": "i", "name": "b", "ts": 5})");
    QCOMPARE(trace->extent(), (TimeSpan{2'000, 7'000}));
    QCOMPARE(traceOf(R"({"ph": "i", "name": "a", "ts": 7})")->extent(), (TimeSpan{7'000, 7'000}));
    QCOMPARE(traceOf("")->extent(), TimeSpan{});
    // Slices alone decide where there are any.
    QCOMPARE(
        traceOf(R"({"ph": "i", "name": "a", "ts": 7}, {"ph": "X", "ts": 3, "dur": 1})")->extent(),
        (TimeSpan{3'000, 4'000}));
}

void ImportPhasesTest::launchFlowsAreCountedOthersKept() {
    const auto trace = traceOf(
        R"({"ph": "s", "cat": "ac2g", "id": 7, "ts": 1, "pid": 1, "tid": 1, "name": "ac2g"},
           {"ph": "f", "cat": "ac2g", "id": 7, "ts": 2, "pid": 0, "tid": 7, "bp": "e"},
           {"ph": "s", "cat": "async", "name": "launch", "id": 1, "ts": 1},
           {"ph": "s", "cat": "async_gpu", "name": "cudaLaunchKernel", "id": 1, "ts": 1},
           {"ph": "s", "cat": "async_cpu_to_gpu", "id": 1, "ts": 1},
           {"ph": "s", "cat": "cpu_to_cuda", "id": 1, "ts": 1},
           {"ph": "s", "cat": "ac2g", "id": 1099511627776, "ts": 1.5, "pid": 4, "tid": 5},
           {"ph": "f", "cat": "fwd_bwd", "name": "forward_backward", "id": 9, "ts": 2},
           {"ph": "t", "cat": "async", "name": "mine", "id": "0xff", "ts": 3},
           {"ph": "s", "cat": "mine", "id": "word", "ts": 4},
           {"ph": "f", "cat": "mine", "id": "word", "ts": 5})");
    QVERIFY(trace->log().empty());
    QCOMPARE(trace->counts().launchFlows, 6U);
    QCOMPARE(trace->flows().size(), 5U);
    QCOMPARE(trace->flows()[0].id, 1099511627776);
    QCOMPARE(trace->flows()[0].time, TimeNs{1500});
    QCOMPARE(trace->flows()[0].phase, 's');
    QCOMPARE(categoryKind(trace->flows()[1].category), Category::FwdBwd);
    QCOMPARE(trace->flows()[1].phase, 'f');
    QCOMPARE(trace->flows()[2].id, 255);
    QVERIFY(trace->flows()[3].id < 0);
    QCOMPARE(trace->flows()[3].id, trace->flows()[4].id);
}

void ImportPhasesTest::metadataNamesProcessesAndThreads() {
    const auto trace = traceOf(
        R"({"ph": "M", "name": "process_name", "pid": 5, "args": {"name": "python \"3\""}},
           {"ph": "M", "name": "process_sort_index", "pid": 5, "args": {"sort_index": 5000001}},
           {"ph": "M", "name": "process_labels", "pid": 5, "args": {"labels": "CPU"}},
           {"ph": "M", "name": "thread_name", "pid": 5, "tid": 6, "args": {"name": "main"}},
           {"ph": "M", "name": "thread_sort_index", "pid": 5, "tid": 6,
            "args": {"sort_index": -3}},
           {"ph": "M", "name": "num_cpus", "pid": 5, "args": {"number": 6}})");
    QVERIFY(trace->log().empty());
    QCOMPARE(trace->counts().metadata, 6U);
    QCOMPARE(trace->processes().size(), 1U);
    const Process& process = trace->processes()[0];
    QCOMPARE(trace->text(process.name), std::string_view("python \"3\""));
    QCOMPARE(trace->text(process.labels), std::string_view("CPU"));
    QCOMPARE(process.sortIndex, 5000001);
    QCOMPARE(process.hasEvents, false);
    QCOMPARE(trace->tracks().size(), 1U);
    QCOMPARE(trace->text(trace->tracks()[0].name), std::string_view("main"));
    QCOMPARE(trace->tracks()[0].sortIndex, -3);
}

void ImportPhasesTest::compatFactsFollowTheLabels() {
    const auto trace = traceOf(
        R"({"ph": "M", "name": "process_labels", "pid": 1, "args": {"labels": "GPU 1"}},
           {"ph": "M", "name": "process_labels", "pid": 9, "args": {"labels": "CPU"}},
           {"ph": "M", "name": "process_labels", "pid": "x", "args": {"labels": "my GPU"}},
           {"ph": "M", "name": "process_labels", "pid": 1, "args": {"labels": "GPU 1"}},
           {"ph": "X", "name": "timeless", "pid": 1, "tid": 7, "dur": 1})");
    const CompatFacts& facts = trace->compatFacts();
    QCOMPARE(facts.gpuPids.size(), 3U);
    QCOMPARE(facts.gpuPids[0], (RowId{false, 1}));
    QVERIFY(facts.gpuPids[1].isText);
    QCOMPARE(facts.gpuPids[2], (RowId{false, 1}));
    QCOMPARE(facts.labelsMissing, false);
    QCOMPARE(facts.slicesWithoutTime.size(), 1U);
    QCOMPARE(trace->tracks()[facts.slicesWithoutTime[0]].tid, (RowId{false, 7}));
    QCOMPARE(traceOf(R"({"ph": "M", "name": "process_labels", "pid": 1, "args": {}})")
                 ->compatFacts()
                 .labelsMissing,
             true);
}

void ImportPhasesTest::escapesChangeNothing() {
    std::string text =
        R"({"schemaVersion": 1, "traceEvents": [
            {"ph": "X", "name": "k", "cat": "kernel", "pid": 1, "tid": 2, "ts": 0, "dur": 5,
             "args": {"correlation": 7, "stream": 3, "device": 0}},
            {"ph": "X", "name": "cudaLaunchKernel", "cat": "cuda_runtime", "pid": 1, "tid": 2,
             "ts": 0, "dur": 5, "args": {"correlation": 7}},
            {"ph": "X", "name": "Iteration Start: PyTorch Profiler", "cat": "Trace", "pid": 1,
             "tid": 2, "ts": 0, "dur": 5},
            {"ph": "i", "s": "g", "name": "m", "pid": 1, "tid": "t", "ts": 3},
            {"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 2, "ts": 3, "args":
             {"Device Type": 1, "Device Id": 0, "Total Allocated": 4, "Total Reserved": 8}},
            {"ph": "C", "name": "c", "pid": 1, "ts": 3, "args": {"value": 4}},
            {"ph": "X", "name": "q", "cat": "kernel", "pid": 1, "tid": 2, "ts": "20", "dur": "5",
             "args": {"correlation": "9", "External id": "4", "stream": "3", "device": "0"}},
            {"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 2, "ts": "13", "args":
             {"Device Type": "1", "Device Id": "0", "Total Allocated": "4", "Total Reserved": "8"}},
            {"ph": "C", "name": "c", "pid": 1, "ts": "13", "args": {"value": "4.5"}},
            {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "P"}},
            {"ph": "M", "name": "thread_sort_index", "pid": 1, "tid": 2,
             "args": {"sort_index": 5}},
            {"ph": "M", "name": "process_labels", "pid": 1, "args": {"labels": "GPU 0"}},
            {"ph": "s", "id": 7, "cat": "ac2g", "name": "ac2g", "pid": 1, "tid": 2, "ts": 1},
            {"ph": "f", "id": 7, "cat": "ac2g", "name": "ac2g", "pid": 1, "tid": 2, "ts": 4},
            {"ph": "B", "name": "outer", "pid": 1, "tid": 1, "ts": 10},
            {"ph": "E", "pid": 1, "tid": 1, "ts": 15},
            {"ph": "b", "id": "q", "scope": "w", "cat": "c", "name": "z", "pid": 1, "ts": 1},
            {"ph": "e", "id": "q", "scope": "w", "cat": "c", "name": "z", "pid": 1, "ts": 3},
            {"ph": "n", "id2": {"local": "r"}, "cat": "c", "name": "z", "pid": 1, "ts": 3}]})";
    std::vector<std::size_t> quotes;
    for (std::size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at + 1)) {
        quotes.push_back(at);
        at = text.find('"', at + 1);
        text.insert(at + 1, 5, ' ');
    }
    const auto plain = importText(text);
    QVERIFY(plain && (*plain)->log().empty());
    QVERIFY(quotes.size() > 150);
    for (const std::size_t quote : quotes) {
        const std::string other = escaped(text, quote);
        QCOMPARE(other.size(), text.size());
        const auto again = importText(other);
        QVERIFY(again.has_value());
        const std::string difference = test::difference(**plain, **again);
        QVERIFY2(difference.empty(), (difference + other.substr(quote, 30)).c_str());
    }
}

QTEST_APPLESS_MAIN(ImportPhasesTest)
#include "ImportPhasesTest.moc"
