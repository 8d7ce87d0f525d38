// SPDX-License-Identifier: Apache-2.0
// Files as they lie on disk: plain, gzip and zstd, whole and damaged, and events read again.
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <QtTest>
#include <array>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/import/load/LoadTrace.h"
#include "core/import/source/Expansion.h"
#include "core/import/source/InputFile.h"
#include "core/import/source/OpenTextSource.h"

using namespace kinetoscope;
using namespace kinetoscope::import;
using namespace kinetoscope::trace;

class ImportFilesTest final : public QObject {
    Q_OBJECT

private slots:
    void everyContainerGivesTheSameTrace_data();
    void everyContainerGivesTheSameTrace();
    void eventsAreReadAgainFromEveryContainer_data();
    void eventsAreReadAgainFromEveryContainer();
    void sizesAroundBufferBoundariesAreRead();
    void cutGzipKeepsWhatCameBefore();
    void damagedGzipKeepsWhatCameBefore();
    void garbageBehindCompressedDataIsReported_data();
    void garbageBehindCompressedDataIsReported();
    void cutAndDamagedZstdKeepWhatCameBefore();
    void zstdFramesEndWhereTheySay();
    void zstdWindowsThatAreTooLarge();
    void oldZstdFramesAddNothing();
    void bombsEndAtTheirLimit_data();
    void bombsEndAtTheirLimit();
    void framesToSkipAreNoText();
    void unreadableFilesAreRefusedInOneLine();
    void changedAndVanishedFilesAreNoticed();
    void cancelEndsALoadAtOnce();
    void progressReachesTheFileSize();

private:
    QString write(const QByteArray& content);

    QTemporaryDir m_folder;
    int m_files = 0;
};

namespace {

QByteArray gzip(const QByteArray& text) {
    z_stream stream{};
    deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    QByteArray out(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(text.size()))),
                   '\0');
    QByteArray input = text;
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.truncate(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return out;
}

QByteArray zstd(const QByteArray& text) {
    QByteArray out(
        static_cast<qsizetype>(ZSTD_compressBound(static_cast<std::size_t>(text.size()))), '\0');
    out.truncate(static_cast<qsizetype>(
        ZSTD_compress(out.data(), static_cast<std::size_t>(out.size()), text.constData(),
                      static_cast<std::size_t>(text.size()), 3)));
    return out;
}

// A frame of zstd that is not for decompressors: others put tables of contents into it.
QByteArray skippableFrame(char kind, int bytes) {
    QByteArray frame("\x50\x2a\x4d\x18\0\0\0\0", 8);
    frame[0] = static_cast<char>(frame[0] + kind);
    for (int byte = 0; byte < 4; ++byte) {
        frame[4 + byte] = static_cast<char>(static_cast<unsigned>(bytes) >> (8 * byte));
    }
    return frame + QByteArray(bytes, '{');
}

QByteArray zstdWithMore(const QByteArray& text) {
    return skippableFrame(3, 11) + zstd(text) + skippableFrame(15, 0);
}

QByteArray eventText(int number) {
    return R"({"ph": "X", "name": "event)" + QByteArray::number(number) + R"( }\"{", "ts": )" +
           QByteArray::number(number) + R"(.5, "dur": 1, "args": {"noise": ")" +
           QByteArray::number(number * 2654435761LL % 1000000007, 36) + "\"}}";
}

QByteArray traceText(int events) {
    QByteArray text = "{\"traceEvents\": [\n";
    for (int i = 0; i < events; ++i) {
        text += eventText(i) + (i + 1 < events ? ",\n" : "\n");
    }
    return text + "], \"traceName\": \"x\"}";
}

QByteArray inPieces(const QByteArray& text, QByteArray (*compress)(const QByteArray&)) {
    QByteArray out;
    for (qsizetype at = 0; at < text.size(); at += 1'000'003) {
        out += compress(text.mid(at, 1'000'003));
    }
    return out;
}

void addContainers() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("events");
    QTest::addColumn<QByteArray>("format");
    // Large enough for several checkpoints of 16 MiB.
    constexpr int kEvents = 450'000;
    static const QByteArray text = traceText(kEvents);
    static const std::array<std::pair<const char*, QByteArray>, 6> contents{
        {{"plain", text},
         {"gzip", gzip(text)},
         {"gzip members", inPieces(text, gzip)},
         {"zstd", zstd(text)},
         {"zstd frames", inPieces(text, zstd)},
         {"zstd behind frames to skip",
          skippableFrame(0, 400'000) + skippableFrame(9, 0) + inPieces(text, zstdWithMore)}}};
    for (const auto& [name, content] : contents) {
        const QByteArray compression = QByteArray(name).left(4);
        QTest::newRow(name) << content << kEvents
                            << (compression == "plai" ? QByteArray("Kineto JSON")
                                                      : "Kineto JSON, " + compression);
    }
}

std::size_t slicesOf(const Result<std::shared_ptr<const Trace>>& trace) {
    return trace ? (*trace)->sliceCount() : 0;
}

}  // namespace

QString ImportFilesTest::write(const QByteArray& content) {
    QFile file(m_folder.filePath(QString("trace%1.bin").arg(m_files++)));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) {
        qFatal("cannot write a test file");
    }
    return file.fileName();
}

void ImportFilesTest::everyContainerGivesTheSameTrace_data() {
    addContainers();
}

void ImportFilesTest::everyContainerGivesTheSameTrace() {
    QFETCH(QByteArray, content);
    QFETCH(int, events);
    QFETCH(QByteArray, format);
    const auto trace = loadTrace(write(content).toStdString());
    QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
    QVERIFY((*trace)->log().empty());
    QCOMPARE(static_cast<int>((*trace)->sliceCount()), events);
    QCOMPARE(QByteArray::fromStdString((*trace)->info().format), format);
    QCOMPARE((*trace)->info().fileBytes, static_cast<std::uint64_t>(content.size()));
    QCOMPARE((*trace)->info().textBytes, static_cast<std::uint64_t>(traceText(events).size()));
    for (int i = 0; i < events; i += 997) {
        QCOMPARE((*trace)->start(static_cast<SliceId>(i)), TimeNs{i} * 1000 + 500);
    }
}

void ImportFilesTest::eventsAreReadAgainFromEveryContainer_data() {
    addContainers();
}

void ImportFilesTest::eventsAreReadAgainFromEveryContainer() {
    QFETCH(QByteArray, content);
    QFETCH(int, events);
    const auto trace = loadTrace(write(content).toStdString());
    QVERIFY(trace);
    std::mt19937 random(5);
    for (int round = 0; round < 12; ++round) {
        const int number = round == 0 ? 0
                           : round == 1
                               ? events - 1
                               : static_cast<int>(random() % static_cast<unsigned>(events));

        const auto text =
            (*trace)->eventText()->event((*trace)->offset(static_cast<SliceId>(number)));
        QVERIFY2(text, text ? "" : text.error().message.c_str());
        QCOMPARE(QByteArray::fromStdString(*text), eventText(number));
    }
    QVERIFY(!(*trace)->eventText()->event(3));
    QVERIFY(!(*trace)->eventText()->event(1ULL << 40));
}

void ImportFilesTest::sizesAroundBufferBoundariesAreRead() {
    for (const qsizetype size : {4096, 8192, 65536, 262144, 524288, 1048576}) {
        for (qsizetype bytes = size - 2; bytes <= size + 2; ++bytes) {
            QByteArray text = "{\"traceEvents\": [" + eventText(1) + ", " + eventText(2) + "]";
            text += QByteArray(bytes - text.size() - 1, ' ') + "}";
            QCOMPARE(text.size(), bytes);
            const auto trace = loadTrace(write(text).toStdString());
            QVERIFY(trace);
            QVERIFY((*trace)->log().empty());
            QCOMPARE((*trace)->sliceCount(), 2U);
            // The same with the events at the very end.
            QByteArray late = "{\"traceEvents\": [" + QByteArray(bytes, ' ') + eventText(1) + "]}";
            QCOMPARE(slicesOf(loadTrace(write(late).toStdString())), 1U);
        }
    }
}

void ImportFilesTest::cutGzipKeepsWhatCameBefore() {
    const QByteArray text = traceText(20'000);
    const QByteArray packed = gzip(text);
    const auto trace = loadTrace(write(packed.left(packed.size() / 2)).toStdString());
    QVERIFY(trace);
    const ImportLog& log = (*trace)->log();
    const std::uint64_t cut = (*trace)->info().textBytes;
    QVERIFY(cut > 500'000 && cut < static_cast<std::uint64_t>(text.size()));
    const ImportIssue* issue = log.find("truncated_gzip");
    QVERIFY(issue != nullptr);
    QCOMPARE(issue->firstOffset, cut);
    QCOMPARE(issue->count, 1U);
    QCOMPARE(issue->example, "ends after " + std::to_string(packed.size() / 2) +
                                 " bytes of the file, " + std::to_string(cut) + " of text");
    // All events that are wholly before the cut, and no other.
    const QByteArray kept = text.left(static_cast<qsizetype>(cut));
    const auto complete = static_cast<std::uint64_t>(kept.count("\"}}"));
    QCOMPARE((*trace)->sliceCount(), complete);
    QCOMPARE(log.events - log.skipped, complete);
    // A file of nothing but a gzip header has no text at all.
    const auto header = loadTrace(write(packed.left(12)).toStdString());
    QVERIFY(!header);
    QVERIFY(header.error().message.find("contains no text: ends after 12 bytes") !=
            std::string::npos);
}

void ImportFilesTest::damagedGzipKeepsWhatCameBefore() {
    QByteArray packed = gzip(traceText(20'000));
    for (qsizetype at = packed.size() / 2; at < packed.size() / 2 + 200; ++at) {
        packed[at] = static_cast<char>(packed[at] ^ 0x5a);
    }
    const auto trace = loadTrace(write(packed).toStdString());
    QVERIFY(trace);
    QVERIFY((*trace)->sliceCount() > 5'000);
    const ImportIssue* issue = (*trace)->log().find("damaged_gzip");
    QVERIFY(issue != nullptr);
    QCOMPARE(issue->firstOffset, (*trace)->info().textBytes);
    // Only the check sum is wrong: everything is there, and it is said.
    QByteArray sum = gzip(traceText(100));
    sum[sum.size() - 6] = static_cast<char>(sum[sum.size() - 6] ^ 1);
    const auto whole = loadTrace(write(sum).toStdString());
    QCOMPARE(slicesOf(whole), 100U);
    QVERIFY((*whole)->log().find("damaged_gzip") != nullptr);
}

void ImportFilesTest::garbageBehindCompressedDataIsReported_data() {
    QTest::addColumn<QByteArray>("packed");
    QTest::addColumn<QByteArray>("example");
    QTest::newRow("gzip") << gzip(traceText(100)) << QByteArray("7 bytes after the gzip data");
    QTest::newRow("zstd") << zstd(traceText(100)) << QByteArray("7 bytes after the zstd data");
}

void ImportFilesTest::garbageBehindCompressedDataIsReported() {
    QFETCH(QByteArray, packed);
    QFETCH(QByteArray, example);
    for (const QByteArray& garbage : {QByteArray("garbage"), QByteArray(7, '\0')}) {
        const auto trace = loadTrace(write(packed + garbage).toStdString());
        QCOMPARE(slicesOf(trace), 100U);
        const ImportIssue* issue = (*trace)->log().find("trailing_garbage");
        QVERIFY(issue != nullptr);
        QCOMPARE(issue->count, 1U);
        QCOMPARE(issue->firstOffset, (*trace)->info().textBytes);
        QCOMPARE(QByteArray::fromStdString(issue->example), example);
        QCOMPARE((*trace)->log().sorted().size(), 1U);
    }
}

void ImportFilesTest::cutAndDamagedZstdKeepWhatCameBefore() {
    const QByteArray packed = inPieces(traceText(40'000), zstd);
    const auto cut = loadTrace(write(packed.left(packed.size() / 2)).toStdString());
    QVERIFY(cut);
    QVERIFY((*cut)->sliceCount() > 5'000 && (*cut)->sliceCount() < 40'000);
    QVERIFY((*cut)->log().find("truncated_zstd") != nullptr);
    QByteArray broken = packed;
    for (qsizetype at = packed.size() / 2; at < packed.size() / 2 + 5000; ++at) {
        broken[at] = static_cast<char>(broken[at] ^ 0x5a);
    }
    const auto damaged = loadTrace(write(broken).toStdString());
    QVERIFY(damaged);
    QVERIFY((*damaged)->sliceCount() > 5'000);
    const ImportIssue* issue = (*damaged)->log().find("damaged_zstd");
    QVERIFY(issue != nullptr);
    QCOMPARE(issue->firstOffset, (*damaged)->info().textBytes);
}

void ImportFilesTest::zstdWindowsThatAreTooLarge() {
    // As of zstd --long=31: one raw block, and the same with a larger window.
    const QByteArray frame("\x28\xb5\x2f\xfd\x00\xa8\x11\x00\x00[]", 11);
    const QByteArray larger("\x28\xb5\x2f\xfd\x00\xa9\x11\x00\x00[]", 11);
    for (const auto& [bytes, window] : {std::pair(frame, "2048 MiB"), {larger, "2304 MiB"}}) {
        for (const QByteArray& begin : {QByteArray(), zstd(traceText(100))}) {
            QTemporaryFile file;
            QVERIFY(file.open());
            file.write(begin + bytes);
            file.close();
            const auto trace = import::loadTrace(file.fileName().toStdString());
            const ImportIssue* issue = trace ? (*trace)->log().find("damaged_zstd") : nullptr;
            const std::string message = !trace  ? trace.error().message
                                        : issue ? issue->example
                                                : "no issue";
            QVERIFY2(message.find(window) != std::string::npos, message.c_str());
            QVERIFY2(message.find("--long") != std::string::npos, message.c_str());
            QVERIFY2(message.find("damaged") == std::string::npos, message.c_str());
        }
    }
    QTemporaryFile cut;
    QVERIFY(cut.open());
    cut.write(frame.left(6));
    cut.close();
    QVERIFY(!import::loadTrace(cut.fileName().toStdString()));
}

// A frame of 39,967 bytes, by its header, whose only block is empty.
void ImportFilesTest::zstdFramesEndWhereTheySay() {
    const QByteArray frame = QByteArray::fromHex("28b52ffd601f9b010000");
    const auto file = source::InputFile::open(write(frame).toStdString());
    QVERIFY(file);
    for (const std::size_t piece : {std::size_t{16}, std::size_t{1} << 20U}) {
        const auto text = source::openTextSource(*file);
        std::vector<char> buffer(piece);
        QCOMPARE((*text)->read(buffer.data(), piece), std::size_t{0});
        QVERIFY((*text)->issue());
        QCOMPARE((*text)->issue()->issue, Issue::DamagedZstd);
    }
}

// 98,449 times one byte, and what looks like a frame of zstd 0.7 behind it.
void ImportFilesTest::oldZstdFramesAddNothing() {
    const QByteArray packed = QByteArray::fromHex(
        "28b52ffd00598b040cf627b52ffdfd00590b000c0d8328b52ffd00598b040c0028b52ffd00590b000c83"
        "28b52ffd00598b040c0028b52ffd04590b000c8328b52ffd00598b040c000000282ffd");
    const auto file = source::InputFile::open(write(packed).toStdString());
    const auto text = source::openTextSource(*file);
    std::vector<char> buffer(std::size_t{1} << 20U);
    QCOMPARE((*text)->read(buffer.data(), buffer.size()), std::size_t{98'449});
    QCOMPARE((*text)->read(buffer.data(), buffer.size()), std::size_t{0});
    QCOMPARE((*text)->issue()->issue, Issue::TrailingGarbage);
    QCOMPARE((*text)->issue()->example, "67 bytes after the zstd data");
}

void ImportFilesTest::bombsEndAtTheirLimit_data() {
    QTest::addColumn<QByteArray>("packed");
    const QByteArray bomb = traceText(10).replace("], ", "]," + QByteArray(32 << 20, ' '));
    QTest::newRow("gzip") << gzip(bomb);
    QTest::newRow("zstd") << zstd(bomb);
}

void ImportFilesTest::bombsEndAtTheirLimit() {
    QFETCH(QByteArray, packed);
    const source::ExpansionLimit usual = source::expansionLimit();
    const auto restore = qScopeGuard([&] { source::expansionLimit() = usual; });
    const std::string path = write(packed).toStdString();
    QCOMPARE(slicesOf(loadTrace(path)), 10U);  // below what any file may have
    source::expansionLimit() = {.factor = 100.0, .freeBytes = 1U << 20U};
    const auto stopped = loadTrace(path);
    QCOMPARE(slicesOf(stopped), 10U);
    const ImportIssue* issue = (*stopped)->log().find("expands_too_far");
    QVERIFY(issue != nullptr && issue->example.find("--max-expansion") != std::string::npos);
    QVERIFY(issue->example.find("not a number") == std::string::npos);
    // A block at most beyond the limit.
    QVERIFY((*stopped)->info().textBytes < (24U << 20U));
    qputenv("KINETOSCOPE_MAX_EXPANSION", "plenty");
    const auto unset = qScopeGuard([] { qunsetenv("KINETOSCOPE_MAX_EXPANSION"); });
    const auto ignored = loadTrace(path);
    QCOMPARE(slicesOf(ignored), 10U);
    issue = (*ignored)->log().find("expands_too_far");
    QVERIFY(issue != nullptr &&
            issue->example.find("'plenty' is not a number from 0") != std::string::npos);
    source::expansionLimit().factor = 0.0;
    QVERIFY((*loadTrace(path))->log().find("expands_too_far") == nullptr);
}

void ImportFilesTest::framesToSkipAreNoText() {
    const QString path = write(skippableFrame(5, 100));
    const auto none = loadTrace(path.toStdString());
    QVERIFY(!none);
    QCOMPARE(none.error().message, "'" + path.toStdString() + "': contains no text");
    const auto cut = loadTrace(write(skippableFrame(5, 100).chopped(1)).toStdString());
    QVERIFY(!cut);
    QVERIFY(cut.error().message.find("ends after 107 bytes") != std::string::npos);
}

void ImportFilesTest::unreadableFilesAreRefusedInOneLine() {
    const auto message = [](const QString& path) {
        const auto trace = loadTrace(path.toStdString());
        return trace ? std::string("loaded") : trace.error().message;
    };
    const QString folder = m_folder.path();
    QCOMPARE(message(folder),
             "'" + folder.toStdString() + "': is a directory; give a trace file inside it");
    const QString missing = m_folder.filePath("missing.json");
    QCOMPARE(message(missing), "'" + missing.toStdString() + "': does not exist");
    const QString empty = write({});
    QCOMPARE(message(empty), "'" + empty.toStdString() + "': is empty");
    QVERIFY(message("/dev/null").find("is not a regular file") != std::string::npos);

    const QString secret = write("{}");
    QFile::setPermissions(secret, QFileDevice::Permissions());
    // Root may read everything: become nobody for the moment.
    const bool root = geteuid() == 0;
    QFile::setPermissions(folder, QFileDevice::Permissions(0x7777));
    if (root && seteuid(65534) != 0) {
        QSKIP("cannot drop root's rights here");
    }
    const std::string refused = message(secret);
    if (root) {
        QCOMPARE(seteuid(0), 0);
    }
    QCOMPARE(refused, "'" + secret.toStdString() + "': cannot be opened: permission denied");
}

void ImportFilesTest::changedAndVanishedFilesAreNoticed() {
    const QString path = write(traceText(10));
    const auto trace = loadTrace(path.toStdString());
    QVERIFY((*trace)->eventText()->event((*trace)->offset(3)));
    QFile file(path);
    QVERIFY(file.open(QIODevice::Append));
    file.write(" ");
    file.close();
    const auto changed = (*trace)->eventText()->event((*trace)->offset(3));
    QVERIFY(!changed);
    QCOMPARE(changed.error().message,
             "'" + path.toStdString() + "': has changed since it was read; open it again");
    QFile::remove(path);
    const auto vanished = (*trace)->eventText()->event((*trace)->offset(3));
    QVERIFY(!vanished);
    QCOMPARE(vanished.error().message, "'" + path.toStdString() + "': does not exist");
}

void ImportFilesTest::cancelEndsALoadAtOnce() {
    const QString path = write(gzip(traceText(400'000)));
    std::stop_source before;
    before.request_stop();
    const auto never = loadTrace(path.toStdString(), {.stop = before.get_token()});
    QVERIFY(!never);
    QCOMPARE(never.error().kind, ErrorKind::Cancelled);

    // Asked for in the middle, it comes back long before the end.
    std::stop_source stop;
    Progress progress;
    std::jthread canceller([&] {
        while (progress.done() == 0) {
            std::this_thread::yield();
        }
        stop.request_stop();
    });
    const auto stopped =
        loadTrace(path.toStdString(), {.stop = stop.get_token(), .progress = &progress});
    canceller.join();
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
    QVERIFY(progress.fraction() < 1.0);
}

void ImportFilesTest::progressReachesTheFileSize() {
    for (const QByteArray& content :
         {traceText(9'000), gzip(traceText(9'000)), zstd(traceText(9'000))}) {
        Progress progress;
        QVERIFY(loadTrace(write(content).toStdString(), {.stop = {}, .progress = &progress}));
        QCOMPARE(progress.total(), static_cast<std::uint64_t>(content.size()));
        QCOMPARE(progress.done(), progress.total());
    }
}

QTEST_GUILESS_MAIN(ImportFilesTest)
#include "ImportFilesTest.moc"
