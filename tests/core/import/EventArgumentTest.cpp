// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <array>

#include "core/analysis/Operators.h"
#include "core/import/event/EventArgument.h"
#include "core/import/load/LoadTrace.h"
#include "core/import/scan/JsonScan.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::import;
using namespace kinetoscope::import::event;
using namespace kinetoscope::import::scan;
using namespace kinetoscope::trace;

class EventArgumentTest final : public QObject {
    Q_OBJECT

private slots:
    void argumentsAreFound_data();
    void argumentsAreFound();
    void partsOfEventsAreNeverTakenForWhole();
    void manyAreReadFromAFile_data();
    void manyAreReadFromAFile();
    void severalAreReadAtOnce();
    void aChangedFileIsNoticed();
};

namespace {

struct Found {
    bool complete = false;
    std::string value;
};

Found find(std::string text) {
    const std::size_t size = text.size();
    text.append(kTextPadding, '\0');
    std::string_view value;
    const ReadResult result = findArgument(text.data(), text.data() + size, "Input Dims", value);
    return {result.complete, std::string(value)};
}

std::string operatorText(int number) {
    return QStringLiteral(
               R"({"ph": "X", "cat": "cpu_op", "name": "aten::op%1", "pid": 1, "tid": 2,)"
               R"( "ts": %2, "dur": 2, "args": {"External id": %3, "Input type": [%4],)"
               R"( "Input Dims": [[%5, 7], []], "Ev Idx": %3}})")
        .arg(number % 5)
        .arg(number * 10)
        .arg(number)
        .arg(QStringLiteral("\"float\", ").repeated(number % 300) + "\"\"")
        .arg(number % 50)
        .toStdString();
}

QByteArray manyOperators(int count) {
    QByteArray text = "{\"traceEvents\": [\n";
    for (int number = 0; number < count; ++number) {
        text += QByteArray::fromStdString(operatorText(number)) + ",\n";
        if (number == count / 2) {  // nothing to be read for a while
            text +=
                "{\"ph\": \"i\", \"name\": \"" + QByteArray(3'000'000, 'x') + "\", \"ts\": 1},\n";
        }
    }
    return text + "{\"ph\": \"M\"}]}";
}

QByteArray gzipped(const QByteArray& text) {
    QByteArray result(text.size() + 1000, '\0');
    z_stream stream{};
    deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(result.data());
    stream.avail_out = static_cast<uInt>(result.size());
    deflate(&stream, Z_FINISH);
    result.resize(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return result;
}

class File {
public:
    explicit File(const QByteArray& content, const QString& name = "trace.json") {
        m_path = m_folder.filePath(name);
        write(content);
    }
    void write(const QByteArray& content) const {
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    [[nodiscard]] std::shared_ptr<const Trace> load() const {
        return loadTrace(m_path.toStdString()).value();
    }

private:
    QTemporaryDir m_folder;
    QString m_path;
};

}  // namespace

void EventArgumentTest::argumentsAreFound_data() {
    QTest::addColumn<QByteArray>("event");
    QTest::addColumn<bool>("complete");
    QTest::addColumn<QByteArray>("value");
    const auto row = [](const char* what, const char* event, const char* value,
                        bool complete = true) {
        QTest::newRow(what) << QByteArray(event) << complete << QByteArray(value);
    };
    row("usual", R"({"name": "a", "args": {"External id": 1, "Input Dims": [[4, 5], []]}})",
        "[[4, 5], []]");
    row("no blanks", R"({"name":"a","args":{"Input Dims":[[4,5]]},"ts":1})", "[[4,5]]");
    row("many blanks", "{ \"args\"\n :\n{ \"Input Dims\" :  [ ] } , \"ts\" : 1 }", "[ ]");
    row("none", R"({"name": "a", "args": {"External id": 1}})", "");
    row("no args", R"({"name": "a", "ts": 1})", "");
    row("empty", "{}", "");
    row("bracket before", R"({"name": "f{[", "args": {"Input Dims": [1]}})", "[1]");
    row("args in a name", R"({"name": "\"args\": {\"Input Dims\": [3]", "args": {"x": 1}})", "");
    row("deeper", R"({"args": {"x": {"Input Dims": [3]}, "y": [{"Input Dims": [4]}]}})", "");
    row("elsewhere", R"({"Input Dims": [3], "x": {"Input Dims": [2]}, "args": {}})", "");
    row("another object", R"({"another one": {"Input Dims": [2]}})", "");
    row("in a list", R"({"x": [{"args": {"Input Dims": [2]}}]})", "");
    row("last of two", R"({"args": {"Input Dims": [1], "Input Dims": [2]}})", "[2]");
    row("last of two args", R"({"args": {"Input Dims": [1]}, "args": {"x": 2}})", "");
    row("args are a list", R"({"args": ["Input Dims"]})", "");
    row("args are text", R"({"args": "{\"Input Dims\": [1]}"})", "");
    row("text", R"({"args": {"Input Dims": "[1]"}})", "\"[1]\"");
    row("text among nests", R"({"args": {"x": {}, "Input Dims": "a\n"}})", R"("a\n")");
    row("no text", R"({"args": {"Input Dims": ""}})", "\"\"");
    row("key with an escape", R"({"args": {"Inp\u0075t Dims": [1], "x": []}})", "[1]");
    row("args with an escape", R"({"\u0061rgs": {"Input Dims": [1]}, "ts": 1})", "[1]");
    row("args behind the event", R"({"ts": 1}], "args": {"Input Dims": [1]}})", "");
    row("args behind a brace", R"({"name": "}", "args": {"Input Dims": [1]}})", "[1]");
    row("key that ends like args", R"({"x\"args": {"Input Dims": [1]}})", "");
    row("bare words", R"({"args": {"x": NaN, "Input Dims": [1]}})", "[1]");
    row("short", R"({[)", "", false);
    row("cut in the value", R"({"name": "a", "args": {"Input Dims": [[4, 5)", "", false);
    row("cut behind", R"({"name": "a", "args": {"Input Dims": [[4, 5]])", "", false);
    row("cut at the end", R"({"name": "a", "args": {"Input Dims": [[4, 5]]})", "", false);
    row("no colon", R"({"args": {"Input Dims" [1]}})", "", false);
    row("a value of that text", R"({"args": {"x": "Input Dims", "y": ["Input Dims"]}})", "");
    row("longer and shorter keys",
        R"({"args": {"Input Dims2": [1], "Input Dim": [2], "My Input Dims": [3]}})", "");
    row("escapes", R"({"args": {"x": "\"Input Dims\": [1]", "Input Dims": [2]}})", "[2]");
}

void EventArgumentTest::argumentsAreFound() {
    QFETCH(QByteArray, event);
    const Found found = find(event.toStdString());
    QTEST(found.complete, "complete");
    if (found.complete) {
        QTEST(QByteArray::fromStdString(found.value), "value");
    }
}

// However the text is cut into pieces, and whatever is wrong with it.
void EventArgumentTest::partsOfEventsAreNeverTakenForWhole() {
    const std::string event = operatorText(7);
    for (std::size_t size = 0; size < event.size(); ++size) {
        QVERIFY(!find(event.substr(0, size)).complete);
    }
    QCOMPARE(find(event + ",\n" + operatorText(8)).value, std::string("[[7, 7], []]"));
}

void EventArgumentTest::manyAreReadFromAFile_data() {
    QTest::addColumn<bool>("compressed");
    QTest::newRow("plain") << false;
    QTest::newRow("gzip") << true;
}

void EventArgumentTest::manyAreReadFromAFile() {
    QFETCH(bool, compressed);
    constexpr int kCount = 4000;  // more than a piece of text is large
    const QByteArray text = manyOperators(kCount);
    const File file(compressed ? gzipped(text) : text);
    const auto trace = file.load();
    QCOMPARE(trace->log().skipped, std::uint64_t{0});
    std::vector<std::uint64_t> offsets;
    for (SliceId slice = 0; slice < trace->sliceCount(); ++slice) {
        if (trace->category(slice) == Category::CpuOp && slice % 3 == 0) {
            offsets.push_back(trace->offset(slice));
        }
    }
    std::size_t taken = 0;
    const auto done = trace->eventText()->argument(
        offsets, "Input Dims", [&](std::size_t i, std::string_view json) {
            QCOMPARE(i, taken++);
            const auto event = trace->eventText()->event(offsets[i]);
            QVERIFY(event);
            QCOMPARE(std::string(json), find(*event).value);
            QVERIFY(json.starts_with("[["));
        });
    QVERIFY(done);
    QCOMPARE(taken, offsets.size());
    const auto table = makeOperatorTable(*trace);
    QVERIFY(table);
    QCOMPARE(table->rows.size(), std::size_t{50});
    QVERIFY(std::ranges::all_of(table->rows, [](const OperatorRow& row) {
        return row.count == 80 && row.shapes.starts_with("[[") && row.shapes.ends_with("7], []]");
    }));
}

// By the text of a file, and by what every other text does with argument().
void EventArgumentTest::severalAreReadAtOnce() {
    const File file(manyOperators(300));
    const auto trace = file.load();
    const EventText& text = *trace->eventText();
    std::vector<std::uint64_t> offsets;
    for (SliceId slice = 0; slice < trace->sliceCount(); ++slice) {
        offsets.push_back(trace->offset(slice));
    }
    using Values = std::vector<std::string>;
    const auto readBy = [&](auto arguments) {
        constexpr std::array<std::string_view, 3> kKeys{"Ev Idx", "not there", "Input Dims"};
        std::vector<Values> all;
        const auto done = arguments(offsets, kKeys, [&](std::size_t i, auto json) {
            QCOMPARE(i, all.size());
            all.emplace_back(json.begin(), json.end());
        });
        return done ? all : std::vector<Values>();
    };
    const auto stored = readBy([&](auto&&... what) { return text.arguments(what...); });
    const auto usual = readBy([&](auto&&... what) { return text.EventText::arguments(what...); });
    QVERIFY(stored == usual);
    QCOMPARE(stored.size(), offsets.size());
    const auto seven =
        std::ranges::find_if(stored, [](const Values& values) { return values.front() == "7"; });
    QVERIFY(seven != stored.end());
    QVERIFY((*seven == Values{"7", "", "[[7, 7], []]"}));
}

void EventArgumentTest::aChangedFileIsNoticed() {
    const File file(manyOperators(200));
    const auto trace = file.load();
    file.write(manyOperators(100));
    const auto table = makeOperatorTable(*trace);
    QVERIFY(!table);
    QVERIFY2(table.error().message.find("trace.json") != std::string::npos,
             table.error().message.c_str());
}

QTEST_APPLESS_MAIN(EventArgumentTest)
#include "EventArgumentTest.moc"
