// SPDX-License-Identifier: Apache-2.0
// A text that one thread makes and several read: they find exactly what was made, no earlier and no
// later, and nobody waits for what never comes.
#include <QtTest>
#include <atomic>
#include <future>
#include <random>
#include <string>
#include <thread>

#include "core/import/chrome/ParallelEvents.h"
#include "core/import/source/ReadAhead.h"
#include "tests/Patience.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::import;
using namespace kinetoscope::import::chrome;
using namespace kinetoscope::import::source;
using namespace kinetoscope::trace;
using namespace kinetoscope::test;
using namespace std::chrono_literals;

class ReadAheadTest final : public QObject {
    Q_OBJECT

private slots:
    void oneReaderFindsTheWholeText();
    void severalReadersFindTheSameText();
    void readersWaitForTextThatIsToCome();
    void whatIsTooFarAheadIsNotWaitedFor();
    void whatWasGivenUpIsNotFound();
    void whatIsBeingCopiedIsNotOverwritten();
    void littleMoreIsMadeThanIsKept();
    void theTextBehindTheEndIsEmpty();
    void aStopEndsTheText();
    void nothingComesAfterTheReadingEnded();
    void theFileIsConsumedBlockByBlock();
    void theComplaintComesBehindTheText();
    void severalThreadsShareATextMadeAhead();
};

namespace {

std::string numbers(std::size_t bytes) {
    std::string text;
    for (std::size_t i = 0; text.size() < bytes; ++i) {
        text += std::to_string(i) + ' ';
    }
    text.resize(bytes);
    return text;
}

// Hands out only what it was allowed to, in small pieces, and then waits.
class GatedSource final : public TextSource {
public:
    explicit GatedSource(std::string_view text, std::size_t open) : m_text(text), m_open(open) {}

    [[nodiscard]] std::size_t read(char* to, std::size_t capacity) override {
        while (m_position == m_open && m_open < m_text.size()) {
            std::this_thread::sleep_for(1ms);
        }
        const std::size_t there = m_open - m_position;
        const std::size_t count = std::min({capacity, there, std::size_t{7}});
        std::memcpy(to, m_text.data() + m_position, count);
        m_position += count;
        if (count == 0) {
            setIssue(Issue::ReadError, "too short");
        }
        return count;
    }
    void open(std::size_t bytes) { m_open = bytes; }
    [[nodiscard]] std::size_t position() const { return m_position; }
    [[nodiscard]] std::uint64_t filePosition() const override { return m_position / 2; }
    [[nodiscard]] std::uint64_t fileBytes() const override { return m_text.size() / 2; }
    [[nodiscard]] std::string_view compression() const override { return "gzip"; }

private:
    std::string_view m_text;
    std::atomic<std::size_t> m_open;
    std::atomic<std::size_t> m_position = 0;
};

// Blocks of a, of b and so on; writes the end of each first, where a copy comes last.
class LettersSource final : public TextSource {
public:
    [[nodiscard]] std::size_t read(char* to, std::size_t capacity) override {
        ++m_letter;
        std::fill(std::make_reverse_iterator(to + capacity), std::make_reverse_iterator(to),
                  m_letter);
        return capacity;
    }
    [[nodiscard]] std::uint64_t filePosition() const override { return 0; }
    [[nodiscard]] std::uint64_t fileBytes() const override { return 0; }
    [[nodiscard]] std::string_view compression() const override { return {}; }

private:
    char m_letter = 'a' - 1;
};

std::string readAll(TextSource& source, std::size_t capacity) {
    std::string text;
    std::string piece(capacity, '\0');
    while (const std::size_t count = source.read(piece.data(), piece.size())) {
        text.append(piece, 0, count);
    }
    return text;
}

std::string copyAt(AheadText& text, std::uint64_t offset, std::size_t bytes) {
    std::string piece(bytes, '\0');
    piece.resize(text.copy(offset, piece.data(), bytes));
    return piece;
}

}  // namespace

void ReadAheadTest::oneReaderFindsTheWholeText() {
    for (const std::size_t bytes : {0U, 1U, 99U, 100U, 101U, 2'000U, 54'321U}) {
        for (const std::size_t capacity : {1U, 100U, 1'000U}) {
            const std::string text = numbers(bytes);
            SequentialSource source(text);
            ReadAhead ahead(source, 1, 100, {});
            QVERIFY(readAll(ahead, capacity) == text);
            QCOMPARE(ahead.filePosition(), bytes);
        }
    }
}

// As the readers of units do: each at a place of its own, a little before or behind the leading
// one.
void ReadAheadTest::severalReadersFindTheSameText() {
    constexpr std::size_t kBlock = 512;
    constexpr std::size_t kStretch = 2 * kBlock;
    const std::string text = numbers(400'000);
    SequentialSource source(text);
    ReadAhead ahead(source, 3, kBlock, {});
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> done = 0;
    std::atomic<bool> same = true;
    const auto readStretches = [&](std::unique_ptr<TextSource> reader) {
        std::string piece(kStretch, '\0');
        for (std::size_t index = next++; index * kStretch < text.size(); index = next++) {
            while (index > done + 4) {
                std::this_thread::yield();
            }
            const std::string_view expected =
                std::string_view(text).substr(index * kStretch, kStretch);
            same = same && reader->seek(index * kStretch);
            std::size_t filled = 0;
            while (filled < expected.size()) {
                const std::size_t count =
                    reader->read(piece.data() + filled, expected.size() - filled);
                same = same && count > 0;
                filled += std::max<std::size_t>(count, 1);
            }
            same = same && std::string_view(piece).substr(0, expected.size()) == expected;
            while (done != index) {
                std::this_thread::yield();
            }
            same = same && ahead.seek(std::min((index + 1) * kStretch, text.size()));
            ++done;
        }
    };
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 3; ++thread) {
            threads.emplace_back(readStretches, ahead.along());
        }
    }
    QVERIFY(same);
}

void ReadAheadTest::readersWaitForTextThatIsToCome() {
    const std::string text = numbers(1'000);
    GatedSource source(text, 40);
    AheadText ahead(source, 8, 100, {});
    auto later = std::async(std::launch::async, [&] { return copyAt(ahead, 250, 30); });
    QCOMPARE(later.wait_for(30ms), std::future_status::timeout);
    source.open(260);
    QVERIFY(text.substr(250).starts_with(later.get()));
    source.open(text.size());
}

void ReadAheadTest::whatIsTooFarAheadIsNotWaitedFor() {
    const std::string text = numbers(3'000);
    SequentialSource source(text);
    AheadText ahead(source, 4, 100, {});
    QCOMPARE(copyAt(ahead, 400, 10), std::string());
    QCOMPARE(copyAt(ahead, 399, 10), text.substr(399, 1));
    ahead.keepFrom(200);
    QCOMPARE(copyAt(ahead, 400, 10), text.substr(400, 10));
    QCOMPARE(copyAt(ahead, 500, 10), std::string());
}

void ReadAheadTest::whatWasGivenUpIsNotFound() {
    const std::string text = numbers(3'000);
    SequentialSource source(text);
    AheadText ahead(source, 4, 100, {});
    ahead.keepFrom(300);
    QCOMPARE(copyAt(ahead, 199, 10), std::string());
    QCOMPARE(copyAt(ahead, 200, 10), text.substr(200, 10));
    ahead.keepFrom(100);  // going back gives nothing back
    QCOMPARE(copyAt(ahead, 199, 10), std::string());
}

void ReadAheadTest::whatIsBeingCopiedIsNotOverwritten() {
    constexpr std::size_t kBlock = 4 << 20;
    for (int round = 0; round < 10; ++round) {
        LettersSource source;
        AheadText ahead(source, 2, kBlock, {});
        QCOMPARE(copyAt(ahead, kBlock, 1), std::string("b"));
        std::string piece(kBlock, '-');
        std::atomic<bool> begun = false;
        auto copied = std::async(std::launch::async, [&] {
            begun = true;
            return ahead.copy(0, piece.data(), kBlock);
        });
        while (!begun) {
        }
        std::this_thread::sleep_for(round * 20us);
        ahead.keepFrom(2 * kBlock);
        const std::size_t count = copied.get();
        QVERIFY(count == 0 || count == kBlock);
        QVERIFY(count == 0 || piece == std::string(kBlock, 'a'));
    }
}

void ReadAheadTest::littleMoreIsMadeThanIsKept() {
    const std::string text = numbers(3'000);
    GatedSource source(text, text.size());
    AheadText ahead(source, 4, 100, {});
    QTRY_COMPARE(source.position(), std::size_t{400});
    ahead.keepFrom(350);
    QTRY_COMPARE(source.position(), std::size_t{600});
    QTest::qWait(20);
    QCOMPARE(source.position(), std::size_t{600});
}

void ReadAheadTest::theTextBehindTheEndIsEmpty() {
    const std::string text = numbers(1'234);
    SequentialSource source(text);
    AheadText ahead(source, 4, 100, {});
    ahead.keepFrom(1'000);
    QCOMPARE(copyAt(ahead, 1'234, 1), std::string());
    QCOMPARE(copyAt(ahead, 1'200, 100), text.substr(1'200));
}

void ReadAheadTest::aStopEndsTheText() {
    const std::string text = numbers(3'000);
    std::stop_source stop;
    GatedSource source(text, 150);
    AheadText ahead(source, 40, 100, stop.get_token());
    auto later = std::async(std::launch::async, [&] { return copyAt(ahead, 2'000, 10); });
    stop.request_stop();
    source.open(text.size());
    QCOMPARE(later.get(), std::string());
    QVERIFY(source.position() < 300);
}

void ReadAheadTest::nothingComesAfterTheReadingEnded() {
    const std::string text = numbers(3'000);
    SequentialSource source(text);
    AheadText ahead(source, 4, 100, {});
    QCOMPARE(copyAt(ahead, 399, 1), text.substr(399, 1));
    ahead.endReading();  // while the thread waits for room
    ahead.keepFrom(300);
    QCOMPARE(copyAt(ahead, 400, 10), std::string());
    QCOMPARE(copyAt(ahead, 399, 1), text.substr(399, 1));
}

void ReadAheadTest::theFileIsConsumedBlockByBlock() {
    const std::string text = numbers(3'000);
    GatedSource source(text, 100);
    ReadAhead ahead(source, 1, 100, {});
    QVERIFY(ahead.seek(99));
    char one = 0;
    QCOMPARE(ahead.read(&one, 1), std::size_t{1});
    QCOMPARE(ahead.filePosition(), std::uint64_t{50});  // of the next block nothing is there
    source.open(text.size());
    QVERIFY(ahead.seek(130));
    QCOMPARE(ahead.read(&one, 1), std::size_t{1});
    QTRY_COMPARE(ahead.filePosition(), std::uint64_t{100});
    QVERIFY(ahead.seek(950));
    QCOMPARE(ahead.read(&one, 1), std::size_t{1});
    QCOMPARE(one, text[950]);
    QTRY_COMPARE(ahead.filePosition(), std::uint64_t{500});
    QCOMPARE(ahead.fileBytes(), std::uint64_t{1'500});
    QCOMPARE(ahead.compression(), std::string_view("gzip"));
}

void ReadAheadTest::theComplaintComesBehindTheText() {
    const std::string text = numbers(500);
    GatedSource source(text, text.size());
    ReadAhead ahead(source, 2, 100, {});
    const auto along = ahead.along();
    QVERIFY(!ahead.issue());
    QVERIFY(readAll(ahead, 90) == text);
    QVERIFY(ahead.issue());
    QCOMPARE(ahead.issue()->example, std::string("too short"));
    // It is told once, by the one whose text it is about.
    along->seek(text.size());
    QCOMPARE(readAll(*along, 90), std::string());
    QVERIFY(!along->issue());
}

void ReadAheadTest::severalThreadsShareATextMadeAhead() {
    const std::string text = numbers(200'000);
    SequentialSource source(text);
    const auto planOf = [&](TextSource& read, unsigned threads) {
        LoadOptions options;
        options.threads = threads;
        TextWindow window(read);
        const ImportInput input{"t.json", text.size(), window, options, {.aheadBlock = 4'096}};
        return UnitPlan::of(input, 10);
    };
    QVERIFY(!planOf(source, 3));
    ReadAhead ahead(source, 4, 4'096, {});
    const auto plan = planOf(ahead, 3);
    QVERIFY(plan);
    QCOMPARE(plan->threads, 3U);
    QCOMPARE(plan->unitBytes, std::uint64_t{4'096});
    QVERIFY(plan->end > text.size());  // how much text comes is not known
    QVERIFY(planOf(ahead, 64));
    QCOMPARE(planOf(ahead, 64)->threads, 4U);
    QVERIFY(!planOf(ahead, 1));
}

QTEST_APPLESS_MAIN(ReadAheadTest)
#include "ReadAheadTest.moc"
