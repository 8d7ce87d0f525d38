// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <optional>
#include <random>
#include <string>

#include "core/import/event/GenericReader.h"
#include "core/import/event/TolerantReader.h"
#include "core/import/scan/Decimal.h"
#include "core/import/scan/JsonScan.h"
#include "core/import/scan/SkipNested.h"
#include "core/import/scan/StringDecoder.h"

using namespace kinetoscope;
using namespace kinetoscope::import::event;
using namespace kinetoscope::import::scan;

class ScannerTest final : public QObject {
    Q_OBJECT

private slots:
    void decimalsBecomeExactNanoseconds_data();
    void decimalsBecomeExactNanoseconds();
    void decimalsAgreeWithLongDivision();
    void fastNumbersAgreeWithTheExactOnes();
    void stringsEndAtTheirQuoteAtEveryPosition();
    void nestsEndWhereCountingSaysAtEveryPosition();
    void nestsStopAtDamage_data();
    void nestsStopAtDamage();
    void stringsAreDecoded_data();
    void stringsAreDecoded();
    void excerptsAreOneValidLine();
    void wellFormedEventIsReadInAnyKeyOrder();
    void genericReaderLeavesOddThingsToTheTolerantOne_data();
    void genericReaderLeavesOddThingsToTheTolerantOne();
};

namespace {

// A text with the zeros behind it that scanners may read.
class Padded {
public:
    explicit Padded(std::string_view text, std::size_t before = 0)
        : m_text(std::string(before, ' ') + std::string(text) + std::string(kTextPadding, '\0')),
          m_before(before) {}
    [[nodiscard]] const char* begin() const { return m_text.data() + m_before; }
    [[nodiscard]] const char* end() const { return m_text.data() + m_text.size() - kTextPadding; }

private:
    std::string m_text;
    std::size_t m_before;
};

// Where the object ends, counted byte by byte.
std::size_t countedEnd(std::string_view text) {
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (inString && text[i] == '\\') {
            ++i;
        } else if (inString) {
            inString = text[i] != '"';
        } else if (text[i] == '"') {
            inString = true;
        } else if (text[i] == '{') {
            ++depth;
        } else if (text[i] == '}' && --depth == 0) {
            return i + 1;
        }
    }
    return std::string::npos;
}

}  // namespace

void ScannerTest::decimalsBecomeExactNanoseconds_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qlonglong>("value");
    QTest::addColumn<int>("status");
    const auto row = [](const char* text, qlonglong value, DecimalStatus status) {
        QTest::newRow(text) << QByteArray(text) << value << static_cast<int>(status);
    };
    using enum DecimalStatus;
    constexpr qlonglong kMax = std::numeric_limits<qlonglong>::max();
    row("-1e99", std::numeric_limits<qlonglong>::min(), OutOfRange);
    row("0.9", 900, Exact);
    row("5.632", 5632, Exact);
    row("1615207264504915.123", 1615207264504915123, Exact);
    row("4348443872826.570", 4348443872826570, Exact);
    row("-1.5", -1500, Exact);
    row("0", 0, Exact);
    row("-0", 0, Exact);
    row("000.000", 0, Exact);
    row("1e3", 1000000, Exact);
    row("1.25E-3", 1, Rounded);
    row("2.5e-3", 2, Rounded);
    row("3.5e-3", 4, Rounded);
    row("0.0005", 0, Rounded);
    row("0.0015", 2, Rounded);
    row("0.00050000000000000000000001", 1, Rounded);
    row("0.0004999999999999999999999", 0, Rounded);
    row("-0.0015", -2, Rounded);
    row("1.2345", 1234, Rounded);
    row("1.2355", 1236, Rounded);
    row(".5", 500, Exact);
    row("5.", 5000, Exact);
    row(" 7 ", 7000, Exact);
    row("+7", 7000, Exact);
    row("9223372036854775.807", 9223372036854775807, Exact);
    row("-9223372036854775.808", std::numeric_limits<qlonglong>::min(), Exact);
    row("9223372036854775.808", kMax, OutOfRange);
    row("9223372036854775.8074999", 9223372036854775807, Rounded);
    row("1e400", kMax, OutOfRange);
    row("0e400", 0, Exact);
    row("1e-400", 0, Rounded);
    row("1e99999999999999999999", kMax, OutOfRange);
    row("123456789012345678901234567890e-25", 12345679, Rounded);
    row("", 0, NotANumber);
    row("-", 0, NotANumber);
    row(".", 0, NotANumber);
    row("1e", 0, NotANumber);
    row("1-2", 0, NotANumber);
    row("0x10", 0, NotANumber);
    row("NaN", 0, NotANumber);
}

void ScannerTest::decimalsBecomeExactNanoseconds() {
    QFETCH(QByteArray, text);
    QFETCH(qlonglong, value);
    QFETCH(int, status);
    const Decimal decimal = parseDecimal(text.toStdString(), 3);
    QCOMPARE(static_cast<int>(decimal.status), status);
    QCOMPARE(static_cast<qlonglong>(decimal.value), value);
}

// The independent way: all digits as one wide integer, divided by a power of ten with remainder.
void ScannerTest::decimalsAgreeWithLongDivision() {
    __extension__ using Wide = __int128;
    std::mt19937_64 random(7);
    for (int round = 0; round < 20000; ++round) {
        const auto digits =
            static_cast<std::int64_t>(random() % 1'000'000'000'000'000'000ULL) >> (random() % 60);
        const int decimals = static_cast<int>(random() % 12);
        Wide power = 1;
        for (int i = 0; i < decimals; ++i) {
            power *= 10;
        }
        std::string text = std::to_string(digits);
        text.insert(0,
                    text.size() <= static_cast<std::size_t>(decimals)
                        ? static_cast<std::size_t>(decimals) + 1 - text.size()
                        : 0,
                    '0');
        if (decimals > 0) {
            text.insert(text.size() - static_cast<std::size_t>(decimals), 1, '.');
        }
        const Wide scaled = static_cast<Wide>(digits) * 1000;
        Wide quotient = scaled / power;
        const Wide twice = 2 * (scaled % power);
        quotient += twice > power || (twice == power && quotient % 2 == 1) ? 1 : 0;
        const Decimal decimal = parseDecimal(text, 3);
        if (quotient <= std::numeric_limits<std::int64_t>::max()) {
            QVERIFY2(decimal.value == static_cast<std::int64_t>(quotient), text.c_str());
        } else {
            QVERIFY2(decimal.status == DecimalStatus::OutOfRange, text.c_str());
        }
    }
}

void ScannerTest::fastNumbersAgreeWithTheExactOnes() {
    std::mt19937_64 random(11);
    int fastOnes = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string text;
        const std::size_t whole = 1 + random() % 18;
        for (std::size_t i = 0; i < whole; ++i) {
            text += static_cast<char>('0' + random() % 10);
        }
        const std::size_t decimals = random() % 6;
        if (decimals > 0) {
            text += '.';
            for (std::size_t i = 0; i < decimals; ++i) {
                text += static_cast<char>('0' + random() % 10);
            }
        }
        const Padded padded(text + ",");
        std::int64_t ns = 0;
        const char* end = fastMicroseconds(padded.begin(), ns);
        const bool usual = whole <= 15 && decimals <= 3;
        QVERIFY2((end != nullptr && *end == ',') == usual, text.c_str());
        if (usual) {
            ++fastOnes;
            QVERIFY2(parseDecimal(text, 3).value == ns, text.c_str());
        }
        std::int64_t integer = 0;
        end = fastInteger(padded.begin(), integer);
        const bool usualInteger = whole <= 16 && decimals == 0;
        QVERIFY2((end != nullptr && *end == ',') == usualInteger, text.c_str());
        if (usualInteger) {
            QVERIFY2(parseDecimal(text, 0).value == integer, text.c_str());
        }
    }
    QVERIFY(fastOnes > 5000);
}

void ScannerTest::stringsEndAtTheirQuoteAtEveryPosition() {
    for (std::size_t length = 0; length < 70; ++length) {
        for (std::size_t escape = 0; escape <= length; ++escape) {
            std::string text(length, 'x');
            if (escape < length) {
                text.replace(escape, 1, "\\\"");
            }
            const Padded padded(text + "\"rest\"", length % 17);
            JsonText flags;
            QCOMPARE(stringEnd(padded.begin(), flags), padded.begin() + text.size());
            QCOMPARE(flags.escaped, escape < length);
        }
    }
}

void ScannerTest::nestsEndWhereCountingSaysAtEveryPosition() {
    std::mt19937_64 random(3);
    static constexpr std::string_view kPieces[] = {
        "\"a\"",
        "{",
        "}",
        "\"{\"",
        "\"}\\\"}\"",
        "\"\\\\\"",
        ":",
        ",",
        " ",
        "12.5e-3",
        "true",
        "null",
        "\"long text that fills more than one block of sixty-four bytes at once\""};
    int complete = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string text = "{";
        for (std::size_t i = random() % 40; i > 0; --i) {
            text += kPieces[random() % std::size(kPieces)];
            text += ' ';
        }
        const std::size_t expected = countedEnd(text);
        const Padded padded(text, random() % 64);
        JsonText flags;
        const Skipped skipped = skipNested<'{'>(padded.begin(), padded.end(), flags);
        QCOMPARE(skipped.complete, expected != std::string::npos);
        if (skipped.complete) {
            ++complete;
            QCOMPARE(static_cast<std::size_t>(skipped.at - padded.begin()), expected);
        }
    }
    QVERIFY(complete > 5000);
}

void ScannerTest::nestsStopAtDamage_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("stop");
    QTest::newRow("line break in a string") << QByteArray("{\"a\": \"b\n\"}") << 8;
    QTest::newRow("bare word") << QByteArray("{\"a\": NaN}") << 6;
    QTest::newRow("quote missing") << QByteArray("{\"a: 1, \"b\": 2}") << 9;
    QTest::newRow("word glued to a number") << QByteArray("{\"a\": 1x}") << 7;
    QTest::newRow("behind a block") << QByteArray("{\"") + QByteArray(80, 'k') + "\": inf}" << 85;
}

void ScannerTest::nestsStopAtDamage() {
    QFETCH(QByteArray, text);
    QFETCH(int, stop);
    const Padded padded(text.toStdString());
    JsonText flags;
    const Skipped skipped = skipNested<'{'>(padded.begin(), padded.end(), flags);
    QVERIFY(!skipped.complete);
    QCOMPARE(static_cast<int>(skipped.at - padded.begin()), stop);
}

void ScannerTest::stringsAreDecoded_data() {
    QTest::addColumn<QByteArray>("raw");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("badEscape");
    QTest::addColumn<bool>("badUtf8");
    const auto row = [](const char* name, const char* raw, const char* text, bool escape,
                        bool utf8) {
        QTest::newRow(name) << QByteArray(raw) << QByteArray(text) << escape << utf8;
    };
    row("plain", "aten::mm", "aten::mm", false, false);
    row("escapes", R"(\"\\\/\b\f\n\r\t)", "\"\\/\b\f\n\r\t", false, false);
    row("unicode", R"(\u00e9\u4e2d\ud83d\ude00)", "é中😀", false, false);
    row("utf-8", "é中😀", "é中😀", false, false);
    row("unknown escape", R"(C:\Users\x)", R"(C:\Users\x)", true, false);
    row("cut unicode escape", R"(a\u12)", R"(a\u12)", true, false);
    row("lone high surrogate", R"(\ud83dx)", "\xEF\xBF\xBDx", true, false);
    row("lone low surrogate", R"(\ude00)", "\xEF\xBF\xBD", true, false);
    row("stray byte", "a\xffz", "a\xEF\xBF\xBDz", false, true);
    row("overlong", "\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD", false, true);
    row("cut sequence", "\xE4\xB8", "\xEF\xBF\xBD\xEF\xBF\xBD", false, true);
    row("encoded surrogate", "\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", false, true);
    row("beyond unicode", "\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD",
        false, true);
}

void ScannerTest::stringsAreDecoded() {
    QFETCH(QByteArray, raw);
    QFETCH(QByteArray, text);
    QFETCH(bool, badEscape);
    QFETCH(bool, badUtf8);
    JsonText value{.data = raw.constData(), .size = static_cast<std::uint32_t>(raw.size())};
    value.escaped = raw.contains('\\');
    value.nonAscii =
        std::ranges::any_of(raw, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    std::string storage;
    const DecodedString decoded = decodeString(value, storage);
    QCOMPARE(QByteArray::fromStdString(std::string(decoded.text)), text);
    QCOMPARE(decoded.invalidEscape, badEscape);
    QCOMPARE(decoded.invalidUtf8, badUtf8);
}

void ScannerTest::excerptsAreOneValidLine() {
    QCOMPARE(excerpt("a\nb\\U\xff"), std::string("a b\\U\xEF\xBF\xBD"));
    QCOMPARE(excerpt("ééé", 3), std::string("é…"));
    QCOMPARE(excerpt("abcdef", 6), std::string("abcdef"));
}

void ScannerTest::wellFormedEventIsReadInAnyKeyOrder() {
    const Padded padded(
        R"({"args": {"x": [1, {"ph": "B"}]}, "dur":1.5,"unknown key":[{"ts": 4}], "tid" : "a\"b" ,)"
        "\n\t"
        R"("pid":-3,"ts":2,"name":"n","cat":"c","ph":"X", "ts": 7.001, "bp":true}, )");
    RawEvent event;
    const ReadResult result = readEvent(padded.begin(), padded.end(), event);
    QVERIFY(result.complete);
    QCOMPARE(std::string(result.at, 2), std::string(", "));
    QCOMPARE(event[EventField::Phase].view(), std::string_view("X"));
    QCOMPARE(event[EventField::Args].view(), std::string_view(R"({"x": [1, {"ph": "B"}]})"));
    QCOMPARE(event.decodedNumber(EventField::Time), std::optional<std::int64_t>(7001));
    QCOMPARE(event.decodedNumber(EventField::Duration), std::optional<std::int64_t>(1500));
    QCOMPARE(event.decodedNumber(EventField::Pid), std::optional<std::int64_t>(-3));
    QCOMPARE(event[EventField::Tid].view(), std::string_view(R"(a\"b)"));
    QVERIFY(event[EventField::Tid].escaped);
    QVERIFY(!event.has(EventField::Id));
}

void ScannerTest::genericReaderLeavesOddThingsToTheTolerantOne_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("tolerable");
    const auto row = [](const char* name, const char* text, bool tolerable) {
        QTest::newRow(name) << QByteArray(text) << tolerable;
    };
    row("control character", "{\"ph\":\"X\",\"name\":\"a\nb\"}", true);
    row("bare word", R"({"ph":"X","dur":NaN})", true);
    row("negative infinity", R"({"ph":"X","args":{"a":-Infinity}})", true);
    row("trailing comma", R"({"ph":"X",})", true);
    row("trailing comma inside", R"({"ph":"X","x":{"a":[1,],}, "b":1,,"c":2})", true);
    row("escaped key", R"({"\u0070h":"X"})", true);
    row("missing colon", R"({"ph" "X"})", false);
    row("missing quote", R"({"ph":"X,"name":"a"})", false);
    row("word without meaning", R"({"ph":"X","dur":later})", false);
    row("brackets crossed", R"({"ph":"X","x":[{"a":1]}})", false);
    row("no end", R"({"ph":"X","args":{"a":1})", false);
}

void ScannerTest::genericReaderLeavesOddThingsToTheTolerantOne() {
    QFETCH(QByteArray, text);
    QFETCH(bool, tolerable);
    const Padded padded(text.toStdString());
    RawEvent event;
    SyntaxIssues issues;
    const ReadResult strict = readEvent(padded.begin(), padded.end(), event);
    const ReadResult result = readEventTolerantly(padded.begin(), padded.end(), event, issues);
    QCOMPARE(result.complete, tolerable);
    if (tolerable) {
        QCOMPARE(result.at, padded.end());
        QCOMPARE(event[EventField::Phase].view(), std::string_view("X"));
        QVERIFY(!strict.complete);
    }
}

QTEST_APPLESS_MAIN(ScannerTest)
#include "ScannerTest.moc"
