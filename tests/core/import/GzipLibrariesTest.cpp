// SPDX-License-Identifier: Apache-2.0
// Both decompressors of gzip behind GzipSource: the same text, the same complaints, the same events
// when they are read again.
#include <zlib.h>

#include <QtTest>
#include <array>
#include <string>
#include <vector>

#include "core/import/chrome/StoredEvents.h"
#include "core/import/source/GzipSource.h"
#include "core/import/source/InputFile.h"
#include "core/import/source/MakeInflater.h"

using namespace kinetoscope;
using namespace kinetoscope::import::chrome;
using namespace kinetoscope::import::source;
using namespace kinetoscope::trace;

namespace {

constexpr std::size_t kOddPiece = 65'521;

std::string gzip(const std::string& text, gz_header* header = nullptr) {
    z_stream stream{};
    deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    if (header != nullptr) {
        deflateSetHeader(&stream, header);
    }
    std::string out(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

std::string eventText(int number) {
    return R"({"ph": "X", "ts": )" + std::to_string(number) + R"(, "args": {"noise": ")" +
           std::to_string(number * 2'654'435'761LL % 1'000'000'007) + "\"}}";
}

/// Events and where each of them begins.
struct Events {
    std::string text = "[";
    std::vector<std::uint64_t> offsets;
};

Events makeEvents(int count) {
    Events events;
    for (int i = 0; i < count; ++i) {
        events.offsets.push_back(events.text.size());
        events.text += eventText(i) + ",\n";
    }
    events.text += "]";
    return events;
}

std::string inMembers(const std::string& text, std::size_t piece) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += piece) {
        out += gzip(text.substr(at, piece));
    }
    return out;
}

/// What a source gives to its end.
struct Read {
    std::string text;
    std::string issue;
    std::string example;
    std::uint64_t position = 0;
};

/// So that nobody finds there what an earlier call left.
[[gnu::noinline]] void overwriteStack() {
    std::array<volatile char, 16'384> bytes;
    for (volatile char& byte : bytes) {
        byte = 0;
    }
}

}  // namespace

class GzipLibrariesTest final : public QObject {
    Q_OBJECT

private slots:
    void init() { QVERIFY(m_folder.isValid()); }
    void wholeFilesGiveTheirText_data() { addLibraries(); }
    void wholeFilesGiveTheirText();
    void everythingInAHeaderIsSkipped_data() { addLibraries(); }
    void everythingInAHeaderIsSkipped();
    void headersMayComeInPieces_data() { addLibraries(); }
    void headersMayComeInPieces();
    void cutFilesGiveWhatCameBefore_data() { addLibraries(); }
    void cutFilesGiveWhatCameBefore();
    void damageIsSaid_data() { addLibraries(); }
    void damageIsSaid();
    void reservedFlagsAreDamage_data() { addLibraries(); }
    void reservedFlagsAreDamage();
    void garbageBehindTheLastMemberIsSaid_data() { addLibraries(); }
    void garbageBehindTheLastMemberIsSaid();
    void eventsAreReadAgainFromCheckpoints_data() { addLibraries(); }
    void eventsAreReadAgainFromCheckpoints();
    void checkpointsAtTheEndOfAMemberGoOn_data() { addLibraries(); }
    void checkpointsAtTheEndOfAMemberGoOn();

private:
    static void addLibraries() {
        QTest::addColumn<int>("library");
        QTest::newRow("zlib") << static_cast<int>(GzipLibrary::Zlib);
#ifdef KINETOSCOPE_ISAL
        QTest::newRow("ISA-L") << static_cast<int>(GzipLibrary::IsaL);
#endif
    }
    /// Of the row that runs, over a file of this content.
    std::unique_ptr<GzipSource> source(const std::string& content) {
        QFile file(m_folder.filePath(QString("%1.gz").arg(m_files++)));
        if (!file.open(QIODevice::WriteOnly) ||
            file.write(content.data(), static_cast<qint64>(content.size())) < 0) {
            qFatal("cannot write a test file");
        }
        file.close();
        auto input = InputFile::open(file.fileName().toStdString());
        QFETCH(int, library);
        return std::make_unique<GzipSource>(*input, static_cast<GzipLibrary>(library));
    }
    static Read readAll(GzipSource& source, std::size_t piece) {
        Read result;
        std::vector<char> buffer(piece);
        while (const std::size_t count = source.read(buffer.data(), buffer.size())) {
            result.text.append(buffer.data(), count);
        }
        if (source.issue()) {
            result.issue = issueKind(source.issue()->issue).name;
            result.example = source.issue()->example;
        }
        result.position = source.filePosition();
        return result;
    }

    QTemporaryDir m_folder;
    int m_files = 0;
};

void GzipLibrariesTest::wholeFilesGiveTheirText() {
    const std::string text = makeEvents(40'000).text;
    for (const std::size_t member : {text.size(), std::size_t{100'003}}) {
        const std::string packed = inMembers(text, member);
        for (const std::size_t piece : {std::size_t{4096}, kOddPiece, 2 * text.size()}) {
            const auto from = source(packed);
            const Read read = readAll(*from, piece);
            QVERIFY(read.text == text);
            QCOMPARE(read.issue, std::string());
            QCOMPARE(read.position, packed.size());
        }
    }
}

// Extra fields, a name and a comment; with a check sum of it all, or longer than what is read at
// once.
void GzipLibrariesTest::everythingInAHeaderIsSkipped() {
    const std::string text = makeEvents(2'000).text;
    std::string extra(65'000, '\x1f');
    std::string name(300'000, '{');
    std::string comment = "made by hand";
    gz_header header{};
    header.text = 1;
    header.time = 1'700'000'000;
    header.os = 3;
    header.extra = reinterpret_cast<Bytef*>(extra.data());
    header.extra_len = static_cast<uInt>(extra.size());
    header.name = reinterpret_cast<Bytef*>(name.data());
    header.comment = reinterpret_cast<Bytef*>(comment.data());
    const std::string large = gzip(text, &header);
    name.resize(1000);
    header.hcrc = 1;
    const std::string checked = gzip(text, &header);
    const auto from = source(checked + large + large);
    const Read read = readAll(*from, kOddPiece);
    QCOMPARE(read.issue, std::string());
    QVERIFY(read.text == text + text + text);
    const auto cut = source(large.substr(0, 200'000));
    QCOMPARE(readAll(*cut, kOddPiece).issue, std::string("truncated_gzip"));
}

// A byte at a time, with other work in between: what a library keeps of a header is its own.
void GzipLibrariesTest::headersMayComeInPieces() {
    const std::string text = makeEvents(10).text;
    std::string extra = "extra";
    std::string name = "name";
    std::string comment = "comment";
    gz_header header{};
    header.extra = reinterpret_cast<Bytef*>(extra.data());
    header.extra_len = static_cast<uInt>(extra.size());
    header.name = reinterpret_cast<Bytef*>(name.data());
    header.comment = reinterpret_cast<Bytef*>(comment.data());
    header.hcrc = 1;
    const std::string packed = gzip(text, &header);
    QFETCH(int, library);
    const auto inflater = makeInflater(static_cast<GzipLibrary>(library));
    std::string read(text.size() + 1, '\0');
    InflateSpans spans;
    spans.out = reinterpret_cast<std::uint8_t*>(read.data());
    spans.outBytes = read.size();
    InflateState state = InflateState::Going;
    for (const char& byte : packed) {
        QCOMPARE(state, InflateState::Going);
        spans.in = reinterpret_cast<const std::uint8_t*>(&byte);
        spans.inBytes = 1;
        state = inflater->inflate(spans);
        overwriteStack();
    }
    QCOMPARE(state, InflateState::MemberEnd);
    read.resize(read.size() - spans.outBytes);
    QVERIFY(read == text);
}

void GzipLibrariesTest::cutFilesGiveWhatCameBefore() {
    const std::string text = makeEvents(20'000).text;
    const std::string packed = gzip(text);
    for (const std::size_t bytes : {packed.size() - 1, packed.size() - 8, packed.size() / 2}) {
        const auto from = source(packed.substr(0, bytes));
        const Read read = readAll(*from, kOddPiece);
        QCOMPARE(read.issue, std::string("truncated_gzip"));
        QVERIFY(text.starts_with(read.text));
        QVERIFY(read.text.size() + 100'000 > text.size() * bytes / packed.size());
        QCOMPARE(read.example, "ends after " + std::to_string(bytes) + " bytes of the file, " +
                                   std::to_string(read.text.size()) + " of text");
    }
}

void GzipLibrariesTest::damageIsSaid() {
    const std::string text = makeEvents(20'000).text;
    std::string broken = gzip(text);
    for (std::size_t at = broken.size() / 2; at < broken.size() / 2 + 200; ++at) {
        broken[at] = static_cast<char>(broken[at] ^ 0x5a);
    }
    const auto damaged = source(broken);
    const Read half = readAll(*damaged, kOddPiece);
    QCOMPARE(half.issue, std::string("damaged_gzip"));
    QVERIFY(half.example.starts_with("damaged near byte "));
    const std::size_t good = text.size() / 3;
    QVERIFY(half.text.size() > good && text.substr(0, good) == half.text.substr(0, good));
    // Only the check sum is wrong.
    std::string sum = gzip(text);
    sum[sum.size() - 6] = static_cast<char>(sum[sum.size() - 6] ^ 1);
    const auto wrong = source(sum);
    const Read whole = readAll(*wrong, kOddPiece);
    QVERIFY(whole.text == text);
    QCOMPARE(whole.issue, std::string("damaged_gzip"));
}

// RFC 1952: a header with one of them is in a form that this program cannot know.
void GzipLibrariesTest::reservedFlagsAreDamage() {
    const std::string text = makeEvents(100).text;
    const std::string good = gzip(text);
    for (const int flag : {0x20, 0x40, 0x80}) {
        std::string reserved = good;
        reserved[3] = static_cast<char>(reserved[3] | flag);
        const auto alone = source(reserved);
        const Read nothing = readAll(*alone, kOddPiece);
        QCOMPARE(nothing.issue, std::string("damaged_gzip"));
        QCOMPARE(nothing.text, std::string());
        const auto second = source(good + reserved + good);
        const Read first = readAll(*second, kOddPiece);
        QCOMPARE(first.issue, std::string("damaged_gzip"));
        QCOMPARE(first.text, text);
    }
}

void GzipLibrariesTest::garbageBehindTheLastMemberIsSaid() {
    const std::string text = makeEvents(100).text;
    for (const std::string& garbage : {std::string("garbage"), std::string(7, '\0')}) {
        const auto from = source(gzip(text) + garbage);
        const Read read = readAll(*from, kOddPiece);
        QVERIFY(read.text == text);
        QCOMPARE(read.issue, std::string("trailing_garbage"));
        QCOMPARE(read.example, std::string("7 bytes after the gzip data"));
    }
}

void GzipLibrariesTest::eventsAreReadAgainFromCheckpoints() {
    const Events events = makeEvents(450'000);
    QVERIFY(events.text.size() > 20'000'000);  // beyond the first checkpoint
    for (const std::size_t member : {events.text.size(), std::size_t{1'000'003}}) {
        const auto from = source(inMembers(events.text, member));
        QVERIFY(readAll(*from, 512 * 1024).text == events.text);
        const auto stored = storedEvents(*from);
        for (int number = 0; number < 450'000; number += 32'143) {
            const auto text = stored->event(events.offsets[static_cast<std::size_t>(number)]);
            QVERIFY2(text, text ? "" : text.error().message.c_str());
            QCOMPARE(*text, eventText(number));
        }
    }
}

void GzipLibrariesTest::checkpointsAtTheEndOfAMemberGoOn() {
    const Events events = makeEvents(400'000);
    constexpr std::size_t kPiece = 1024 * 1024;
    const auto from = source(inMembers(events.text, kPiece));
    // Every read ends exactly where a member does.
    QVERIFY(readAll(*from, kPiece).text == events.text);
    const auto stored = storedEvents(*from);
    const auto text = stored->event(events.offsets[399'999]);
    QVERIFY2(text, text ? "" : text.error().message.c_str());
    QCOMPARE(*text, eventText(399'999));
}

QTEST_GUILESS_MAIN(GzipLibrariesTest)
#include "GzipLibrariesTest.moc"
