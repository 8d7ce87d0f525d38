// SPDX-License-Identifier: Apache-2.0
// The vector layer against the plain reading of its questions, and its levels against each other.
#include <QtTest>
#include <array>
#include <functional>
#include <random>
#include <string>

#include "core/import/event/EventShape.h"
#include "core/import/event/GenericReader.h"
#include "core/import/event/MatchShape.h"
#include "core/import/scan/ByteLanes.h"
#include "core/import/scan/SkipNested.h"

using namespace kinetoscope;
using namespace kinetoscope::import::event;
using namespace kinetoscope::import::scan;

class VectorTest final : public QObject {
    Q_OBJECT

private slots:
    void lanesAnswerLikeALoopOverBytes();
    void literalsAreComparedToTheirLastByte();
    void prefixXorCountsBits();
    void nestsAgreeOnEveryLevel();
    void shapesAgreeOnEveryLevel();
};

namespace {

std::uint32_t maskOf(const char* bytes, const std::function<bool(unsigned char)>& question) {
    std::uint32_t mask = 0;
    for (unsigned i = 0; i < 16; ++i) {
        mask |= question(static_cast<unsigned char>(bytes[i])) ? 1U << i : 0U;
    }
    return mask;
}

bool isLetter(unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

template <class Lanes>
void checkLanes(const char* at) {
    const Lanes lanes(at);
    for (const char c : {'"', '\\', '\0', '\xff', '\x80', 'e'}) {
        QCOMPARE(lanes.equal(c),
                 maskOf(at, [c](unsigned char b) { return b == static_cast<unsigned char>(c); }));
    }
    for (const auto most : std::array<unsigned char, 3>{0, 0x1f, 0x7f}) {
        QCOMPARE(lanes.atMost(most), maskOf(at, [most](unsigned char b) { return b <= most; }));
    }
    QCOMPARE(lanes.letters(), maskOf(at, isLetter));
    QCOMPARE(lanes.high(), maskOf(at, [](unsigned char b) { return b >= 0x80; }));
}

std::string randomBytes(std::mt19937_64& random, std::size_t size) {
    static constexpr std::string_view kLikely = "\"\\{}[]:, \n0e.-azAZ\x1f\x80";
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) {
        bytes += random() % 3 == 0 ? static_cast<char>(random() % 256)
                                   : kLikely[random() % kLikely.size()];
    }
    return bytes;
}

// Nested text of a few words, strings, brackets and now and then something wrong.
std::string randomNest(std::mt19937_64& random) {
    static constexpr std::string_view kPieces[] = {"{",
                                                   "}",
                                                   "[",
                                                   "]",
                                                   "\"a\"",
                                                   "\"\\\"}\"",
                                                   "\"\\\\\"",
                                                   "true",
                                                   "false",
                                                   "null",
                                                   "1.5e+3",
                                                   ", ",
                                                   "\"long text of more than sixteen bytes {\"",
                                                   ":",
                                                   "\n",
                                                   "\"\xc3\xa9\"",
                                                   "12345",
                                                   "\"\\u0041\"",
                                                   "NaN",
                                                   "\"\x01\"",
                                                   " "};
    std::string text = random() % 2 == 0 ? "{" : "[";
    for (std::size_t count = random() % 60; count > 0; --count) {
        // The last but two are wrong and rarer.
        const std::size_t piece = random() % std::size(kPieces);
        text += piece >= 18 && random() % 8 != 0 ? kPieces[4] : kPieces[piece];
    }
    return text + (text[0] == '{' ? "}}}" : "]]]");
}

}  // namespace

void VectorTest::lanesAnswerLikeALoopOverBytes() {
    std::mt19937_64 random(1);
    for (int round = 0; round < 2000; ++round) {
        const std::string bytes = randomBytes(random, 16);
        checkLanes<WordLanes>(bytes.data());
        checkLanes<Lanes16>(bytes.data());
    }
}

void VectorTest::literalsAreComparedToTheirLastByte() {
    using Words = FourLanes<WordLanes>;
    using Native = FourLanes<Lanes16>;
    const std::string literal(160, 'x');
    for (std::uint32_t size = 1; size < 100; ++size) {
        for (std::uint32_t place = 0; place < size + 10; ++place) {
            std::string text = literal;
            text[place] = 'y';
            QCOMPARE(Words::same(text.data(), literal.data(), size), place >= size);
            QCOMPARE(Native::same(text.data(), literal.data(), size), place >= size);
        }
    }
}

void VectorTest::prefixXorCountsBits() {
    std::mt19937_64 random(2);
    for (int round = 0; round < 1000; ++round) {
        const std::uint64_t mask = random() & random();
        std::uint64_t expected = 0;
        bool odd = false;
        for (unsigned bit = 0; bit < 64; ++bit) {
            odd ^= (mask >> bit & 1U) != 0;
            expected |= std::uint64_t{odd} << bit;
        }
        QCOMPARE(FourLanes<WordLanes>::prefixXor(mask), expected);
    }
}

void VectorTest::nestsAgreeOnEveryLevel() {
    std::mt19937_64 random(3);
    for (int round = 0; round < 5000; ++round) {
        const std::string text = randomNest(random);
        const std::string padded = text + std::string(kTextPadding, '\0');
        const char* end = padded.data() + text.size();
        std::string first;
        for (const VectorLevel level : vectorLevels()) {
            setVectorLevel(level);
            JsonText flags;
            const Skipped skipped = text[0] == '{' ? skipNested<'{'>(padded.data(), end, flags)
                                                   : skipNested<'['>(padded.data(), end, flags);
            const std::string result =
                std::to_string(skipped.at - padded.data()) +
                (skipped.complete ? " whole" : " odd") + (flags.escaped ? " escaped" : "") +
                (flags.nonAscii ? " nonAscii" : "") + (flags.nested ? " nested" : "");
            first = first.empty() ? result : first;
            QVERIFY2(result == first, (text + "\n" + first + "\n" + result).c_str());
        }
    }
    setVectorLevel(vectorLevels().back());
}

void VectorTest::shapesAgreeOnEveryLevel() {
    const std::string text =
        R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1.5, "dur": 2.25, )"
        R"("args": {"External id": 5, "w": 0.25, "l": [1, [2]], "s": "t", "b": true, )"
        R"("grid": [1, 2, 3], "correlation": 77}})";
    const std::string padded = text + std::string(kTextPadding, '\0');
    RawEvent event;
    QVERIFY(readEvent(padded.data(), padded.data() + text.size(), event).complete);
    const auto shape = learnShape(event);
    QVERIFY(shape != nullptr);
    for (const VectorLevel level : vectorLevels()) {
        setVectorLevel(level);
        const auto match = [&](const std::string& other) {
            const std::string copy = other + std::string(kTextPadding, '\0');
            RawEvent read;
            const char* end =
                matchShapeOf(level)(*shape, copy.data(), copy.data() + other.size(), read);
            return end == copy.data() + other.size();
        };
        QVERIFY(match(text));
        QCOMPARE(shape->arguments.correlation, std::int64_t{77});
        QCOMPARE(shape->arguments.externalId, std::int64_t{5});
        QCOMPARE(shape->arguments.grid, (std::array<std::int64_t, 3>{1, 2, 3}));
        // Whatever matches, the generic reader takes too.
        for (std::size_t at = 0; at < text.size(); ++at) {
            std::string other = text;
            other[at] = "\x01\"{}[],: 5e-.\\x"[at % 15];
            const std::string copy = other + std::string(kTextPadding, '\0');
            RawEvent read;
            const bool whole = readEvent(copy.data(), copy.data() + other.size(), read).complete;
            QVERIFY2(!match(other) || whole, other.c_str());
            QVERIFY(!match(text.substr(0, at)));
        }
    }
    setVectorLevel(vectorLevels().back());
}

QTEST_APPLESS_MAIN(VectorTest)
#include "VectorTest.moc"
