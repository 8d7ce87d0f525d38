// SPDX-License-Identifier: Apache-2.0
// Every way of reading a text must give the same trace bit for bit: with and without shapes, for
// all numbers of threads, places of the cuts, sizes of chunks and widths of vectors.
#include <fmt/format.h>

#include <QtTest>
#include <atomic>
#include <string>
#include <vector>

#include "core/import/load/LoadTrace.h"
#include "core/import/scan/VectorLevel.h"
#include "core/import/source/OpenTextSource.h"
#include "tests/support/RandomTrace.h"
#include "tests/support/SameTrace.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::import;
using namespace kinetoscope::import::scan;
using namespace kinetoscope::import::source;
using namespace kinetoscope::trace;
using namespace kinetoscope::test;

class ImportReadersTest final : public QObject {
    Q_OBJECT

private slots:
    void cleanup();
    void realTraces_data();
    void realTraces();
    void randomTraces();
    void damagedTraces();
    void zeroBytesInKeysAreNoticed();
    void everyPlaceOfTheCuts();
    void beginsAndEndsAcrossCuts();
    void manyCategoriesAcrossCuts();
    void numbersOfOtherFormsInAKnownShape();
    void damageBesideAnInnerObjectInAKnownShape();
    void separatorsThatChange();
    void moreThanIsMadeAhead();
    void littleIsReadBehindAUnit();
};

namespace {

#if defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kSeedStep = 12;  // every text is read in many ways, each much slower
#else
constexpr std::uint64_t kSeedStep = 1;
#endif

struct Way {
    Readers readers = Readers::All;
    unsigned threads = 1;
    std::uint64_t unitBytes = 0;
    std::size_t chunk = kTextChunk;
    VectorLevel vectors = VectorLevel::Words;
    bool sequential = false;
    std::size_t aheadBlock = 1024 * 1024;

    [[nodiscard]] QString text() const {
        return QString("readers %1, %2 threads, units of %3, chunks of %4, vectors %5")
                   .arg(static_cast<int>(readers))
                   .arg(threads)
                   .arg(unitBytes)
                   .arg(chunk)
                   .arg(static_cast<int>(vectors)) +
               (sequential ? QString(", in order, blocks of %1").arg(aheadBlock) : QString());
    }
};

// Counts what is read from it and from those that it makes.
class CountingSource final : public MemorySource {
public:
    CountingSource(std::string_view text, std::atomic<std::uint64_t>& read)
        : MemorySource(text), m_read(read) {}

    [[nodiscard]] std::size_t read(char* to, std::size_t capacity) override {
        const std::size_t count = MemorySource::read(to, capacity);
        m_read += count;
        return count;
    }
    [[nodiscard]] std::unique_ptr<TextSource> again() const override {
        return std::make_unique<CountingSource>(text(), m_read);
    }

private:
    std::atomic<std::uint64_t>& m_read;
};

Result<std::shared_ptr<const Trace>> readIn(const std::string& text, const Way& way) {
    setVectorLevel(way.vectors);
    MemorySource anywhere(text);
    SequentialSource sequential(text);
    TextSource& source = way.sequential ? static_cast<TextSource&>(sequential) : anywhere;
    LoadOptions options;
    options.threads = way.threads;
    return importSource(source, "test.json", options,
                        {.chunk = way.chunk,
                         .unitBytes = way.unitBytes,
                         .readers = way.readers,
                         .readAheadFrom = 0,
                         .aheadBlock = way.aheadBlock});
}

// What is different when `text` is read in this way instead of by the generic reader alone.
QString differenceIn(const std::string& text, const Way& way) {
    const auto expected = readIn(text, {.readers = Readers::WithoutShapes});
    const auto actual = readIn(text, way);
    if (expected.has_value() != actual.has_value()) {
        return way.text() + ": one of them fails";
    }
    if (!expected) {
        return expected.error().message == actual.error().message ? QString()
                                                                  : way.text() + ": message";
    }
    const std::string found = difference(**expected, **actual);
    return found.empty() ? QString() : way.text() + ": " + QString::fromStdString(found);
}

std::vector<Way> waysFor(std::size_t size, RandomTrace& random) {
    std::vector<Way> ways;
    for (const VectorLevel level : vectorLevels()) {
        ways.push_back({.vectors = level});
        ways.push_back({.chunk = 1 + random.below(300), .vectors = level});
        ways.push_back({.readers = Readers::WithoutShapes, .vectors = level});
        ways.push_back({.threads = 2, .vectors = level, .sequential = true});
        for (const unsigned threads : {2U, 3U}) {
            ways.push_back({.threads = threads,
                            .chunk = 64 + random.below(2000),
                            .vectors = level,
                            .sequential = true,
                            .aheadBlock = 1 + random.below(2000)});
            ways.push_back({.threads = threads,
                            .unitBytes = 1 + random.below(size / 2 + 1),
                            .chunk = 64 + random.below(2000),
                            .vectors = level});
        }
    }
    return ways;
}

// Events like this one: other digits, now and then another letter.
std::string variation(std::string event, RandomTrace& random) {
    for (char& c : event) {
        if (c >= '0' && c <= '9' && random.below(3) == 0) {
            c = static_cast<char>('0' + random.below(10));
        } else if (c == 'x' && random.below(2) == 0) {
            c = 'y';
        }
    }
    return event;
}

// A trace of a few shapes, as profilers write them.
std::string regularTrace(RandomTrace& random, std::size_t events) {
    std::vector<std::string> shapes(2 + random.below(6));
    std::ranges::generate(shapes, [&] { return random.event(); });
    std::string text = "{\"schemaVersion\": 1, \"traceEvents\": [\n";
    for (std::size_t i = 0; i < events; ++i) {
        text += (i > 0 ? ",\n  " : "  ") + variation(shapes[random.below(shapes.size())], random);
    }
    return text + "\n], \"traceName\": \"x.json\"}\n";
}

void damage(std::string& text, RandomTrace& random) {
    const std::size_t at = random.below(text.size());
    const std::size_t length = random.below(200);
    switch (random.below(5)) {
        case 0:
            text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
            break;
        case 1:
            text.resize(at + 1);
            break;
        case 2:
            text.insert(at, text.substr(random.below(text.size()), length));
            break;
        case 3:
            text.erase(at, length);
            break;
        default:
            text[at] = "\"{}[],:\\ \n"[random.below(10)];
    }
    text += text.empty() ? " " : "";
}

QString differenceOfAll(const std::string& text, RandomTrace& random) {
    for (const Way& way : waysFor(text.size(), random)) {
        const QString found = differenceIn(text, way);
        if (!found.isEmpty()) {
            return found;
        }
    }
    return {};
}

}  // namespace

void ImportReadersTest::cleanup() {
    setVectorLevel(vectorLevels().back());
}

void ImportReadersTest::realTraces_data() {
    QTest::addColumn<QString>("path");
    // The last one is beside the checkout on some machines only.
    for (const QString folder : {"resources", "tests/data/traces", "../shared/traces"}) {
        const QDir traces(KINETOSCOPE_SOURCE_DIR "/" + folder);
        const auto files = traces.entryInfoList({"*.json.gz"}, QDir::Files, QDir::Name);
        QVERIFY2(!files.empty() || folder.startsWith(".."), qPrintable(folder));
        for (const QFileInfo& file : files) {
            QTest::newRow(qPrintable(folder + '/' + file.fileName())) << file.absoluteFilePath();
        }
    }
}

void ImportReadersTest::realTraces() {
    QFETCH(QString, path);
    auto source = openTextSource(path.toStdString());
    QVERIFY(source);
    std::string text;
    std::string piece(1 << 20, '\0');
    while (const std::size_t got = (*source)->read(piece.data(), piece.size())) {
        text.append(piece, 0, got);
    }
    const auto expected = readIn(text, {.readers = Readers::WithoutShapes});
    QVERIFY(expected);
    RandomTrace random(1);
    std::vector<Way> ways = {{.readers = Readers::Tolerant}};
    for (const VectorLevel level : vectorLevels()) {
        ways.push_back({.vectors = level});
        ways.push_back({.threads = 4, .unitBytes = text.size() / 7, .vectors = level});
    }
    ways.push_back({.threads = 2, .unitBytes = 3001 + random.below(5000)});
    for (const Way& way : ways) {
        const auto actual = readIn(text, way);
        QVERIFY(actual);
        const std::string found = difference(**expected, **actual);
        QVERIFY2(found.empty(), qPrintable(way.text() + ": " + QString::fromStdString(found)));
    }
}

void ImportReadersTest::randomTraces() {
    for (std::uint64_t seed = 0; seed < 200; seed += kSeedStep) {
        RandomTrace random(seed);
        const std::string text =
            seed % 4 == 0 ? random.document() : regularTrace(random, 30 + random.below(100));
        QString found = differenceOfAll(text, random);
        found += differenceIn(text, {.readers = Readers::Tolerant});
        QVERIFY2(found.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(found)));
    }
}

void ImportReadersTest::damagedTraces() {
    for (std::uint64_t seed = 0; seed < 600; seed += kSeedStep) {
        RandomTrace random(seed + 1'000'000);
        std::string text = regularTrace(random, 20 + random.below(60));
        for (std::size_t count = 1 + random.below(4); count > 0; --count) {
            damage(text, random);
        }
        const QString found = differenceOfAll(text, random);
        QVERIFY2(found.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(found)));
    }
}

// A short key is compared as a number, in which zero bytes are easily lost.
void ImportReadersTest::zeroBytesInKeysAreNoticed() {
    for (const std::string key : {"ph", "ts", "dur", "pid", "name", "args"}) {
        std::string event = R"({"ph": "X", "name": "a", "pid": 0, "tid": 1, "ts": 5, "dur": 2,)"
                            R"( "args": {}})";
        event.insert(event.find('"' + key + '"') + 1 + key.size(), 1, '\0');
        const std::string text = "{\"traceEvents\": [" + event + ", {}]}";
        for (const Way& way : {Way{}, Way{.readers = Readers::WithoutShapes}}) {
            const auto trace = readIn(text, way);
            const auto expected = readIn(text, {.readers = Readers::Tolerant});
            QVERIFY(trace && expected);
            QVERIFY((*trace)->log().find("control_character") != nullptr);
            const std::string found = difference(**expected, **trace);
            QVERIFY2(found.empty(), (key + ": " + found).c_str());
        }
    }
}

void ImportReadersTest::everyPlaceOfTheCuts() {
    RandomTrace random(7);
    const std::string text = regularTrace(random, 12);
    for (std::uint64_t bytes = 1; bytes < text.size(); bytes += bytes < 40 ? 1 : 7) {
        const QString found = differenceIn(text, {.threads = 2, .unitBytes = bytes, .chunk = 128});
        QVERIFY2(found.isEmpty(), qPrintable(found));
    }
}

void ImportReadersTest::beginsAndEndsAcrossCuts() {
    RandomTrace random(8);
    std::string text = "[";
    for (int i = 0; i < 400; ++i) {
        const std::string ts = std::to_string(1000 + i * 3 - static_cast<int>(random.below(40)));
        const std::string phase(1, "BEBEXbeM"[random.below(8)]);
        text += (i > 0 ? "," : "") + std::string(R"({"ph": ")") + phase + R"(", "ts": )" + ts +
                R"(, "pid": )" + std::to_string(random.below(2)) + R"(, "tid": "t)" +
                std::to_string(random.below(3)) + R"(", "cat": "c", "name": "n)" +
                std::to_string(random.below(9)) + R"(", "id": "a)" +
                std::to_string(random.below(4)) + R"(", "args": {"labels": "GPU 1"}})";
    }
    text += "]";
    for (std::uint64_t bytes = 100; bytes < text.size(); bytes += bytes / 3) {
        const QString found = differenceIn(text, {.threads = 3, .unitBytes = bytes, .chunk = 256});
        QVERIFY2(found.isEmpty(), qPrintable(found));
    }
}

void ImportReadersTest::manyCategoriesAcrossCuts() {
    std::string text = "[";
    for (int i = 0; i < 450; ++i) {
        text += (i > 0 ? ",\n" : "") + std::string(R"({"ph": "X", "ts": 5, "dur": 1, "cat": "c)") +
                std::to_string(i * 7 % 300) + R"(", "name": "n", "pid": 1, "tid": 2})";
    }
    text += "]";
    for (std::uint64_t bytes = 500; bytes < text.size(); bytes += bytes / 2) {
        const QString found = differenceIn(text, {.threads = 2, .unitBytes = bytes});
        QVERIFY2(found.isEmpty(), qPrintable(found));
    }
}

// A shape is learned from plain numbers; those that then come elsewhere end later than it expects.
void ImportReadersTest::numbersOfOtherFormsInAKnownShape() {
    static constexpr std::string_view kForms[] = {"7",
                                                  "41",
                                                  "-3",
                                                  "7.5",
                                                  "7.25e1",
                                                  "7e1",
                                                  "7E+2",
                                                  "12345678901234567",
                                                  "7.125",
                                                  "7.0.",
                                                  "7.1259",
                                                  "0x7",
                                                  "7]",
                                                  "1234567890123456",
                                                  "18446744073709551615",
                                                  "99999999999999999999.5",
                                                  "123456789012345678.5"};
    RandomTrace random(9);
    const auto number = [&random] {
        return std::string(random.below(3) != 0 ? kForms[random.below(3)]
                                                : kForms[random.below(std::size(kForms))]);
    };
    for (const char* behindId : {", ", " , ", "}}, ", "\n, "}) {
        const bool idIsLast = behindId[0] == '}';
        std::string text = "[";
        for (int i = 0; i < 600; ++i) {
            // One number of an event at most is odd, so that it is what decides.
            std::vector<std::string> numbers(6, "12");
            numbers[random.below(numbers.size())] = number();
            text += (i > 0 ? ",\n" : "") + std::string(R"({"ph": "X", "ts": )") + numbers[0] +
                    R"(, "dur": )" + numbers[1] + R"(, "pid": )" + numbers[2] + R"(, "tid": )" +
                    numbers[3] + R"(, "cat": "cpu_op", "name": "n", "args": {"Sequence number": )" +
                    numbers[4] + R"(, "External id": )" + numbers[5] +
                    (idIsLast ? "}}" : std::string(behindId) + R"("Fwd thread id": 0}})");
        }
        text += "]";
        for (const VectorLevel level : vectorLevels()) {
            const QString found =
                differenceIn(text, {.vectors = level}) +
                differenceIn(text,
                             {.threads = 2, .unitBytes = 900, .chunk = 256, .vectors = level});
            QVERIFY2(found.isEmpty(), qPrintable(found));
        }
    }
}

void ImportReadersTest::damageBesideAnInnerObjectInAKnownShape() {
    const auto event = [](std::string_view arguments) {
        return R"({"ph": "X", "ts": 1, "dur": 1, "pid": 1, "tid": 1, "cat": "cpu_op", "name": "n", )" +
               fmt::format(R"("args": {{{}}}}})", arguments);
    };
    for (const char* id : {"", R"("External id": 7, )"}) {
        std::string text = "[";
        for (const char* rest : {R"("a": 1)", R"("b": 2)", R"("a": [1]. "o": {"x": null})",
                                 R"("a": [1], "o": {"x": null})", R"("a": 3)"}) {
            text += (text.size() > 1 ? ",\n" : "") + event(std::string(id) + rest);
        }
        text += "]";
        for (const VectorLevel level : vectorLevels()) {
            const QString found = differenceIn(text, {.vectors = level});
            QVERIFY2(found.isEmpty(), qPrintable(found));
        }
        const auto trace = readIn(text, {});
        QVERIFY(trace);
        QCOMPARE((*trace)->log().find("malformed_arguments")->count, std::uint64_t{1});
    }
}

void ImportReadersTest::separatorsThatChange() {
    static constexpr std::string_view kSeparators[] = {
        ",",           ",\n",         ",\n  ", ",\n  ",   ",\n  ",      ",\n    ",
        ",\n      ",   ",          ", "\n,\n", " ,   \n", ",\n  ",      ",\n  ",
        ",\r\n\t\t\t", ", ",          ",,",    " ",       ",\n  7,\n  "};
    RandomTrace random(10);
    std::string text = "[";
    for (int i = 0; i < 600; ++i) {
        // The last three are wrong and rarer.
        const std::size_t kind = random.below(random.below(8) == 0 ? std::size(kSeparators)
                                                                   : std::size(kSeparators) - 3);
        std::string event =
            R"({"ph": "X", "ts": 5, "dur": 1, "cat": "c", "name": "n", "pid": 1, "tid": 2})";
        event[0] = random.below(20) == 0 ? '(' : '{';
        text += std::string(i > 0 ? kSeparators[kind] : "") + event;
    }
    text += "]";
    for (std::uint64_t bytes = 90; bytes < text.size(); bytes += 1 + bytes / 5) {
        const QString found =
            differenceIn(text, {.threads = 2, .unitBytes = bytes, .chunk = 64 + bytes % 300});
        QVERIFY2(found.isEmpty(), qPrintable(found));
    }
}

// One event, or what stands behind the events, is longer than all text that is held at a time.
void ImportReadersTest::moreThanIsMadeAhead() {
    RandomTrace random(12);
    const std::string events = regularTrace(random, 200);
    const std::string longText(50'000, 'x');
    const std::size_t middle = events.find("\n", events.size() / 2);
    const std::string longEvent =
        R"( {"ph": "X", "ts": 5, "dur": 1, "cat": "c", "name": ")" + longText + R"("},)";
    const std::string inside = events.substr(0, middle) + longEvent + events.substr(middle);
    const std::string behind =
        events.substr(0, events.rfind('}')) + R"(, "more": ")" + longText + R"("})";
    const std::string cut = inside.substr(0, middle + longText.size() / 2);
    for (const std::string& text : {inside, behind, cut}) {
        for (const std::size_t block : {300U, 1'000U}) {
            for (const unsigned threads : {2U, 3U}) {
                const QString found = differenceIn(
                    text,
                    {.threads = threads, .chunk = 256, .sequential = true, .aheadBlock = block});
                QVERIFY2(found.isEmpty(), qPrintable(found));
            }
        }
    }
}

void ImportReadersTest::littleIsReadBehindAUnit() {
    constexpr std::uint64_t kUnit = 128 * 1024;
    RandomTrace random(11);
    const std::string text = regularTrace(random, 20'000);
    const std::uint64_t units = text.size() / kUnit;
    QVERIFY(units > 10);
    std::atomic<std::uint64_t> read = 0;
    CountingSource source(text, read);
    LoadOptions options;
    options.threads = 2;
    QVERIFY(importSource(source, "test.json", options, {.unitBytes = kUnit}).has_value());
    // Besides the text itself: its first chunk twice, and the end of a unit's last event.
    const std::uint64_t most = text.size() + 2 * kTextChunk + units * 20'000;
    QVERIFY2(read <= most, qPrintable(QString("%1 of %2").arg(read).arg(text.size())));
}

QTEST_APPLESS_MAIN(ImportReadersTest)
#include "ImportReadersTest.moc"
