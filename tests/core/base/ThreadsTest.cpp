// SPDX-License-Identifier: Apache-2.0
// Threads that do not start, work that throws, signals and closed descriptors: nobody waits for
// ever, and everything ends as a Result.
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QtTest>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <stdexcept>

#include "core/base/ProcessSetup.h"
#include "core/base/TemporaryFiles.h"
#include "core/base/Threads.h"
#include "core/query/LaneLayout.h"
#include "core/report/Report.h"
#include "tests/support/TraceText.h"

using namespace kinetoscope;
using namespace kinetoscope::import;
using namespace kinetoscope::import::source;
using namespace kinetoscope::query;
using namespace kinetoscope::report;
using namespace kinetoscope::test;

class ThreadsTest final : public QObject {
    Q_OBJECT

private slots:
    void exceptionsBecomeResults();
    void workIsDoneByAsManyThreadsAsThereAre();
    void anExceptionOfAnyThreadIsThrownOn();
    void aTextIsReadWithoutAThread();
    void lanesAndReportNeedNoThread();
    void whateverReadThrowsTheLoadEnds_data();
    void whateverReadThrowsTheLoadEnds();
    void temporaryFilesAreRemovedUntilReleased();
    void signalsEndTheProcessAndItsFiles();
    void closedDescriptorsAreHeld();
};

namespace {

// While it lives, no thread starts: none finds room for its stack.
class NoThreads {
public:
    NoThreads() {
        ::pthread_getattr_default_np(&m_before);
        pthread_attr_t large;
        ::pthread_attr_init(&large);
        ::pthread_attr_setstacksize(&large, std::size_t{1} << 47U);
        ::pthread_setattr_default_np(&large);
        ::pthread_attr_destroy(&large);
    }
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;
    ~NoThreads() { ::pthread_setattr_default_np(&m_before); }

private:
    pthread_attr_t m_before{};
};

std::string manyEvents() {
    std::string text = "{\"traceEvents\": [";
    for (int i = 0; i < 4000; ++i) {
        text += i > 0 ? ",\n" : "";
        text += R"({"ph": "X", "cat": "kernel", "name": "k)" + std::to_string(i % 7) +
                R"(", "pid": 0, "tid": 7, "ts": )" + std::to_string(10 * i) +
                R"(, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": )" +
                std::to_string(i) + "}}";
    }
    return text + "]}";
}

// Throws at the n-th read of any of its copies, and at all that follow.
class ThrowingSource final : public TextSource {
public:
    using Left = std::shared_ptr<std::atomic<int>>;

    ThrowingSource(std::string_view text, Left left, bool sequential)
        : m_text(text), m_left(std::move(left)), m_sequential(sequential) {}

    [[nodiscard]] std::size_t read(char* to, std::size_t capacity) override {
        if (--*m_left < 0) {
            throw std::bad_alloc();
        }
        return m_text.read(to, capacity);
    }
    [[nodiscard]] std::uint64_t filePosition() const override { return m_text.filePosition(); }
    [[nodiscard]] std::uint64_t fileBytes() const override { return m_text.fileBytes(); }
    [[nodiscard]] std::string_view compression() const override { return {}; }
    [[nodiscard]] std::unique_ptr<TextSource> again() const override {
        return m_sequential ? nullptr
                            : std::make_unique<ThrowingSource>(m_text.text(), m_left, false);
    }
    bool seek(std::uint64_t offset) override { return !m_sequential && m_text.seek(offset); }

private:
    MemorySource m_text;
    Left m_left;
    bool m_sequential;
};

LoadOptions withThreads(int threads) {
    LoadOptions options;
    options.threads = static_cast<unsigned>(threads);
    return options;
}

// Runs `work` in a child and gives what waitpid() says of it.
int statusOfChild(const std::function<void()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        work();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

}  // namespace

void ThreadsTest::exceptionsBecomeResults() {
    const auto failing = [](auto exception) {
        return guarded([&]() -> Result<int> { throw exception; });
    };
    QCOMPARE(guarded([]() -> Result<int> { return 7; }).value(), 7);
    QCOMPARE(QString::fromStdString(failing(std::bad_alloc()).error().message),
             QStringLiteral("out of memory; close other files or programs"));
    QCOMPARE(QString::fromStdString(failing(std::runtime_error("why")).error().message),
             QStringLiteral("why"));
    QCOMPARE(failing(std::bad_alloc()).error().kind, ErrorKind::Output);
    QCOMPARE(failing(Stopped{}).error().kind, ErrorKind::Cancelled);
}

void ThreadsTest::workIsDoneByAsManyThreadsAsThereAre() {
    std::atomic<int> calls{0};
    runOnThreads(4, [&] { ++calls; });
    QCOMPARE(calls.load(), 4);
    const NoThreads none;
    QVERIFY(!tryThread([] {}));
    runOnThreads(4, [&] { ++calls; });
    QCOMPARE(calls.load(), 5);
}

void ThreadsTest::anExceptionOfAnyThreadIsThrownOn() {
    for (int thrower = 0; thrower < 4; ++thrower) {
        std::atomic<int> number{0};
        const auto work = [&] {
            if (number++ == thrower) {
                throw std::runtime_error("one of them");
            }
        };
        QVERIFY_EXCEPTION_THROWN(runOnThreads(4, work), std::runtime_error);
    }
}

void ThreadsTest::aTextIsReadWithoutAThread() {
    const std::string text = manyEvents();
    const NoThreads none;
    for (const bool sequential : {false, true}) {
        ThrowingSource source(text, std::make_shared<std::atomic<int>>(1'000'000), sequential);
        const auto trace = importSource(source, "test.json", withThreads(4),
                                        {.chunk = 512, .unitBytes = 8192, .readAheadFrom = 1});
        QVERIFY(trace);
        QCOMPARE((*trace)->sliceCount(), std::size_t{4000});
    }
}

void ThreadsTest::lanesAndReportNeedNoThread() {
    const auto trace = importText(manyEvents()).value();
    const Report before = makeReport(*trace).value();
    const NoThreads none;
    LaneIndex lanes(trace);
    lanes.layOutAll(4);
    QCOMPARE(lanes.laneCount(trace->trackOf(0)), std::size_t{1});
    const auto alone = makeReport(*trace);
    QVERIFY(alone);
    QCOMPARE(alone->gpus.front().busyNs, before.gpus.front().busyNs);
    QCOMPARE(alone->kernels.size(), before.kernels.size());
}

void ThreadsTest::whateverReadThrowsTheLoadEnds_data() {
    QTest::addColumn<bool>("sequential");
    QTest::addColumn<int>("threads");
    for (const int threads : {1, 2, 4}) {
        QTest::addRow("anywhere, %d", threads) << false << threads;
        QTest::addRow("made ahead, %d", threads) << true << threads;
    }
}

void ThreadsTest::whateverReadThrowsTheLoadEnds() {
    QFETCH(const bool, sequential);
    QFETCH(const int, threads);
    const std::string text = manyEvents();
    bool whole = false;
    int failed = 0;
    for (int reads = 0; !whole; reads += 3) {
        QVERIFY(reads < 10'000);
        ThrowingSource source(text, std::make_shared<std::atomic<int>>(reads), sequential);
        const auto trace = guarded([&] {
            return importSource(
                source, "test.json", withThreads(threads),
                {.chunk = 4096, .unitBytes = 32768, .readAheadFrom = 1, .aheadBlock = 32768});
        });
        whole = trace.has_value();
        if (whole) {
            QCOMPARE((*trace)->sliceCount(), std::size_t{4000});
        } else {
            QCOMPARE(QString::fromStdString(trace.error().message),
                     QStringLiteral("out of memory; close other files or programs"));
            ++failed;
        }
    }
    QVERIFY(failed > 5);
}

void ThreadsTest::temporaryFilesAreRemovedUntilReleased() {
    const QTemporaryDir folder;
    const std::string begin = folder.path().toStdString() + "/f.";
    std::string kept;
    std::string removed;
    const int one = openUniqueFile(begin, kept);
    const int two = openUniqueFile(begin, removed);
    QVERIFY(one >= 0 && two >= 0);
    releaseTemporaryFile(kept);
    // A process that does this ends, and frees nothing any more.
    QCOMPARE(statusOfChild([] { removeTemporaryFiles(); }), 0);
    QVERIFY(std::filesystem::exists(kept));
    QVERIFY(!std::filesystem::exists(removed));
    releaseTemporaryFile(removed);
    ::close(one);
    ::close(two);
}

void ThreadsTest::signalsEndTheProcessAndItsFiles() {
#if defined(__SANITIZE_THREAD__)
    QSKIP("the thread sanitizer delivers no signals after a process with threads has forked");
#endif
    const QTemporaryDir folder;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
        const int status = statusOfChild([&] {
            ::signal(signal, SIG_DFL);
            cleanUpOnSignals();
            std::string path;
            static_cast<void>(openUniqueFile(folder.path().toStdString() + "/f.", path));
            ::raise(signal);
        });
        QVERIFY(WIFSIGNALED(status));
        QCOMPARE(WTERMSIG(status), signal);
    }
    QVERIFY(QDir(folder.path()).isEmpty());
    // Ignored by whoever started us: still ignored.
    QCOMPARE(statusOfChild([] {
                 ::signal(SIGHUP, SIG_IGN);
                 cleanUpOnSignals();
                 ::raise(SIGHUP);
             }),
             0);
}

void ThreadsTest::closedDescriptorsAreHeld() {
    const int status = statusOfChild([] {
        ::close(STDIN_FILENO);
        ::close(STDERR_FILENO);
        holdStandardDescriptors();
        const int file = ::open("/dev/null", O_RDWR);
        char byte = 0;
        const bool good = file > STDERR_FILENO && ::write(STDERR_FILENO, &byte, 1) < 0 &&
                          ::read(STDIN_FILENO, &byte, 1) < 0 &&
                          (::fcntl(STDERR_FILENO, F_GETFD) & FD_CLOEXEC) != 0;
        writeToStandardError("nobody reads this");
        ::_exit(good ? 0 : 1);
    });
    QCOMPARE(status, 0);
}

QTEST_APPLESS_MAIN(ThreadsTest)
#include "ThreadsTest.moc"
