// SPDX-License-Identifier: Apache-2.0
// What becomes of files that are not as they should be: count, message and place of each oddity.
#include <QtTest>
#include <ctime>
#include <set>
#include <string>

#include "core/trace/ImportIssues.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::import::source;
using namespace kinetoscope::trace;
using test::importText;

class ImportDamageTest final : public QObject {
    Q_OBJECT

private slots:
    void oddFilesAreReadAndReported_data();
    void oddFilesAreReadAndReported();
    void filesThatAreNoTraceAreRefused_data();
    void filesThatAreNoTraceAreRefused();
    void cutTextKeepsEverythingBeforeTheCut();
    void oneDamagedByteCostsOneEventAtMost();
    void damagedLastEventLeavesTheMetadataBehindItReadable();
    void damagedMetadataLeavesTheEventsReadable();
    void aCommaBeforeADamagedLastEventIsNoTrailingOne();
    void anOddEventAtTheVeryEndIsRead();
    void argumentsEndWithTheirEvent();
    void textBehindDamageIsCounted();
    void twoHundredLevelsOfNestingAreRead();
    void fiftyMegabyteStringIsRead();
    void hostileTextTakesLinearTime_data();
    void hostileTextTakesLinearTime();
    void everyIssueHasItsOwnNameAndHelp();
};

namespace {

const std::string kGood =
    R"({"ph": "X", "cat": "cpu_op", "name": "good", "pid": 1, "tid": 2, "ts": 10.5, "dur": 1})";

// A trace with `middle` between two good events; its offset is that of the text before it.
const std::string kHead = "{\"traceEvents\": [\n" + kGood + ",\n";
const std::string kTail = ",\n" + kGood + "\n]}";

std::string around(const std::string& middle) {
    return kHead + middle + kTail;
}

std::size_t countNamed(const Trace& trace, std::string_view name) {
    std::size_t count = 0;
    for (SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        count += trace.name(slice) == name ? 1U : 0U;
    }
    return count;
}

}  // namespace

void ImportDamageTest::oddFilesAreReadAndReported_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("issue");
    QTest::addColumn<QByteArray>("example");
    QTest::addColumn<qulonglong>("offset");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("events");
    QTest::addColumn<int>("skipped");
    QTest::addColumn<int>("slices");
    const auto row = [](const char* name, const std::string& text, const char* issue,
                        const char* example, std::size_t offset, int events, int skipped,
                        int slices, int count = 1) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(issue)
                            << QByteArray(example) << qulonglong{offset} << count << events
                            << skipped << slices;
    };
    const std::size_t middle = kHead.size();
    const auto event = [](const std::string& members) { return R"({"ph": "X", )" + members + "}"; };

    row("truncated object", kHead + R"({"ph": "X", "na)", "truncated_text",
        R"(the text ends inside of {"ph": "X", "na)", middle, 2, 1, 1);
    row("truncated between events", kHead, "truncated_text", "the text ends between two events",
        middle, 1, 0, 1);
    row("truncated behind the events", "{\"traceEvents\": [" + kGood + "]", "truncated_text",
        "the text ends without '}'", kGood.size() + 18, 1, 0, 1);
    row("truncated metadata", "{\"traceEvents\": [" + kGood + R"(], "traceName": "x)",
        "truncated_text", "key 'traceName'", kGood.size() + 20, 1, 0, 1);
    row("truncated array", "[" + kGood + ", {\"ph\": ", "truncated_text",
        "the text ends inside of {\"ph\": ", kGood.size() + 3, 2, 1, 1);
    row("array without end", "[" + kGood + ",\n", "missing_array_end", "the text ends without ']'",
        kGood.size() + 3, 1, 0, 1);
    row("trailing comma", "{\"traceEvents\": [" + kGood + ",\n]}", "trailing_comma",
        "a comma before the end of the events", kGood.size() + 17, 1, 0, 1);
    row("two lists", "{\"traceEvents\": [" + kGood + R"(], "traceEvents": [)" + kGood + "]}",
        "several_event_lists", "one more key 'traceEvents'", kGood.size() + 20, 2, 0, 2);
    row("two commas", around(kGood + ",,"), "extra_comma", "a comma without an event before it",
        middle + kGood.size() + 1, 3, 0, 3, 2);
    row("no comma", around(kGood + "\n" + kGood), "missing_comma",
        R"({"ph": "X", "cat": "cpu_op", "name": "good", "pid": 1, "tid"…)",
        middle + kGood.size() + 1, 4, 0, 4);
    row("comma inside", around(event(R"("name": "odd", "ts": 1, "dur": 1,)")), "extra_comma",
        "'odd'", middle, 3, 0, 3);
    row("trailing garbage", around(kGood) + "\nGoodbye!", "trailing_garbage", "Goodbye!",
        around(kGood).size() + 1, 3, 0, 3);
    row("raw control characters", around(event("\"name\": \"a\nb\", \"ts\": 1, \"dur\": 1")),
        "control_character", "'a b'", middle, 3, 0, 3);
    row("control character in args",
        around(event("\"name\": \"odd\", \"ts\": 1, \"dur\": 1, \"args\": {\"s\": \"\t\"}")),
        "control_character", "'odd'", middle, 3, 0, 3);
    row("invalid UTF-8", around(event("\"name\": \"a\xff\", \"ts\": 1, \"dur\": 1")),
        "invalid_utf8", "'a\xEF\xBF\xBD'", middle, 3, 0, 3);
    row("invalid UTF-8 in a name that is no string",
        around(event("\"name\": [\"a\xff\"], \"ts\": 1, \"dur\": 1")), "invalid_utf8",
        "'[\"a\xEF\xBF\xBD\"]'", middle, 3, 0, 3);
    row("invalid UTF-8 in args",
        around(event("\"name\": \"odd\", \"ts\": 1, \"dur\": 1, \"args\": {\"s\": \"\xc3\"}")),
        "invalid_utf8", "'odd'", middle, 3, 0, 3);
    row("invalid escape", around(event(R"("name": "C:\Users", "ts": 1, "dur": 1)")),
        "invalid_escape", R"('C:\Users')", middle, 3, 0, 3);
    row("NaN", around(event(R"("name": "odd", "ts": 1, "dur": NaN)")), "bare_word", "'odd'", middle,
        3, 0, 3);
    row("Infinity", around(event(R"("name": "odd", "ts": 1, "dur": 1, "args": {"a": -Infinity})")),
        "bare_word", "'odd'", middle, 3, 0, 3);
    row("N/A",
        around(R"j({"ph": "X", "cat": "gpu_memcpy", "name": "odd", "ts": 1, "dur": 1, "pid": 0,)j"
               R"j("args": {"memory bandwidth (GB/s)": N/A, "bytes": 4}})j"),
        "bare_word", "'odd'", middle, 3, 0, 3);
    row("missing dur", around(event(R"("name": "odd", "ts": 1)")), "missing_duration",
        "'odd' has no dur", middle, 3, 0, 3);
    row("null dur", around(event(R"("name": "odd", "ts": 1, "dur": null)")), "missing_duration",
        "'odd' has no dur", middle, 3, 0, 3);
    row("negative dur", around(event(R"("name": "odd", "ts": 1, "dur": -2.5)")),
        "negative_duration", "'odd' has a duration of -2500 ns", middle, 3, 0, 3);
    row("endless dur", around(event(R"("name": "odd", "ts": 1, "dur": 1e300)")),
        "duration_out_of_range", "'odd' lasts 9223372036854775807 ns", middle, 3, 0, 3);
    row("missing ts", around(event(R"("name": "odd", "dur": 1)")), "missing_ts",
        "'odd' has no usable ts", middle, 3, 1, 2);
    row("ts is a word", around(event(R"("name": "odd", "ts": "soon", "dur": 1)")), "missing_ts",
        "'odd' has no usable ts", middle, 3, 1, 2);
    row("ts out of range", around(event(R"("name": "odd", "ts": 1e18, "dur": 1)")),
        "time_out_of_range", "'odd' has ts 1e18", middle, 3, 1, 2);
    row("a number as event", around("17"), "not_an_object", "17", middle, 3, 1, 2);
    row("a text as event", around("\"text, {\\\"ph\\\"\""), "not_an_object", R"("text, {\"ph\"")",
        middle, 3, 1, 2);
    row("null and a list as events", around("null,\n[{\"ph\": \"X\"}]"), "not_an_object", "null",
        middle, 4, 2, 2, 2);
    row("event without phase", around(R"({"name": "odd"})"), "missing_phase", "'odd' has no ph",
        middle, 3, 1, 2);
    row("event of unknown members", around(R"({"odd": {}})"), "missing_phase",
        R"({"odd": {}} has no ph)", middle, 3, 1, 2);
    row("empty event", around("{}"), "empty_event", "{}", middle, 3, 0, 2);
    row("empty event with spaces", around("{ \n }"), "empty_event", "{}", middle, 3, 0, 2);
    row("unknown phase", around(R"({"ph": "v", "name": "dump", "ts": 1})"), "unknown_phase",
        "'dump' has ph 'v'", middle, 3, 0, 2);
    row("log line between events", around("W0101 12:00:00 {oops} \"quoted\"\n" + kGood),
        "malformed_event",
        "W0101 12:00:00 {oops} \"quoted\" {\"ph\": \"X\", \"cat\": \"cpu_op\", …", middle, 4, 1, 3);
    row("quotes in a name", around(event(R"("name": "a "b" c", "ts": 1, "dur": 1)")),
        "malformed_event", R"({"ph": "X", "name": "a "b" c", "ts": 1, "dur": 1}, {"ph": "X…)",
        middle, 3, 1, 2);
    row("brace missing", around(R"({"ph": "X", "ts": 1, "args": {"a": 1 })"), "malformed_event",
        R"({"ph": "X", "ts": 1, "args": {"a": 1 }, {"ph": "X", "cat": "…)", middle, 3, 1, 2);
    row("brace too many in args", around(R"({"ph": "X", "ts": 1, "args": {{"a": 1}})"),
        "malformed_event", R"({"ph": "X", "ts": 1, "args": {{"a": 1}}, {"ph": "X", "cat": …)",
        middle, 3, 1, 2);
    row("end without begin", around(R"({"ph": "E", "name": "odd", "ts": 3})"), "unmatched_end",
        "'odd' ends nothing", middle, 3, 1, 2);
    row("begin without end", around(R"({"ph": "B", "name": "odd", "ts": 3})"), "unfinished_begin",
        "a begin event has no end event", middle, 3, 0, 3);
    row("counter without number",
        around(R"({"ph": "C", "name": "odd", "ts": 3, "args": {"a": "b"}})"),
        "counter_without_value", "'odd' has no number in args", middle, 3, 1, 2);
    row("malformed arguments",
        around(event(R"("cat": "kernel", "name": "odd", "ts": 1, "dur": 1, "args": {"a" 1})")),
        "malformed_arguments", "'odd'", middle, 3, 0, 3);
    row("large field", "{\"big\": \"" + std::string(2'000'000, 'x') + "\", \"traceEvents\": []}",
        "large_field", "key 'big': 2000002 bytes", 1, 0, 0, 0);
}

void ImportDamageTest::oddFilesAreReadAndReported() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, issue);
    QFETCH(QByteArray, example);
    QFETCH(qulonglong, offset);
    QFETCH(int, count);
    QFETCH(int, events);
    QFETCH(int, skipped);
    QFETCH(int, slices);
    for (const std::size_t chunk : {kTextChunk, std::size_t{97}}) {
        const auto trace = importText(text.toStdString(), chunk);
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        const ImportLog& log = (*trace)->log();
        const ImportIssue* found = log.find(issue.toStdString());
        QVERIFY2(found != nullptr, log.empty() ? "empty log" : log.sorted()[0].name.c_str());
        QCOMPARE(qulonglong{found->firstOffset}, offset);
        QCOMPARE(static_cast<int>(found->count), count);
        if (chunk == kTextChunk) {
            QCOMPARE(QByteArray::fromStdString(found->example), example);
        }
        QCOMPARE(static_cast<int>(log.events), events);
        QCOMPARE(static_cast<int>(log.skipped), skipped);
        QCOMPARE(static_cast<int>((*trace)->sliceCount()), slices);
        QCOMPARE(importIssueHelp(found->name).empty(), false);
    }
}

void ImportDamageTest::filesThatAreNoTraceAreRefused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* name, const QByteArray& text, const char* message) {
        QTest::newRow(name) << text << QByteArray(message);
    };
    row("no traceEvents", R"({"a": 1, "b": [2], "c": {"traceEvents": []}})",
        "'test.json': is JSON, but not a trace: it has no traceEvents; its keys are a, b, c");
    row("many keys", R"({"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1})",
        "'test.json': is JSON, but not a trace: it has no traceEvents; its keys are a, b, c, d, e, "
        "f, g, h, "
        "…");
    row("empty object", "{}", "'test.json': is not a trace: it has no traceEvents");
    row("events are not an array", R"({"traceEvents": {"a": 1}})",
        "'test.json': is JSON, but not a trace: its traceEvents is not an array");
    row("array of numbers", "[1, 2, 3]",
        "'test.json': is a JSON array, but not a trace: none of its elements is an event");
    row("array of other objects", R"([{"name": "bench", "value": 3}])",
        "'test.json': is a JSON array, but not a trace: none of its elements is an event");
    row("white space", "  \n\t ", "'test.json': contains only white space");
    row("text", "hello world, how are you",
        "'test.json': is not a trace: it starts with 'hello world, how', where JSON text was "
        "expected "
        "(plain, gzip or zstd)");
    row("binary",
        QByteArray("\x7f"
                   "ELF\x02\x01",
                   6),
        "'test.json': is not a trace: it starts with bytes 7f 45 4c 46 02 01, where JSON text was "
        "expected (plain, gzip or zstd)");
    row("UTF-16", QByteArray("\xff\xfe{\0", 4), "'test.json': is UTF-16 text; convert it to UTF-8");
    row("nothing", "", "'test.json': contains no text");
}

void ImportDamageTest::filesThatAreNoTraceAreRefused() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, message);
    const auto trace = importText(text.toStdString());
    QVERIFY(!trace);
    QCOMPARE(QByteArray::fromStdString(trace.error().message), message);
    QCOMPARE(trace.error().kind, ErrorKind::BadInput);
}

void ImportDamageTest::cutTextKeepsEverythingBeforeTheCut() {
    const std::string text = around(kGood) + "\n";
    for (std::size_t cut = 20; cut < text.size() - 3; ++cut) {
        std::size_t complete = 0;
        for (std::size_t at = text.find(kGood); at != std::string::npos && at + kGood.size() <= cut;
             at = text.find(kGood, at + 1)) {
            ++complete;
        }
        const auto trace = importText(std::string_view(text).substr(0, cut), 64);
        QVERIFY(trace);
        QCOMPARE((*trace)->sliceCount(), complete);
        QVERIFY((*trace)->log().find("truncated_text") != nullptr);
        QCOMPARE((*trace)->log().events - (*trace)->log().skipped, complete);
    }
}

// Every byte of the middle event, replaced by every byte that means something.
void ImportDamageTest::oneDamagedByteCostsOneEventAtMost() {
    const std::string victim =
        R"({"ph": "X", "cat": "kernel", "name": "odd \"<1>\"", "pid": 0, "tid": 7, "ts": 1.5,)"
        R"( "dur": 2, "args": {"stream": 7, "grid": [1, 2, 3], "x": {"y": ["[a]", "{b"]}}})";
    for (const std::string separator : {",\n", ",", ", "}) {
        const std::string before = "{\"traceEvents\": [" + kGood + separator;
        const std::string text = before + victim + separator + kGood + separator + kGood +
                                 "], \"displayTimeUnit\": \"ms\"}";
        for (std::size_t at = 0; at < victim.size(); ++at) {
            for (const char byte : std::string("\"\\{}[],:\n x1\xff") + '\0') {
                std::string damaged = text;
                damaged[before.size() + at] = byte;
                const auto trace = importText(damaged);
                const std::string what =
                    "byte " + std::to_string(at) + " is " + std::to_string(byte);
                QVERIFY2(trace, what.c_str());
                QVERIFY2(countNamed(**trace, "good") == 3, what.c_str());
                QVERIFY2(!(*trace)->info().fields.empty(), what.c_str());
            }
        }
    }
}

void ImportDamageTest::damagedLastEventLeavesTheMetadataBehindItReadable() {
    const std::string text = kHead + R"({"ph": "X", "args": {"a": [1], "b": [{"c": 2}], "d})" +
                             "\n], \"x\": [3], \"baseTimeNanoseconds\": 12}";
    for (const std::size_t chunk : {kTextChunk, std::size_t{16}}) {
        const auto trace = importText(text, chunk);
        QVERIFY(trace);
        QCOMPARE((*trace)->log().events, 2U);
        QCOMPARE((*trace)->log().skipped, 1U);
        QVERIFY((*trace)->log().find("malformed_event") != nullptr);
        QCOMPARE((*trace)->info().baseTimeNs, std::optional<TimeNs>(12));
    }
}

void ImportDamageTest::damagedMetadataLeavesTheEventsReadable() {
    const std::string text =
        R"({"schemaVersion": 1, "cmd": "run "a" b", "traceEvents": [)" + kGood + "]}";
    for (const std::size_t chunk : {kTextChunk, std::size_t{16}}) {
        const auto trace = importText(text, chunk);
        QVERIFY(trace);
        QCOMPARE((*trace)->sliceCount(), 1U);
        const ImportIssue* issue = (*trace)->log().find("malformed_metadata");
        QVERIFY(issue != nullptr);
        QCOMPARE(issue->firstOffset, 34U);
        QCOMPARE(issue->example, std::string("beside the events"));
    }
}

void ImportDamageTest::aCommaBeforeADamagedLastEventIsNoTrailingOne() {
    const auto trace =
        importText(R"({"traceEvents": [)" + kGood + ", " + kGood + R"( ~ {"ph" "X"}], "a": 1})");
    QVERIFY(trace);
    QVERIFY((*trace)->log().find("malformed_event") != nullptr);
    QVERIFY((*trace)->log().find("trailing_comma") == nullptr);
}

void ImportDamageTest::anOddEventAtTheVeryEndIsRead() {
    const std::string text = "[" + kGood + R"(, {"ph": "X", , "name": "k", "ts": 2, "dur": 1})";
    for (const std::size_t chunk : {kTextChunk, text.size(), std::size_t{4}}) {
        const auto trace = importText(text, chunk);
        QVERIFY(trace);
        QCOMPARE((*trace)->sliceCount(), 2U);
        QVERIFY((*trace)->log().find("extra_comma") != nullptr);
        QVERIFY((*trace)->log().find("missing_array_end") != nullptr);
    }
}

void ImportDamageTest::argumentsEndWithTheirEvent() {
    // The ']' that would end the grid is that of the events.
    const std::string text =
        R"({"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, )"
        R"("dur": 1, "args": {"grid": [4, 2, "x": null}}]})";
    for (const std::size_t chunk : {kTextChunk, std::size_t{4}}) {
        const auto trace = importText(text, chunk);
        QVERIFY(trace);
        QCOMPARE((*trace)->gpuOperations().size(), std::size_t{1});
        QCOMPARE((*trace)->gpuOperations()[0].grid[0], 0U);
        QVERIFY((*trace)->log().find("malformed_arguments") != nullptr);
    }
}

void ImportDamageTest::textBehindDamageIsCounted() {
    const std::string text =
        R"({"traceEvents": [)" + kGood + R"(], "a" ?? )" + std::string(4096, ' ') + R"("b": 1})";
    for (const std::size_t chunk : {kTextChunk, std::size_t{16}}) {
        const auto trace = importText(text, chunk);
        QVERIFY(trace);
        QCOMPARE((*trace)->info().textBytes, std::uint64_t{text.size()});
    }
}

void ImportDamageTest::twoHundredLevelsOfNestingAreRead() {
    std::string nest = "1";
    for (int level = 0; level < 200; ++level) {
        nest = level % 2 == 0 ? "[" + nest + "]" : R"({"a": )" + nest + "}";
    }
    for (const char* cat : {"kernel", "cpu_op"}) {
        const auto trace = importText(around(R"({"ph": "X", "ts": 1, "dur": 1, "cat": ")" +
                                             std::string(cat) + R"(", "args": {"deep": )" + nest +
                                             R"(, "correlation": 5}, "name": "odd"})"));
        QVERIFY(trace);
        QVERIFY((*trace)->log().empty());
        QCOMPARE((*trace)->sliceCount(), 3U);
        QCOMPARE((*trace)->name(1), std::string_view("odd"));
    }
}

void ImportDamageTest::fiftyMegabyteStringIsRead() {
    const std::string huge(50'000'000, 'x');
    const auto trace = importText(around(R"({"ph": "X", "ts": 1, "dur": 1, "args": {"s": ")" +
                                         huge + R"("}, "name": "odd"})"));
    QVERIFY(trace);
    QVERIFY((*trace)->log().empty());
    QCOMPARE((*trace)->sliceCount(), 3U);
    const auto named =
        importText(around(R"({"ph": "X", "ts": 1, "dur": 1, "name": ")" + huge + "\"}"));
    QVERIFY(named);
    QCOMPARE((*named)->name(1).size(), huge.size());
}

void ImportDamageTest::hostileTextTakesLinearTime_data() {
    QTest::addColumn<QByteArray>("unit");
    QTest::newRow("open events") << QByteArray("{\"a\":[,");
    QTest::newRow("open nests") << QByteArray("{\"ph\":{\"a\":[{},");
    QTest::newRow("array ends") << QByteArray("],\"a\":[");
    QTest::newRow("array ends with members") << QByteArray("{],\"a\":[],");
    QTest::newRow("good ones between open args")
        << QByteArray("{\"ph\":\"i\",\"ts\":1},{\"args\":{\"a\":1,");
    QTest::newRow("good ones between open arrays")
        << QByteArray("{\"ph\":\"i\",\"ts\":1},{\"args\":{\"a\":[");
    QTest::newRow("brackets") << QByteArray("[");
    QTest::newRow("braces") << QByteArray("{");
    QTest::newRow("quotes") << QByteArray(",{\"\":\"");
    QTest::newRow("backslashes") << QByteArray("\\");
    QTest::newRow("not an object") << QByteArray("{\"ph\":\"X\",\"args\":{\"x\":[1,{\"a\":\"");
}

// Twice the text may take twice the time, and some for the machine; not four times and more.
void ImportDamageTest::hostileTextTakesLinearTime() {
    QFETCH(QByteArray, unit);
    const auto seconds = [&](std::size_t bytes) {
        std::string text = "{\"traceEvents\": [ {\"ph\": x ";
        while (text.size() < bytes) {
            text += unit.toStdString();
        }
        // Processor time: other programs do not count.
        const std::clock_t begin = std::clock();
        static_cast<void>(importText(text));
        return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    };
    const double small = seconds(2'000'000);
    const double large = seconds(8'000'000);
    QVERIFY2(large < 10 * small + 0.2, qPrintable(QString("%1 s, %2 s").arg(small).arg(large)));
}

void ImportDamageTest::everyIssueHasItsOwnNameAndHelp() {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < kIssues; ++i) {
        const IssueKind& kind = issueKind(static_cast<Issue>(i));
        QCOMPARE(static_cast<std::size_t>(kind.issue), i);
        QVERIFY(names.insert(kind.name).second);
        QVERIFY(!importIssueHelp(kind.name).empty());
    }
    QVERIFY(importIssueHelp("nonsense").empty());
}

QTEST_APPLESS_MAIN(ImportDamageTest)
#include "ImportDamageTest.moc"
