// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <zlib.h>

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/convert/KinetoWriter.h"
#include "core/cut/Cut.h"
#include "core/import/load/LoadTrace.h"
#include "core/report/Report.h"
#include "tests/support/SampleCapture.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::cut;
using namespace kinetoscope::import;
using namespace kinetoscope::report;
using namespace kinetoscope::trace;
using Json = nlohmann::json;

class CutTest final : public QObject {
    Q_OBJECT

private slots:
    void slicesThatOverlapAreKeptAsWritten();
    void launchAndOperationStayTogether();
    void launchingOperatorStaysToo();
    void metadataAndKeysAreKept();
    void originAndWindowAreWritten();
    void arrowsNeedBothEnds();
    void launchArrowsFollowTheLaunch();
    void instantsAndCountersInsideAreKept();
    void beginAndEndStayTogether();
    void gzipHoldsTheSame();
    void bareArrayBecomesAnObject();
    void byteOrderMarkIsSkipped();
    void oddEventsAreRepaired();
    void damagedArgumentsAreRepaired();
    void namesThatAreNoStringsStayTheSame();
    void anotherToolsKeyIsNotTheFirst();
    void damageIsSteppedOver();
    void everyEventOfTheTraceIsFound_data();
    void everyEventOfTheTraceIsFound();
    void inputIsNeverOverwritten();
    void stoppedCutLeavesNothing();
    void changedFileIsRefused_data();
    void changedFileIsRefused();
    void changeDuringTheCutIsRefused();
    void whatCannotBeReadAgainIsRefused();
    void recordingIsCutLikeItsConversion_data();
    void recordingIsCutLikeItsConversion();
    void windowInOutputMeansTheSameTime();
    void reportOfACutEqualsTheReportOfItsWindow_data();
    void reportOfACutEqualsTheReportOfItsWindow();

private:
    [[nodiscard]] std::string path(const char* name) const {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }
    [[nodiscard]] std::shared_ptr<const Trace> load(const std::string& text) const;
    [[nodiscard]] Json cut(const std::string& text, const char* window) const;

    QTemporaryDir m_folder;
};

namespace {

// The microseconds of an event are its letters' places in the plot below:
//         0    10   20   30   40   50
//   cpu   [a1..]    [a2..]    [a3..]      API calls of 6 µs
//   gpu      [k1.......] [k2..] [k3..]    their kernels, some late
std::string event(const std::string& members) {
    return "  {" + members + "}";
}

std::string slice(const std::string& name, const std::string& category, int pid, int tid,
                  const std::string& ts, const std::string& dur, const std::string& args = "") {
    return event(R"("ph": "X", "cat": ")" + category + R"(", "name": ")" + name + R"(", "pid": )" +
                 std::to_string(pid) + R"(, "tid": )" + std::to_string(tid) + R"(, "ts": )" + ts +
                 R"(, "dur": )" + dur + R"(, "args": {)" + args + "}");
}

std::string document(const std::vector<std::string>& events) {
    std::string text = "{\n\"schemaVersion\": 1, \"note\": \"caf\u00e9\",\n\"traceEvents\": [\n";
    for (const std::string& one : events) {
        text += (&one == &events.front() ? "" : ",\n") + one;
    }
    return text + "\n],\n\"traceName\": \"x.json\"}\n";
}

std::vector<std::string> sample() {
    return {
        slice("a1", "cuda_runtime", 9, 9, "0", "6", R"("correlation": 1)"),
        slice("a2", "cuda_runtime", 9, 9, "20.000", "6", R"("correlation": 2)"),
        slice("a3", "cuda_runtime", 9, 9, "40", "6.5", R"("correlation": 3)"),
        slice("k1", "kernel", 0, 7, "3", "10", R"("correlation": 1, "stream": 7)"),
        slice("k2", "kernel", 0, 7, "30", "5", R"("correlation": 2, "stream": 7)"),
        slice("k3", "kernel", 0, 7, "43", "5", R"("correlation": 3, "stream": 7)"),
        event(R"("ph": "s", "id": 1, "pid": 9, "tid": 9, "ts": 0, "cat": "ac2g", "name": "ac2g")"),
        event(R"("ph": "f", "id": 1, "pid": 0, "tid": 7, "ts": 3, "cat": "ac2g", "name": "ac2g")"),
        event(R"("ph": "s", "id": 2, "pid": 9, "tid": 9, "ts": 20, "cat": "ac2g", "name": "ac2g")"),
        event(R"("ph": "f", "id": 2, "pid": 0, "tid": 7, "ts": 30, "cat": "ac2g", "name": "ac2g")"),
        event(R"("ph": "s", "id": 1, "pid": 9, "tid": 9, "ts": 21, "cat": "fwdbwd", "name": "f")"),
        event(R"("ph": "f", "id": 1, "pid": 9, "tid": 9, "ts": 24, "cat": "fwdbwd", "name": "f")"),
        event(R"("ph": "s", "id": 5, "pid": 9, "tid": 9, "ts": 22, "cat": "fwdbwd", "name": "f")"),
        event(R"("ph": "f", "id": 5, "pid": 9, "tid": 9, "ts": 44, "cat": "fwdbwd", "name": "f")"),
        event(R"("ph": "i", "s": "t", "pid": 9, "tid": 9, "ts": 21, "name": "in")"),
        event(R"("ph": "i", "s": "t", "pid": 9, "tid": 9, "ts": 5, "name": "out")"),
        event(R"("ph": "C", "pid": 9, "tid": 9, "ts": 22, "name": "mem", "args": {"b": 1})"),
        event(R"("ph": "C", "pid": 9, "tid": 9, "ts": 45, "name": "mem", "args": {"b": 2})"),
        event(R"("ph": "B", "pid": 9, "tid": 8, "ts": 1, "name": "outer")"),
        event(R"("ph": "B", "pid": 9, "tid": 8, "ts": 2, "name": "early")"),
        event(R"("ph": "E", "pid": 9, "tid": 8, "ts": 4)"),
        event(R"("ph": "E", "pid": 9, "tid": 8, "ts": 23)"),
        event(R"("ph": "M", "pid": 0, "tid": 0, "ts": 0, "name": "process_labels", )"
              R"("args": {"labels": "GPU 0"})"),
    };
}

std::multiset<std::string> names(const Json& json, const std::string& phases) {
    std::multiset<std::string> found;
    for (const Json& one : json["traceEvents"]) {
        if (phases.find(one["ph"].get<std::string>()) != std::string::npos) {
            const Json name = one.value("name", Json(""));
            found.insert(name.is_string() ? name.get<std::string>() : name.dump());
        }
    }
    return found;
}

int arrows(const Json& json, const std::string& category, int id) {
    int count = 0;
    for (const Json& one : json["traceEvents"]) {
        count += one.value("cat", "") == category && one.value("id", 0) == id ? 1 : 0;
    }
    return count;
}

// The events of a document alone.
std::string bareArray(const std::string& document) {
    const std::size_t begin = document.find('[');
    return document.substr(begin, document.rfind(']') + 1 - begin);
}

void save(const std::string& path, const std::string& text) {
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(text));
}

std::string content(const std::string& path) {
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : "(no file)";
}

std::string inflated(const std::string& path) {
    gzFile file = gzopen(path.c_str(), "rb");
    std::string text(1 << 20, '\0');
    text.resize(static_cast<std::size_t>(
        std::max(gzread(file, text.data(), static_cast<unsigned>(text.size())), 0)));
    gzclose(file);
    return text;
}

}  // namespace

std::shared_ptr<const Trace> CutTest::load(const std::string& text) const {
    save(path("in.json"), text);
    auto trace = loadTrace(path("in.json"));
    return trace ? *trace : nullptr;
}

Json CutTest::cut(const std::string& text, const char* window) const {
    const auto trace = load(text);
    CutOptions options;
    options.window = parseWindow(window).value();
    options.output = path("out.json");
    const auto summary = cutTrace(*trace, options);
    return summary ? Json::parse(content(options.output)) : Json(summary.error().message);
}

void CutTest::slicesThatOverlapAreKeptAsWritten() {
    const Json json = cut(document(sample()), "20..27");
    QCOMPARE(names(json, "X"), (std::multiset<std::string>{"a2", "k2"}));
    // The text of the event is the very same, its "20.000" included.
    QVERIFY(content(path("out.json")).find("\"ts\": 20.000, \"dur\": 6,") != std::string::npos);
}

void CutTest::launchAndOperationStayTogether() {
    // Only the kernel overlaps, then only the call.
    QCOMPARE(names(cut(document(sample()), "30..32"), "X"),
             (std::multiset<std::string>{"a2", "k2"}));
    QCOMPARE(names(cut(document(sample()), "40..42"), "X"),
             (std::multiset<std::string>{"a3", "k3"}));
}

// Whether a kernel is a matrix product is known from its operator, which may have ended long ago.
void CutTest::launchingOperatorStaysToo() {
    const std::vector<std::string> events{
        slice("ProfilerStep#1", "user_annotation", 9, 9, "0", "18"),
        slice("aten::mm", "cpu_op", 9, 9, "10", "6", R"("External id": 5)"),
        slice("aten::add", "cpu_op", 9, 9, "4", "2", R"("External id": 4)"),
        slice("a1", "cuda_runtime", 9, 9, "12", "2", R"("correlation": 1, "External id": 5)"),
        slice("k1", "kernel", 0, 7, "30", "5", R"("correlation": 1, "External id": 5)"),
    };
    QCOMPARE(names(cut(document(events), "28..40"), "X"),
             (std::multiset<std::string>{"aten::mm", "a1", "k1"}));
}

void CutTest::metadataAndKeysAreKept() {
    const Json json = cut(document(sample()), "20..27");
    QCOMPARE(names(json, "M"), (std::multiset<std::string>{"process_labels"}));
    QCOMPARE(json["schemaVersion"].get<int>(), 1);
    QCOMPARE(json["note"].get<std::string>(), std::string("caf\u00e9"));
    QCOMPARE(json["traceName"].get<std::string>(), std::string("x.json"));
}

void CutTest::originAndWindowAreWritten() {
    const Json origin = cut(document(sample()), "20..27")["kinetoscopeCut"];
    QCOMPARE(origin["file"].get<std::string>(), path("in.json"));
    QCOMPARE(origin["start_ns"].get<int>(), 20'000);
    QCOMPARE(origin["end_ns"].get<int>(), 27'000);
}

void CutTest::arrowsNeedBothEnds() {
    const Json json = cut(document(sample()), "20..27");
    QCOMPARE(arrows(json, "fwdbwd", 1), 2);
    QCOMPARE(arrows(json, "fwdbwd", 5), 0);
}

void CutTest::launchArrowsFollowTheLaunch() {
    const Json json = cut(document(sample()), "20..27");
    QCOMPARE(arrows(json, "ac2g", 1), 0);
    QCOMPARE(arrows(json, "ac2g", 2), 2);
}

void CutTest::instantsAndCountersInsideAreKept() {
    const Json json = cut(document(sample()), "20..27");
    QCOMPARE(names(json, "i"), (std::multiset<std::string>{"in"}));
    QCOMPARE(names(json, "C").size(), std::size_t{1});
}

void CutTest::beginAndEndStayTogether() {
    const Json json = cut(document(sample()), "20..22");
    QCOMPARE(names(json, "B"), (std::multiset<std::string>{"outer"}));
    QCOMPARE(names(json, "E").size(), std::size_t{1});
    for (const Json& one : json["traceEvents"]) {
        if (one["ph"] == "E") {
            QCOMPARE(one["ts"].get<int>(), 23);
        }
    }
    const Json async = cut(
        document({::event(R"("ph": "b", "cat": "c", "id": "q", "pid": 1, "ts": 1, "name": "w")"),
                  ::event(R"("ph": "X", "pid": 1, "tid": 1, "ts": 50, "dur": 10, "name": "x")"),
                  ::event(R"("ph": "\u0065", "cat": "c", "id": "\u0071", "pid": 1, "ts": 100)")}),
        "50..60");
    QCOMPARE(names(async, "be").size(), std::size_t{2});
}

void CutTest::gzipHoldsTheSame() {
    const auto trace = load(document(sample()));
    CutOptions options;
    options.window = parseWindow("20..27").value();
    options.output = path("out.json.gz");
    QVERIFY(cutTrace(*trace, options).has_value());
    options.output = path("plain.json");
    const auto summary = cutTrace(*trace, options);
    QVERIFY(summary.has_value());
    QCOMPARE(inflated(path("out.json.gz")), content(path("plain.json")));
    QCOMPARE(summary->outputBytes, std::uint64_t{content(path("plain.json")).size()});
}

void CutTest::bareArrayBecomesAnObject() {
    QCOMPARE(names(cut(bareArray(document(sample())), "20..27"), "X"),
             (std::multiset<std::string>{"a2", "k2"}));
}

void CutTest::byteOrderMarkIsSkipped() {
    const std::string mark = "\xEF\xBB\xBF";
    const std::multiset<std::string> kept{"a2", "k2"};
    const std::string text = document(sample());
    // A value that reads like the key of the events.
    QCOMPARE(names(cut(mark + "{\"note\": \"traceEvents\"," + text.substr(1), "20..27"), "X"),
             kept);
    QCOMPARE(names(cut(mark + bareArray(text), "20..27"), "X"), kept);
}

void CutTest::oddEventsAreRepaired() {
    std::vector<std::string> events = sample();
    events.push_back(slice("odd\x01name", "cpu_op", 9, 9, "21", "2", R"("v": NaN, "w": N/A)"));
    events.push_back(slice(R"(C:\\Users\\Q \Q)", "cpu_op", 9, 9, "22", "2"));
    events.push_back(slice("broken \xff", "cpu_op", 9, 9, "23", "2"));
    const auto trace = load(document(events));
    CutOptions options;
    options.window = parseWindow("20..27").value();
    options.output = path("out.json");
    const auto summary = cutTrace(*trace, options);
    QVERIFY(summary.has_value());
    QCOMPARE(summary->repaired.events, std::uint64_t{3});
    const std::string text = document(events);
    QCOMPARE(summary->repaired.firstOffset,
             std::uint64_t{text.rfind('{', text.find("odd\x01name"))});
    QCOMPARE(summary->unrepairable.events, std::uint64_t{0});
    const Json json = Json::parse(content(path("out.json")));
    const auto found = names(json, "X");
    QVERIFY(found.contains("odd\x01name"));
    QVERIFY(found.contains("broken \xef\xbf\xbd"));
}

// The readers overlook what is odd in arguments that they need not read.
void CutTest::damagedArgumentsAreRepaired() {
    const std::vector<std::string> damaged{R"("x": 1, "a": 37< "b": 2)", R"("x": )", R"("x" 1 2 3)",
                                           R"("x":[1 2 ;; 3])", R"("x":01)"};
    std::vector<std::string> events = sample();
    for (const std::string& args : damaged) {
        events.push_back(slice("d", "cpu_op", 9, 9, "21", "2", args));
    }
    const auto trace = load(document(events));
    CutOptions options;
    options.window = parseWindow("20..27").value();
    options.output = path("out.json");
    const auto summary = cutTrace(*trace, options);
    QVERIFY(summary.has_value());
    QCOMPARE(summary->repaired.events, std::uint64_t{damaged.size()});
    QVERIFY(Json::accept(content(path("out.json"))));
    QCOMPARE(names(Json::parse(content(path("out.json"))), "X").count("d"), damaged.size());
}

// Of a name that is not a string the trace shows what is written.
void CutTest::namesThatAreNoStringsStayTheSame() {
    const std::multiset<std::string> odd{
        "01", "NaN", "1.", R"({"x":01})", R"({"b": [1,,"c"]})", "[1 ,2]", "7", "true"};
    std::vector<std::string> events;
    for (const std::string& name : odd) {
        events.push_back(R"({"ph": "X", "pid": 9, "tid": 9, "ts": 1, "dur": 2, "name": )" + name +
                         R"(, "args": {"v": N/A}})");
    }
    QCOMPARE(names(cut(document(events), "trace"), "X"), odd);
}

// By their first key documents of other tools are known.
void CutTest::anotherToolsKeyIsNotTheFirst() {
    const std::string text = R"({"traceEvents": [)" + sample().front() +
                             R"(], "rocprofiler-sdk-tool": 1, "schema": "chakra"})";
    const Json json = cut(text, "trace");
    QCOMPARE(json["rocprofiler-sdk-tool"], 1);
    const auto part = loadTrace(path("out.json"));
    QVERIFY2(part, part ? "" : part.error().message.c_str());
    QCOMPARE((*part)->sliceCount(), 1U);
}

void CutTest::damageIsSteppedOver() {
    std::vector<std::string> events = sample();
    events.insert(events.begin() + 1, R"(  {"ph": "X", "name": "no end)");
    events.insert(events.begin() + 3, "  17");
    const Json json = cut(document(events), "20..27");
    QVERIFY(names(json, "X").contains("k2"));
    // A file cut off in the middle keeps what is before the end.
    const std::string whole = document(sample());
    const Json half = cut(whole.substr(0, whole.find("\"fwdbwd\"")), "20..27");
    QCOMPARE(names(half, "X"), (std::multiset<std::string>{"a2", "k2"}));
}

void CutTest::everyEventOfTheTraceIsFound_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::newRow("behind damaged members") << "\"note\": "
                                            << "\"note\": ?";
    QTest::newRow("a bracket is an event's damaged first byte") << "  {\"ph\": \"X\""
                                                                << "] \"ph\": \"X\"";
    QTest::newRow("in a second array") << ",\n  {\"ph\": \"X\""
                                       << "],\"traceEvents\":[{\"ph\": \"X\"";
    QTest::newRow("the key is written with an escape") << "traceEvents"
                                                       << "trace\\u0045vents";
}

void CutTest::everyEventOfTheTraceIsFound() {
    QFETCH(const QString, from);
    QFETCH(const QString, to);
    QString text = QString::fromStdString(document(sample()));
    const auto at = text.indexOf(from);
    QVERIFY(at >= 0);
    text.replace(at, from.size(), to);
    const Json whole = cut(text.toStdString(), "0..100");
    const auto trace = load(text.toStdString());
    QVERIFY(trace->sliceCount() > 3);
    QCOMPARE(names(whole, "X").size() + names(whole, "B").size(), std::size_t{trace->sliceCount()});
}

void CutTest::inputIsNeverOverwritten() {
    const std::string text = document(sample());
    const auto trace = load(text);
    CutOptions options;
    options.window = parseWindow("20..27").value();
    options.output = m_folder.filePath(QStringLiteral("./in.json")).toStdString();
    const auto summary = cutTrace(*trace, options);
    QVERIFY(!summary.has_value());
    QCOMPARE(summary.error().kind, ErrorKind::BadInput);
    QCOMPARE(content(path("in.json")), text);
}

void CutTest::stoppedCutLeavesNothing() {
    const auto trace = load(document(sample()));
    std::stop_source stop;
    stop.request_stop();
    CutOptions options;
    options.window = parseWindow("20..27").value();
    options.output = path("stopped.json");
    options.stop = stop.get_token();
    const auto summary = cutTrace(*trace, options);
    QVERIFY(!summary.has_value());
    QCOMPARE(summary.error().kind, ErrorKind::Cancelled);
    QCOMPARE(content(options.output), std::string("(no file)"));
}

void CutTest::changedFileIsRefused_data() {
    QTest::addColumn<QString>("change");
    QTest::newRow("shorter") << "shorter";
    QTest::newRow("longer") << "longer";
    QTest::newRow("another of the same size") << "other";
    QTest::newRow("gone") << "gone";
}

void CutTest::changedFileIsRefused() {
    QFETCH(const QString, change);
    const std::string text = document(sample());
    const auto trace = load(text);
    if (change == "shorter") {
        save(path("in.json"), text.substr(0, text.size() / 2));
    } else if (change == "longer") {
        save(path("in.json"), text + "\n");
    } else if (change == "other") {
        QTest::qSleep(20);  // longer than the clock of files ticks
        save(path("in.json"), text);
    } else {
        QVERIFY(QFile::remove(QString::fromStdString(path("in.json"))));
    }
    CutOptions options;
    options.window = parseWindow("20..27").value();
    options.output = path("changed.json");
    const auto summary = cutTrace(*trace, options);
    QVERIFY(!summary.has_value());
    QCOMPARE(summary.error().kind, ErrorKind::BadInput);
    QCOMPARE(content(options.output), std::string("(no file)"));
}

// The output is a pipe that nobody reads until the file has shrunk behind the copying.
void CutTest::changeDuringTheCutIsRefused() {
    std::vector<std::string> events = sample();
    for (int i = 0; i < 40'000; ++i) {
        events.push_back(slice("many", "cpu_op", 9, 9, "21", "2", R"("a": "a longer argument")"));
    }
    const auto trace = load(document(events));
    const std::string pipe = path("pipe");
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    CutOptions options;
    options.window = parseWindow("20..27").value();
    options.output = pipe;
    auto summary = std::async(std::launch::async, [&] { return cutTrace(*trace, options); });
    QFile reader(QString::fromStdString(pipe));
    QVERIFY(reader.open(QIODevice::ReadOnly | QIODevice::Unbuffered));
    QVERIFY(reader.read(1).size() == 1);
    std::filesystem::resize_file(path("in.json"), 2'000'000);
    while (!reader.read(1 << 20).isEmpty()) {
    }
    const auto result = summary.get();
    QVERIFY(!result.has_value());
    QVERIFY(result.error().message.find("was written to while it was read") != std::string::npos);
}

void CutTest::whatCannotBeReadAgainIsRefused() {
    const std::string text = document(sample());
    test::MemorySource source(text);
    const auto trace = importSource(source, "pipe");
    QVERIFY(trace.has_value());
    CutOptions options;
    options.window = parseWindow("trace").value();
    options.output = path("pipe.json");
    const auto summary = cutTrace(**trace, options);
    QVERIFY(!summary.has_value());
    QVERIFY(summary.error().message.find("save it to a file first") != std::string::npos);
    QVERIFY(!std::filesystem::exists(options.output));
}

void CutTest::recordingIsCutLikeItsConversion_data() {
    QTest::addColumn<QString>("window");
    for (const char* window : {"trace", "gpu", "0..300ns", "1us..1100ns"}) {
        QTest::newRow(window) << QString::fromLatin1(window);
    }
}

void CutTest::recordingIsCutLikeItsConversion() {
    QFETCH(QString, window);
    const std::string capture = path("run.kscope");
    std::ofstream(capture, std::ios::binary) << test::sampleCapture();
    convert::KinetoOptions conversion;
    conversion.captures = {capture};
    conversion.output = path("run.json");
    QVERIFY(convert::writeKinetoTrace(conversion).has_value());
    std::vector<Json> cuts;
    for (const std::string& input : {capture, conversion.output}) {
        const auto trace = loadTrace(input);
        QVERIFY(trace.has_value());
        CutOptions options;
        options.window = parseWindow(window.toStdString()).value();
        options.output = path("part.json");
        const auto summary = cutTrace(**trace, options);
        QVERIFY2(summary.has_value(), summary ? "" : summary.error().message.c_str());
        QVERIFY(summary->repaired.events == 0 && summary->unrepairable.events == 0);
        std::ifstream file(options.output);
        cuts.push_back(Json::parse(file));
    }
    QVERIFY(cuts[0]["traceEvents"].size() > 3);
    QCOMPARE(cuts[0]["traceEvents"].dump(1), cuts[1]["traceEvents"].dump(1));
    for (const char* key : {"baseTimeNanoseconds", "deviceProperties"}) {
        QCOMPARE(cuts[0].at(key).dump(), cuts[1].at(key).dump());
    }
}

void CutTest::windowInOutputMeansTheSameTime() {
    const auto trace = load(document(sample()));
    CutOptions options;
    options.window = parseWindow("30..33").value();
    options.output = path("out.json");
    const auto summary = cutTrace(*trace, options);
    QVERIFY(summary.has_value());
    QCOMPARE(summary->window, (TimeSpan{30'000, 33'000}));
    // "outer" of the begin events runs from 1 to 23, so the call at 20 is the first that is kept.
    QCOMPARE(summary->windowInOutput, (TimeSpan{10'000, 13'000}));
    const auto again = loadTrace(options.output);
    QVERIFY(again.has_value());
    QCOMPARE((*again)->extent().start, TimeNs{20'000});
}

void CutTest::reportOfACutEqualsTheReportOfItsWindow_data() {
    QTest::addColumn<QString>("window");
    for (const char* window : {"3..12", "20..27", "0..50", "12..31.5", "43.001..43.002"}) {
        QTest::newRow(window) << QString::fromLatin1(window);
    }
}

void CutTest::reportOfACutEqualsTheReportOfItsWindow() {
    QFETCH(QString, window);
    const auto trace = load(document(sample()));
    CutOptions cutOptions;
    cutOptions.window = parseWindow(window.toStdString()).value();
    cutOptions.output = path("out.json");
    const auto summary = cutTrace(*trace, cutOptions);
    QVERIFY(summary.has_value());
    const auto part = loadTrace(cutOptions.output);
    QVERIFY(part.has_value());
    ReportOptions whole;
    whole.window = cutOptions.window;
    ReportOptions inside;
    inside.window.kind = WindowKind::Range;
    inside.window.range = summary->windowInOutput;
    const auto expected = makeReport(*trace, whole);
    const auto actual = makeReport(**part, inside);
    QVERIFY(expected.has_value() && actual.has_value());
    QCOMPARE(actual->gpus.size(), expected->gpus.size());
    for (std::size_t at = 0; at < actual->gpus.size(); ++at) {
        QCOMPARE(actual->gpus[at].window, expected->gpus[at].window);
        QCOMPARE(actual->gpus[at].busyNs, expected->gpus[at].busyNs);
        QCOMPARE(actual->gpus[at].breakdown.idleNs, expected->gpus[at].breakdown.idleNs);
        QCOMPARE(actual->gpus[at].launches.linked, expected->gpus[at].launches.linked);
    }
    QCOMPARE(actual->kernels.size(), expected->kernels.size());
}

QTEST_APPLESS_MAIN(CutTest)
#include "CutTest.moc"
