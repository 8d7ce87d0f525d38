// SPDX-License-Identifier: Apache-2.0
// Loading as its callers see it: snapshots, stops, files that change meanwhile, sizes of pages.
#include <QtTest>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "core/import/load/LoadTrace.h"
#include "core/import/source/OpenTextSource.h"
#include "tests/support/SameTrace.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::import;
using namespace kinetoscope::import::source;
using namespace kinetoscope::trace;
using namespace kinetoscope::test;
using namespace std::chrono_literals;

class LoadingTest final : public QObject {
    Q_OBJECT

private slots:
    void snapshotsAreBeginningsOfTheTrace();
    void quickLoadsHaveNoSnapshots();
    void aStopEndsEveryKindOfLoadAtOnce_data();
    void aStopEndsEveryKindOfLoadAtOnce();
    void aFileThatChangesIsNoticed_data();
    void aFileThatChangesIsNoticed();
    void eventsOfAChangedFileAreNotShown();
    void sizesOfWholePagesAreNoEdge();
};

namespace {

std::string traceOf(int events) {
    std::string text = "{\"traceEvents\": [\n";
    for (int i = 0; i < events; ++i) {
        text += (i > 0 ? ",\n" : "") + std::string(R"({"ph": "X", "cat": "cpu_op", "name": "op)") +
                std::to_string(i % 50) + R"(", "pid": 1, "tid": )" + std::to_string(i % 3) +
                R"(, "ts": )" + std::to_string(1000 + i) + R"(.250, "dur": 3, "args": {}})";
    }
    return text + "\n]}\n";
}

/// Gives its text slowly; in order, or to as many readers as like.
class SlowSource final : public TextSource {
public:
    /// `onRead` is called by any reader, before each read.
    SlowSource(
        std::string_view text, bool anywhere, std::function<void()> onRead = [] {})
        : m_text(text), m_anywhere(anywhere), m_onRead(std::move(onRead)) {}

    [[nodiscard]] std::size_t read(char* to, std::size_t capacity) override {
        m_onRead();
        std::this_thread::sleep_for(2ms);
        return m_text.read(to, std::min<std::size_t>(capacity, 4096));
    }
    [[nodiscard]] std::uint64_t filePosition() const override { return m_text.filePosition(); }
    [[nodiscard]] std::uint64_t fileBytes() const override { return m_text.fileBytes(); }
    [[nodiscard]] std::string_view compression() const override { return {}; }
    [[nodiscard]] std::unique_ptr<TextSource> again() const override {
        return m_anywhere ? std::make_unique<SlowSource>(*this) : nullptr;
    }
    bool seek(std::uint64_t offset) override { return m_text.seek(offset); }

    SlowSource(const SlowSource& other)
        : TextSource(), m_text(other.m_text.text()), m_onRead(other.m_onRead) {}

private:
    MemorySource m_text;
    bool m_anywhere = true;
    std::function<void()> m_onRead;
};

class TraceFile {
public:
    explicit TraceFile(const std::string& text) : path(m_folder.filePath("t.json").toStdString()) {
        write(text);
    }
    void write(const std::string& text) const {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
    }

private:
    QTemporaryDir m_folder;

public:
    std::string path;
};

}  // namespace

void LoadingTest::snapshotsAreBeginningsOfTheTrace() {
    const std::string text = traceOf(20'000);
    for (const bool anywhere : {false, true}) {
        SlowSource source(text, anywhere);
        std::vector<std::shared_ptr<const Trace>> snapshots;
        LoadOptions options;
        options.threads = 2;
        options.snapshot = [&](auto trace) { snapshots.push_back(std::move(trace)); };
        const auto trace = importSource(source, "slow.json", options,
                                        {.chunk = 16 * 1024, .unitBytes = 64 * 1024});
        QVERIFY(trace);
        QVERIFY((*trace)->isComplete());
        QVERIFY(!snapshots.empty());
        std::size_t before = 0;
        for (const auto& snapshot : snapshots) {
            QVERIFY(!snapshot->isComplete());
            QVERIFY(snapshot->sliceCount() > before);
            before = snapshot->sliceCount();
            QVERIFY(before < (*trace)->sliceCount());
            QCOMPARE(snapshot->start(static_cast<SliceId>(before - 1)),
                     (*trace)->start(static_cast<SliceId>(before - 1)));
            QVERIFY(snapshot->name(0) == (*trace)->name(0));
            QVERIFY(snapshot->tracks()[0].hasEvents);
            QVERIFY(snapshot->extent().end > snapshot->extent().start);
            QCOMPARE(snapshot->info().path, std::string("slow.json"));
        }
    }
}

void LoadingTest::quickLoadsHaveNoSnapshots() {
    const std::string text = traceOf(1000);
    MemorySource source(text);
    int snapshots = 0;
    LoadOptions options;
    options.snapshot = [&](const auto&) { ++snapshots; };
    QVERIFY(importSource(source, "quick.json", options));
    QCOMPARE(snapshots, 0);
}

void LoadingTest::aStopEndsEveryKindOfLoadAtOnce_data() {
    QTest::addColumn<bool>("anywhere");
    QTest::addColumn<unsigned>("threads");
    QTest::newRow("one thread") << true << 1U;
    QTest::newRow("several threads") << true << 3U;
    QTest::newRow("reading ahead") << false << 2U;
}

void LoadingTest::aStopEndsEveryKindOfLoadAtOnce() {
    QFETCH(bool, anywhere);
    QFETCH(unsigned, threads);
    const std::string text = traceOf(60'000);
    constexpr int kReads = 20;  // of more than a thousand
    std::stop_source stop;
    std::atomic<int> reads = 0;
    SlowSource source(text, anywhere, [&] {
        if (++reads == kReads) {
            stop.request_stop();
        }
    });
    LoadOptions options;
    options.stop = stop.get_token();
    options.threads = threads;
    const auto trace =
        importSource(source, "slow.json", options, {.unitBytes = 64 * 1024, .readAheadFrom = 0});
    QVERIFY(!trace);
    QCOMPARE(trace.error().kind, ErrorKind::Cancelled);
    QVERIFY2(reads < 2 * kReads, qPrintable(QString::number(reads)));
}

void LoadingTest::aFileThatChangesIsNoticed_data() {
    QTest::addColumn<qint64>("size");
    QTest::newRow("cut to nothing") << qint64{0};
    QTest::newRow("cut in the middle") << qint64{1'500'000};
    QTest::newRow("longer") << qint64{5'000'000};
}

void LoadingTest::aFileThatChangesIsNoticed() {
    QFETCH(qint64, size);
    const std::string text = traceOf(30'000);
    std::shared_ptr<const Trace> first;
    for (const unsigned threads : {1U, 3U}) {
        const TraceFile file(text);
        auto source = openTextSource(file.path);
        QVERIFY(source);
        std::filesystem::resize_file(file.path, static_cast<std::uintmax_t>(size));
        LoadOptions options;
        options.threads = threads;
        const auto trace = importSource(**source, "t.json", options, {.unitBytes = 256 * 1024});
        if (size == 0) {
            QVERIFY(!trace);
            continue;
        }
        QVERIFY(trace);
        const ImportIssue* changed = (*trace)->log().find("file_changed");
        QVERIFY(changed != nullptr);
        QCOMPARE(changed->severity, Severity::DataLoss);
        QCOMPARE((*trace)->log().find("truncated_text") != nullptr, size < 2'000'000);
        if (first) {
            QCOMPARE(QString::fromStdString(difference(*first, **trace)), QString());
        }
        first = *trace;
    }
}

void LoadingTest::eventsOfAChangedFileAreNotShown() {
    const TraceFile file(traceOf(100));
    const auto trace = loadTrace(file.path);
    QVERIFY(trace);
    QVERIFY((*trace)->log().empty());
    QVERIFY((*trace)->eventText()->event((*trace)->offset(50)));
    std::filesystem::resize_file(file.path, 500);
    const auto cut = (*trace)->eventText()->event((*trace)->offset(50));
    QVERIFY(!cut);
    QVERIFY(cut.error().message.find("has changed") != std::string::npos);
    std::filesystem::remove(file.path);
    const auto gone = (*trace)->eventText()->event((*trace)->offset(50));
    QVERIFY(!gone);
    QVERIFY(gone.error().message.find("does not exist") != std::string::npos);
}

void LoadingTest::sizesOfWholePagesAreNoEdge() {
    std::string text = traceOf(2000);
    for (const std::size_t page : {4096U, 65536U}) {
        std::string whole = text;
        whole.insert(1, (page - whole.size() % page) % page, ' ');
        QCOMPARE(whole.size() % page, std::size_t{0});
        whole.pop_back();
        whole.insert(1, " ");
        const TraceFile file(whole);
        std::shared_ptr<const Trace> first;
        for (const unsigned threads : {1U, 2U}) {
            for (const std::size_t chunk : {std::size_t{4096}, page, kTextChunk}) {
                auto source = openTextSource(file.path);
                QVERIFY(source);
                LoadOptions options;
                options.threads = threads;
                const auto trace = importSource(**source, "t.json", options,
                                                {.chunk = chunk, .unitBytes = 3 * page});
                QVERIFY(trace);
                QVERIFY((*trace)->log().empty());
                QCOMPARE((*trace)->sliceCount(), std::size_t{2000});
                if (first) {
                    QCOMPARE(QString::fromStdString(difference(*first, **trace)), QString());
                }
                first = *trace;
            }
        }
    }
}

QTEST_APPLESS_MAIN(LoadingTest)
#include "LoadingTest.moc"
